// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/render.hpp"

namespace sinew::show {

/// Blends the drawn samples with the background, averages and encodes them. Averages linear light.
class Developer {
 public:
  Developer(const std::array<std::uint8_t, 4>& background, std::size_t fineness);

  /// `samples`: rows from the bottom, premultiplied.
  [[nodiscard]] Picture picture(const std::vector<float>& samples, std::size_t width, std::size_t height, unsigned threads) const;

 private:
  void develop(const std::vector<float>& samples, std::size_t x, std::size_t row, std::size_t width, std::uint8_t* out) const;

  std::vector<std::uint8_t> table_;
  std::array<std::uint8_t, 4> stored_;
  std::array<float, 4> background_{};
  std::size_t fineness_;
};

}  // namespace sinew::show

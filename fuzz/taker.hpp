// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "targets.hpp"

namespace sinew::fuzz {

/// Takes small numbers from the front of an input.
class Taker {
 public:
  explicit Taker(Input bytes) : left_(bytes) {}
  std::uint32_t take(std::uint32_t below) {
    if (left_.empty()) return 0;
    const std::uint32_t value = left_[0] % below;
    left_ = left_.subspan(1);
    return value;
  }
  [[nodiscard]] Input rest() const { return left_; }

 private:
  Input left_;
};

}  // namespace sinew::fuzz

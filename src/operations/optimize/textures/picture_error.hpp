// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "codecs/codecs.hpp"

namespace sinew::operations {

/// How far pixels are from others of the same size. Opacity counts where one of both has any.
struct PictureError {
  double psnr = 0;  ///< of all channels together, in decibels: 10 · log10(255² / mean squared difference); infinite: none
  std::array<double, 4> of_channel{};  ///< the same for each channel
  std::size_t channels = 3;

  [[nodiscard]] double worst_channel() const;
};
[[nodiscard]] PictureError picture_error(const codecs::Pixels& a, const codecs::Pixels& b);

/// Returns the mean structural similarity (Wang et al. 2004) over the channels and over windows of 8 × 8 pixels, every 4 pixels, in which
/// all pixels count alike: 1 if no pixel differs.
[[nodiscard]] double picture_similarity(const codecs::Pixels& a, const codecs::Pixels& b);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "show/developer.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "math/srgb.hpp"

namespace sinew::show {

namespace {

/// A table of x / 4096 as 8-bit sRGB.
std::vector<std::uint8_t> srgb_table() {
  std::vector<std::uint8_t> table(4097);
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<std::uint8_t>(std::lround(to_srgb(static_cast<double>(i) / 4096) * 255));
  return table;
}

/// Clamps to 0 … 1; NaN, the result of overflowing light, becomes 0.
float unit(float value) { return value > 0 ? std::min(value, 1.0F) : 0.0F; }

}  // namespace

Developer::Developer(const std::array<std::uint8_t, 4>& background, std::size_t fineness)
    : table_(srgb_table()), stored_(background), fineness_(fineness) {
  const double opacity = background[3] / 255.0;
  for (std::size_t c = 0; c < 3; ++c) background_[c] = static_cast<float>(to_linear(background[c] / 255.0) * opacity);
  background_[3] = static_cast<float>(opacity);
}

Picture Developer::picture(const std::vector<float>& samples, std::size_t width, std::size_t height, unsigned threads) const {
  Picture picture{width, height, std::vector<std::uint8_t>(width * height * 4)};
  parallel_for(height, 16, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t y = first; y < last; ++y)
      for (std::size_t x = 0; x < width; ++x) develop(samples, x, height - 1 - y, width, picture.rgba.data() + (y * width + x) * 4);
  });
  return picture;
}

void Developer::develop(const std::vector<float>& samples, std::size_t x, std::size_t row, std::size_t width, std::uint8_t* out) const {
  std::array<float, 4> sum{};
  for (std::size_t dy = 0; dy < fineness_; ++dy) {
    const float* sample = samples.data() + ((row * fineness_ + dy) * width * fineness_ + x * fineness_) * 4;
    for (std::size_t dx = 0; dx < fineness_; ++dx, sample += 4) {
      // Clamp each sample separately, so that overexposed samples do not outshine their neighbours.
      const float behind = 1 - unit(sample[3]);
      for (std::size_t c = 0; c < 4; ++c) sum[c] += unit(sample[c] + background_[c] * behind);
    }
  }
  const auto count = static_cast<float>(fineness_ * fineness_);
  const float opacity = sum[3] / count;
  if (opacity <= 0) {
    std::copy(stored_.begin(), stored_.end(), out);
    return;
  }
  for (std::size_t c = 0; c < 3; ++c) out[c] = table_[static_cast<std::size_t>(std::lround(unit(sum[c] / count / opacity) * 4096))];
  out[3] = static_cast<std::uint8_t>(std::lround(opacity * 255));
}

}  // namespace sinew::show

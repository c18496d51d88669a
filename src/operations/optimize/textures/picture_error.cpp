// SPDX-License-Identifier: MIT
#include "operations/optimize/textures/picture_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sinew::operations {

namespace {

using codecs::Pixels;

bool is_opaque(const Pixels& pixels) {
  for (std::size_t i = 3; i < pixels.rgba.size(); i += 4)
    if (pixels.rgba[i] != 255) return false;
  return true;
}

std::size_t channels_that_count(const Pixels& a, const Pixels& b) { return is_opaque(a) && is_opaque(b) ? 3 : 4; }

double decibels(double squares, double count) {
  return squares == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(255.0 * 255.0 * count / squares);
}

/// The similarity of one channel in one window. All sums are exact.
double window_similarity(const Pixels& a, const Pixels& b, std::size_t first, std::size_t width, std::size_t height) {
  std::uint32_t sum_a = 0, sum_b = 0, squares_a = 0, squares_b = 0, products = 0;
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t at = first + 4 * (y * a.width + x);
      const std::uint32_t p = a.rgba[at], q = b.rgba[at];
      sum_a += p;
      sum_b += q;
      squares_a += p * p;
      squares_b += q * q;
      products += p * q;
    }
  constexpr double c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255;
  const double n = static_cast<double>(width * height), mean_a = sum_a / n, mean_b = sum_b / n;
  const double variances = squares_a / n - mean_a * mean_a + squares_b / n - mean_b * mean_b, covariance = products / n - mean_a * mean_b;
  return (2 * mean_a * mean_b + c1) * (2 * covariance + c2) / ((mean_a * mean_a + mean_b * mean_b + c1) * (variances + c2));
}

}  // namespace

double PictureError::worst_channel() const { return *std::min_element(of_channel.begin(), of_channel.begin() + channels); }

PictureError picture_error(const Pixels& a, const Pixels& b) {
  std::array<std::uint64_t, 4> squares{};
  for (std::size_t i = 0; i < a.rgba.size(); ++i) {
    const int difference = a.rgba[i] - b.rgba[i];
    squares[i % 4] += static_cast<std::uint64_t>(difference * difference);
  }
  PictureError error;
  error.channels = channels_that_count(a, b);
  const auto count = static_cast<double>(a.width * a.height);
  double all = 0;
  for (std::size_t c = 0; c < error.channels; ++c) {
    error.of_channel[c] = decibels(static_cast<double>(squares[c]), count);
    all += static_cast<double>(squares[c]);
  }
  error.psnr = decibels(all, count * static_cast<double>(error.channels));
  return error;
}

double picture_similarity(const Pixels& a, const Pixels& b) {
  constexpr std::size_t side = 8, step = 4;
  const std::size_t width = std::min(side, a.width), height = std::min(side, a.height), channels = channels_that_count(a, b);
  double sum = 0;
  std::size_t windows = 0;
  for (std::size_t y = 0; y + height <= a.height; y += step)
    for (std::size_t x = 0; x + width <= a.width; x += step)
      for (std::size_t c = 0; c < channels; ++c, ++windows) sum += window_similarity(a, b, 4 * (y * a.width + x) + c, width, height);
  return sum / static_cast<double>(windows);
}

}  // namespace sinew::operations

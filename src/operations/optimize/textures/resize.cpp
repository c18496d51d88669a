// SPDX-License-Identifier: MIT
#include "operations/optimize/textures/resize.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/deadline.hpp"

namespace sinew::operations {

namespace {

using codecs::Pixels;

double light_of(double stored) { return stored <= 0.04045 ? stored / 12.92 : std::pow((stored + 0.055) / 1.055, 2.4); }
double stored_of(double light) { return light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055; }

std::uint8_t byte_of(double value) { return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255)); }

/// The part of a source pixel that lies in the area of a new one.
struct Share {
  std::size_t pixel = 0;
  double weight = 0;
};

/// For each new pixel along a side, the source pixels that it covers.
std::vector<std::vector<Share>> shares(std::size_t from, std::size_t to) {
  std::vector<std::vector<Share>> all(to);
  const double step = static_cast<double>(from) / static_cast<double>(to);
  for (std::size_t i = 0; i < to; ++i) {
    const double begin = step * static_cast<double>(i), end = step * static_cast<double>(i + 1);
    for (auto pixel = static_cast<std::size_t>(begin); pixel < from && static_cast<double>(pixel) < end; ++pixel) {
      const double covered = std::min(end, static_cast<double>(pixel + 1)) - std::max(begin, static_cast<double>(pixel));
      if (covered > 1e-9 * step) all[i].push_back({pixel, covered / step});
    }
  }
  return all;
}

/// Sums of the channels, by area; `weighted`: those of the colours by area and opacity.
struct Sum {
  std::array<double, 4> plain{};
  std::array<double, 3> weighted{};
};

std::array<std::uint8_t, 4> pixel_of(const Sum& sum, TextureContent content) {
  std::array<double, 4> value = sum.plain;
  if (content == TextureContent::blended && sum.plain[3] > 0)
    for (std::size_t c = 0; c < 3; ++c) value[c] = sum.weighted[c] / sum.plain[3];
  if (content == TextureContent::color || content == TextureContent::blended)
    for (std::size_t c = 0; c < 3; ++c) value[c] = stored_of(value[c]);
  if (content == TextureContent::normal) {
    constexpr double nothing = 1e-3;  // opposite directions leave no direction
    double squares = 0;
    for (std::size_t c = 0; c < 3; ++c) squares += (2 * value[c] - 1) * (2 * value[c] - 1);
    if (const double length = std::sqrt(squares); length > nothing)
      for (std::size_t c = 0; c < 3; ++c) value[c] = ((2 * value[c] - 1) / length + 1) / 2;
  }
  return {byte_of(value[0]), byte_of(value[1]), byte_of(value[2]), byte_of(value[3])};
}

}  // namespace

Pixels resized(const Pixels& pixels, std::size_t most, TextureContent content) {
  const std::size_t larger = std::max(pixels.width, pixels.height);
  const auto scaled = [&](std::size_t side) {
    return std::max<std::size_t>(1, (2 * side * most + larger) / (2 * larger));  // rounded
  };
  Pixels made{scaled(pixels.width), scaled(pixels.height), {}};
  made.rgba.resize(4 * made.width * made.height);
  const bool is_color = content == TextureContent::color || content == TextureContent::blended;
  std::array<double, 256> meaning{};
  for (std::size_t i = 0; i < 256; ++i) meaning[i] = is_color ? light_of(static_cast<double>(i) / 255) : static_cast<double>(i) / 255;
  const auto columns = shares(pixels.width, made.width), rows = shares(pixels.height, made.height);
  std::vector<Sum> line(made.width);
  for (std::size_t y = 0; y < made.height; ++y) {
    ask_deadline();
    std::ranges::fill(line, Sum());
    for (const auto& [row, height] : rows[y])
      for (std::size_t x = 0; x < made.width; ++x)
        for (const auto& [column, width] : columns[x]) {
          const std::uint8_t* const from = pixels.rgba.data() + 4 * (row * pixels.width + column);
          const double weight = height * width, opacity = from[3] / 255.0;
          for (std::size_t c = 0; c < 3; ++c) {
            line[x].plain[c] += weight * meaning[from[c]];
            line[x].weighted[c] += weight * opacity * meaning[from[c]];
          }
          line[x].plain[3] += weight * opacity;
        }
    for (std::size_t x = 0; x < made.width; ++x) std::ranges::copy(pixel_of(line[x], content), made.rgba.data() + 4 * (y * made.width + x));
  }
  return made;
}

}  // namespace sinew::operations

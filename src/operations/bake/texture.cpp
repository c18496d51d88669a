// SPDX-License-Identifier: MIT
#include "operations/bake/texture.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew::operations {

namespace {

constexpr int fraction_bits = 10, least_exponent = -14, bias = 15;

std::uint16_t bits_of_half(double value) {
  const double size = std::abs(value);
  const int exponent = size == 0 ? least_exponent : std::max(std::ilogb(size), least_exponent);
  const double steps = std::nearbyint(std::ldexp(size, fraction_bits - exponent));
  const int bits = (exponent + bias - 1) * (1 << fraction_bits) + static_cast<int>(steps);  // rounding up may raise the exponent
  return static_cast<std::uint16_t>(bits | (std::signbit(value) ? 0x8000 : 0));
}

double value_of_half(std::uint16_t bits) {
  const int exponent = bits >> fraction_bits & 0x1f, fraction = bits & 0x3ff;
  const double size = exponent == 0 ? std::ldexp(fraction, least_exponent - fraction_bits)
                                    : std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return (bits & 0x8000) != 0 ? -size : size;
}

double steps_of(TexelFormat format) { return format == TexelFormat::png8 ? 255 : 65535; }

}  // namespace

std::uint16_t stored_texel(TexelFormat format, double value) {
  if (format == TexelFormat::exr) return bits_of_half(value);
  return static_cast<std::uint16_t>(std::lround(std::clamp(value, 0.0, 1.0) * steps_of(format)));
}

double value_of_texel(TexelFormat format, std::uint16_t stored) {
  return format == TexelFormat::exr ? value_of_half(stored) : stored / steps_of(format);
}

std::string_view texture_extension(TexelFormat format) { return format == TexelFormat::exr ? ".exr" : ".png"; }

Result<> check_texture_format(TexelFormat format) { return format == TexelFormat::exr ? check_exr() : check_png(); }

Result<std::unique_ptr<TextureWriter>> write_texture(const TextureSize& size, document::OutputFile file) {
  return size.format == TexelFormat::exr ? write_exr(size, std::move(file)) : write_png(size, std::move(file));
}

}  // namespace sinew::operations

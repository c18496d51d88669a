// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sinew::gltf::test {

using Bytes = std::vector<std::uint8_t>;

/// Which mode all channels have (KHR_meshopt_compression, version 1), with the rotation of mode 2 in the high bits.
struct StreamOptions {
  unsigned version = 1;
  unsigned mode = 0;
};

/// The difference between two elements of a channel, as a stream stores it.
inline std::uint32_t stored_difference(std::uint32_t value, std::uint32_t before, unsigned mode) {
  if ((mode & 15) == 2) return std::rotl(value ^ before, static_cast<int>(mode >> 4));
  const unsigned bits = mode == 1 ? 16 : 8;
  std::uint32_t stored = 0;
  for (unsigned shift = 0; shift < 32; shift += bits) {
    const std::uint32_t mask = (1u << bits) - 1, difference = ((value >> shift) - (before >> shift)) & mask;
    stored |= ((difference << 1 ^ (difference >> (bits - 1) ? mask : 0)) & mask) << shift;
  }
  return stored;
}

/// A stream of mode ATTRIBUTES that packs nothing.
inline Bytes encode_attributes(std::span<const std::uint8_t> data, std::size_t stride, const StreamOptions& options = {}) {
  const std::size_t count = data.size() / stride, block = std::min<std::size_t>(8192 / stride / 16 * 16, 256);
  const auto element = [&](std::size_t i, std::size_t channel) {
    std::uint32_t value = 0;
    std::memcpy(&value, &data[i * stride + 4 * channel], 4);
    return value;
  };
  Bytes stream = {static_cast<std::uint8_t>(0xa0 + options.version)};
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t here = std::min(block, count - first), groups = (here + 15) / 16;
    if (options.version == 1) stream.insert(stream.end(), stride / 4, 0xff);  // all planes are literal
    for (std::size_t k = 0; k < stride; ++k) {
      if (options.version == 0) stream.insert(stream.end(), (groups + 3) / 4, 0xff);  // all groups have 8 bits
      for (std::size_t i = first; i < first + here; ++i) {
        const std::uint32_t before = i == 0 ? 0 : element(i - 1, k / 4);
        stream.push_back(static_cast<std::uint8_t>(stored_difference(element(i, k / 4), before, options.mode) >> k % 4 * 8));
      }
      if (options.version == 0) stream.insert(stream.end(), groups * 16 - here, 0);
    }
  }
  const std::size_t modes = options.version * stride / 4, least = options.version == 1 ? 24 : 32;
  stream.insert(stream.end(), std::max(stride + modes, least) - modes, 0);  // padding, and a baseline of zeros
  stream.insert(stream.end(), modes, static_cast<std::uint8_t>(options.mode));
  return stream;
}

}  // namespace sinew::gltf::test

// SPDX-License-Identifier: MIT
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sinew::codecs {

// PNG (W3C, second edition): a signature, then chunks: length, type, data and CRC-32, big-endian.
using PngBytes = std::vector<std::byte>;

inline void add_u32(PngBytes& to, std::uint32_t value) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) to.push_back(static_cast<std::byte>(value >> shift & 0xffU));
}

inline void add_text(PngBytes& to, std::string_view text) {
  for (const char c : text) to.push_back(static_cast<std::byte>(c));
}

inline void add_chunk(PngBytes& to, std::string_view type, std::span<const std::byte> data) {
  add_u32(to, static_cast<std::uint32_t>(data.size()));
  const std::size_t first = to.size();
  add_text(to, type);
  to.insert(to.end(), data.begin(), data.end());
  const auto* const covered = reinterpret_cast<const Bytef*>(to.data() + first);
  add_u32(to, static_cast<std::uint32_t>(crc32_z(0, covered, to.size() - first)));
}

/// The size, and how pixels are stored: bits of a channel, and the colour type (0: grey, 2: colours, 3: palette, 4 and 6: with opacity).
struct PngHeader {
  std::size_t width = 0, height = 0;
  unsigned bits = 8, type = 6;
};

/// Adds what comes before all other chunks.
inline void add_png_head(PngBytes& file, const PngHeader& header) {
  add_text(file, std::string_view("\x89PNG\r\n\x1a\n", 8));
  PngBytes data;
  add_u32(data, static_cast<std::uint32_t>(header.width));
  add_u32(data, static_cast<std::uint32_t>(header.height));
  for (const unsigned value : {header.bits, header.type, 0U, 0U, 0U}) data.push_back(static_cast<std::byte>(value));
  add_chunk(file, "IHDR", data);
}

/// Makes a file. `before`: chunks before the pixels. `packed`: the compressed rows.
[[nodiscard]] inline PngBytes png_file(const PngHeader& header, std::span<const std::byte> before, std::span<const std::byte> packed) {
  PngBytes file;
  file.reserve(packed.size() + before.size() + 100);
  add_png_head(file, header);
  file.insert(file.end(), before.begin(), before.end());
  constexpr std::size_t most = std::size_t{1} << 30;  // of a chunk: less than 2³¹
  for (std::size_t first = 0; first < packed.size(); first += most)
    add_chunk(file, "IDAT", packed.subspan(first, std::min(most, packed.size() - first)));
  add_chunk(file, "IEND", {});
  return file;
}

}  // namespace sinew::codecs

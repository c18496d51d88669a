// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_ZLIB
#include <zlib.h>
#endif

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/catalogue.hpp"
#include "operations/bake/texture.hpp"

namespace sinew::operations {

#ifdef SINEW_USE_ZLIB

namespace {

// PNG (W3C, second edition): a signature, then chunks: length, type, data and CRC-32, big-endian.
using PngBytes = std::vector<std::byte>;

void add_u32(PngBytes& to, std::uint32_t value) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) to.push_back(static_cast<std::byte>(value >> shift & 0xffU));
}

void add_text(PngBytes& to, std::string_view text) {
  for (const char c : text) to.push_back(static_cast<std::byte>(c));
}

void add_chunk(PngBytes& to, std::string_view type, std::span<const std::byte> data) {
  add_u32(to, static_cast<std::uint32_t>(data.size()));
  const std::size_t first = to.size();
  add_text(to, type);
  to.insert(to.end(), data.begin(), data.end());
  const auto* const covered = reinterpret_cast<const Bytef*>(to.data() + first);
  add_u32(to, static_cast<std::uint32_t>(crc32_z(0, covered, to.size() - first)));
}

/// Returns the rows with the filter Up, the difference to the row above: vertices move little from frame to frame.
PngBytes filtered_rows(const Texture& texture, std::size_t bytes_of_value) {
  constexpr std::byte up{2};
  const std::size_t row_bytes = texture.width * 3 * bytes_of_value;
  PngBytes rows;
  rows.reserve(texture.height * (row_bytes + 1));
  std::vector<std::uint8_t> above(row_bytes), row(row_bytes);
  for (std::size_t y = 0; y < texture.height; ++y) {
    rows.push_back(up);
    for (std::size_t i = 0; i < texture.width * 3; ++i) {
      const std::uint16_t value = texture.values[y * texture.width * 3 + i];
      if (bytes_of_value == 2) row[i * 2] = static_cast<std::uint8_t>(value >> 8U);
      row[(i + 1) * bytes_of_value - 1] = static_cast<std::uint8_t>(value & 0xffU);
    }
    for (std::size_t i = 0; i < row_bytes; ++i) rows.push_back(static_cast<std::byte>((row[i] - above[i]) & 0xff));
    row.swap(above);
  }
  return rows;
}

}  // namespace

Result<> check_png() { return {}; }

Result<std::vector<std::byte>> encode_png(const Texture& texture) {
  const std::size_t bytes_of_value = texture.format == TexelFormat::png8 ? 1 : 2;
  const PngBytes rows = filtered_rows(texture, bytes_of_value);
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  PngBytes packed(size);
  if (compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
               static_cast<uLong>(rows.size())) != Z_OK)
    return Unexpected(error("SINEW_NO_MEMORY"_code, Failure::limit, {}));
  packed.resize(size);
  PngBytes file;
  file.reserve(size + 100);
  add_text(file, std::string_view("\x89PNG\r\n\x1a\n", 8));
  PngBytes header;
  add_u32(header, static_cast<std::uint32_t>(texture.width));
  add_u32(header, static_cast<std::uint32_t>(texture.height));
  for (const unsigned value : {static_cast<unsigned>(8 * bytes_of_value), 2U, 0U, 0U, 0U}) header.push_back(static_cast<std::byte>(value));
  add_chunk(file, "IHDR", header);
  constexpr std::size_t most = std::size_t{1} << 30;  // of a chunk: less than 2³¹
  for (std::size_t first = 0; first < packed.size(); first += most)
    add_chunk(file, "IDAT", std::span(packed).subspan(first, std::min(most, packed.size() - first)));
  add_chunk(file, "IEND", {});
  return file;
}

#else

Result<> check_png() { return Unexpected(error("SINEW_LEFT_OUT"_code, Failure::unsupported, {}, "PNG textures", "SINEW_ZLIB")); }
Result<std::vector<std::byte>> encode_png(const Texture& /*texture*/) { return std::vector<std::byte>(); }

#endif

}  // namespace sinew::operations

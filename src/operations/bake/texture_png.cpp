// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_ZLIB
#include <zlib.h>

#include "codecs/png_chunks.hpp"
#endif

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/catalogue.hpp"
#include "operations/bake/texture.hpp"

namespace sinew::operations {

#ifdef SINEW_USE_ZLIB

namespace {

using codecs::PngBytes;

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
  return codecs::png_file({texture.width, texture.height, static_cast<unsigned>(8 * bytes_of_value), 2}, {}, packed);
}

#else

Result<> check_png() { return Unexpected(error("SINEW_LEFT_OUT"_code, Failure::unsupported, {}, "PNG textures", "SINEW_ZLIB")); }
Result<std::vector<std::byte>> encode_png(const Texture& /*texture*/) { return std::vector<std::byte>(); }

#endif

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// What becomes of content beyond the bytes that are wanted.
enum class Surplus : std::uint8_t {
  refuse,  ///< Failure::limit SINEW_ZSTD_TOO_LARGE
  drop     ///< it is not decompressed
};

struct Decompressed {
  Bytes bytes;
  bool surplus = false;  ///< whether content was dropped; what follows it was not looked at then
};

/// Whether `data` starts as a Zstandard frame does: 28 B5 2F FD.
[[nodiscard]] bool is_zstd_frame(std::span<const std::byte> data);

/// Bytes in hexadecimal with spaces between them, for messages; "nothing" for none.
[[nodiscard]] std::string hex(std::span<const std::byte> bytes);

/// Decompresses one complete Zstandard frame (RFC 8878) of at most `most` bytes. No more than that is allocated for the content, and
/// what the frame says of its size is checked first, so a bomb costs nothing. Errors (Failure::input): no frame magic, an invalid or
/// unfinished frame, anything behind the frame.
[[nodiscard]] Result<Decompressed> zstd_decompress(std::span<const std::byte> data, std::uint64_t most, Surplus surplus = Surplus::refuse);

/// One frame with its content's size and checksum. Level and parameters are fixed: equal bytes give equal frames with one libzstd.
[[nodiscard]] Result<std::vector<std::byte>> zstd_compress(std::span<const std::byte> data);

}  // namespace sinew::document

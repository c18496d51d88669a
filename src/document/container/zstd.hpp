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

/// What to do with content beyond the wanted bytes.
enum class Surplus : std::uint8_t {
  refuse,  ///< Failure::limit SINEW_ZSTD_TOO_LARGE
  drop     ///< do not decompress it
};

struct Decompressed {
  Bytes bytes;
  bool surplus = false;  ///< content was dropped; what follows it was not checked
};

/// Returns whether `data` starts with the magic of a Zstandard frame: 28 B5 2F FD.
[[nodiscard]] bool is_zstd_frame(std::span<const std::byte> data);

/// Returns bytes in hexadecimal, separated by spaces, for messages; "nothing" for none.
[[nodiscard]] std::string hex(std::span<const std::byte> bytes);

/// Decompresses one complete Zstandard frame (RFC 8878) of at most `most` bytes. Allocates no more than that for the content and checks the
/// declared size first, so a bomb costs nothing. Errors (Failure::input): no magic, an invalid or incomplete frame, more data.
[[nodiscard]] Result<Decompressed> zstd_decompress(std::span<const std::byte> data, std::uint64_t most, Surplus surplus = Surplus::refuse,
                                                   MemoryResource* memory = nullptr);

/// Compresses to one frame with content size and checksum. Parameters are fixed: with one libzstd, equal bytes give equal frames.
[[nodiscard]] Result<std::vector<std::byte>> zstd_compress(std::span<const std::byte> data);

}  // namespace sinew::document

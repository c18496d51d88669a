// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// Receives a file piece by piece, so that buffers are not copied. Usually OutputFile::write.
using ByteSink = std::function<Result<>(std::span<const std::byte>)>;

/// A chunk of a G4B file to write, with its bytes as stored.
struct StoredChunk {
  std::span<const std::byte> data;
  std::uint32_t compression = Chunk::uncompressed;
  std::uint32_t type = Chunk::blob;
};

/// Writes binary glTF 2.0, without a binary chunk if `binary` is empty. Failure::unsupported above the format's limit of 4 GiB.
[[nodiscard]] Result<> write_glb(std::string_view json, std::span<const std::byte> binary, const ByteSink& out);

/// Writes binary G4MF: the uncompressed JSON chunk, then `chunks` in order. Chunk headers start at multiples of 16. The padding is spaces
/// after the JSON chunk and zeros after others; there is none after the last chunk.
[[nodiscard]] Result<> write_g4b(std::string_view json, std::span<const StoredChunk> chunks, const ByteSink& out);

}  // namespace sinew::document

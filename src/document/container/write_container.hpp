// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// Takes a file piece by piece, so that buffers are not copied: usually OutputFile::write.
using ByteSink = std::function<Result<>(std::span<const std::byte>)>;

/// A chunk of a G4B file to be written: its bytes as they are stored.
struct StoredChunk {
  std::span<const std::byte> data;
  std::uint32_t compression = Chunk::uncompressed;
  std::uint32_t type = Chunk::blob;
};

/// Binary glTF 2.0; without a binary chunk where `binary` is empty. Failure::unsupported above its limit of 4 GiB.
[[nodiscard]] Result<> write_glb(std::string_view json, std::span<const std::byte> binary, const ByteSink& out);

/// Binary G4MF: the JSON chunk, uncompressed, then `chunks` in order. Chunk headers start at multiples of 16; what is between is spaces
/// after the JSON chunk and zeros after others, nothing after the last one.
[[nodiscard]] Result<> write_g4b(std::string_view json, std::span<const StoredChunk> chunks, const ByteSink& out);

}  // namespace sinew::document

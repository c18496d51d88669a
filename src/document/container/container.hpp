// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// What a container holds, not yet parsed.
struct Contents {
  std::string_view json;
  std::optional<std::uint64_t> json_offset = 0;  ///< of the text in the container; nothing where it was decompressed
  Bytes decompressed_json;                       ///< what `json` views then
  std::vector<Bytes> chunks;                     ///< GLB: the binary chunk
  std::vector<Chunk> chunk_list;                 ///< G4B: all chunks
  std::optional<Finding> cut;                    ///< GLB: the file ends before the container does
};

/// By the first bytes; where they say nothing, by the extension of `path`. One file per container reads it: glb.cpp.
[[nodiscard]] Container detect(std::span<const std::byte> bytes, const std::filesystem::path& path);

/// What the extension promises: .glb and .vrm are GLB, .g4b is G4B, all else is JSON.
[[nodiscard]] Container container_of(const std::filesystem::path& path);

/// Why a file that is taken for JSON text is another thing, which its first bytes or its extension tell; nothing where it may be text.
[[nodiscard]] std::optional<Error> foreign(std::span<const std::byte> bytes, const std::filesystem::path& path);

/// Binary glTF (glTF 2.0, "GLB File Format Specification"). What is out of order but can be told apart is a finding; an error is
/// returned where no JSON text is left, and is in `sink` too.
[[nodiscard]] Result<Contents> read_glb(const Bytes& file, FindingSink& sink);

/// Binary G4MF (draft, version 0; "Binary file format"). As read_glb: what can be told apart is a finding, an error is returned where no
/// JSON text is left. The first chunk of type JSON holds the text wherever it stands, decompressed where it is a Zstandard frame
/// (bounded by Limits::json_size and Limits::memory). Findings are those that hold for every revision.
[[nodiscard]] Result<Contents> read_g4b(const Bytes& file, const Limits& limits, FindingSink& sink);

/// What the revisions up to 2026-01 add: the JSON chunk is the first one, and normally not compressed.
void check_g4b_json_chunk(std::span<const Chunk> chunks, FindingSink& sink);

}  // namespace sinew::document

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

/// The parts of a container, not parsed.
struct Contents {
  std::string_view json;
  std::optional<std::uint64_t> json_offset = 0;  ///< position of the text in the container; nothing if it was decompressed
  Bytes decompressed_json;                       ///< owner of `json` in that case
  std::vector<Bytes> chunks;                     ///< GLB: the binary chunk
  std::vector<Chunk> chunk_list;                 ///< G4B: all chunks
  std::optional<Finding> cut;                    ///< GLB: the file ends before the container does
};

/// Detects the container by the first bytes, or by the extension of `path` if they do not decide.
[[nodiscard]] Container detect(std::span<const std::byte> bytes, const std::filesystem::path& path);

/// Returns the container for an extension: .glb and .vrm are GLB, .g4b is G4B, everything else is JSON.
[[nodiscard]] Container container_of(const std::filesystem::path& path);

/// Returns why a file is no JSON text, judged by its first bytes or its extension; nothing if it may be text.
[[nodiscard]] std::optional<Error> foreign(std::span<const std::byte> bytes, const std::filesystem::path& path);

/// Reads binary glTF (glTF 2.0, "GLB File Format Specification"). Violations that leave the chunks readable are findings. If there is no
/// JSON text, the error is returned and is also in `sink`.
[[nodiscard]] Result<Contents> read_glb(const Bytes& file, FindingSink& sink);

/// Reads binary G4MF (draft, version 0; "Binary file format"), with findings and errors as in read_glb. The text is the first chunk of type
/// JSON, wherever it is; it is decompressed if it is a Zstandard frame (up to Limits::json_size and Limits::memory). Reports only rules of
/// every revision.
[[nodiscard]] Result<Contents> read_g4b(const Bytes& file, const OpenOptions& options, FindingSink& sink);

/// Checks an additional rule of revisions up to 2026-01: the JSON chunk is the first one, and normally not compressed.
void check_g4b_json_chunk(std::span<const Chunk> chunks, FindingSink& sink);

}  // namespace sinew::document

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// Opens a file in memory. Messages use `path`; relative URIs start at its folder ("-": they are refused).
[[nodiscard]] Result<std::shared_ptr<const Document>> from_bytes(Bytes file, const std::filesystem::path& path, const OpenOptions& options,
                                                                 FindingSink& sink);

/// Makes a G4MF document like `document` with another JSON text and additional chunks, which buffers refer to by `chunk`. Path and limits
/// stay. The container is G4B; if `document` was a text, chunk 0 is a placeholder for the text. Findings about the new text are dropped,
/// because the text was just written.
[[nodiscard]] Result<std::shared_ptr<const Document>> with_text(const Document& document, std::string text, std::span<const Bytes> blobs);

/// Does the same with `chunks` instead of those of `document`, including the one of the text. Precondition: there is one.
[[nodiscard]] Result<std::shared_ptr<const Document>> with_chunks(const Document& document, std::string text, std::vector<Chunk> chunks);

/// Makes a glTF document like `document` with another JSON text and, if `binary` is given, another binary chunk: the container is then GLB.
/// Otherwise as above.
[[nodiscard]] Result<std::shared_ptr<const Document>> with_binary(const Document& document, std::string text, std::optional<Bytes> binary);

/// Makes a document without a file. `path` and `options` are used as if it was read from there.
[[nodiscard]] Result<std::shared_ptr<const Document>> from_text(const std::filesystem::path& path, std::string text, Container container,
                                                                const OpenOptions& options);

}  // namespace sinew::document

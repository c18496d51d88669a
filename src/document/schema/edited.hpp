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

/// A G4MF document as if it stood in the file of `document` with another JSON text and more chunks behind its own, which buffers name by
/// `chunk`: relative URIs and the limits stay. Its container is G4B; chunk 0 of what was a text stands for that text. Findings about the
/// new text are not given to anybody: it is to be one that was just written.
[[nodiscard]] Result<std::shared_ptr<const Document>> with_text(const Document& document, std::string text, std::span<const Bytes> blobs);

/// The same with all its chunks, the one of the text included, in place of those that `document` has. Precondition: there is one.
[[nodiscard]] Result<std::shared_ptr<const Document>> with_chunks(const Document& document, std::string text, std::vector<Chunk> chunks);

/// A glTF document as if it stood in the file of `document` with another JSON text and, where `binary` is given, another binary chunk: its
/// container is GLB then, else what it was. Otherwise as above.
[[nodiscard]] Result<std::shared_ptr<const Document>> with_binary(const Document& document, std::string text, std::optional<Bytes> binary);

/// A document with nothing behind it that stands, as it were, in the file `path`; it is read with `options`.
[[nodiscard]] Result<std::shared_ptr<const Document>> from_text(const std::filesystem::path& path, std::string text, Container container,
                                                                const OpenOptions& options);

}  // namespace sinew::document

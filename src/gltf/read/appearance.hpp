// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "gltf/schema/source.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

/// io::appearance of a material of glTF.
/// The file of an image: what its URI or its buffer view holds, not decoded.
[[nodiscard]] Result<document::Bytes> image_bytes(const document::Document& document, document::JsonValue image);

[[nodiscard]] Appearance read_appearance(const Source& source, SourceId material, std::optional<Error>& note);

/// io::faces_back of glTF.
[[nodiscard]] bool faces_back(const Source& source);

}  // namespace sinew::gltf

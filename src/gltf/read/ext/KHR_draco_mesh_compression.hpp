// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "gltf/read/accessors.hpp"

namespace sinew::gltf::draco {

/// The triangles of a compressed primitive.
struct Decoded;

/// Decodes the bytes of the extension object `value`. `corners`: the count of the primitive's index accessor, if it has one; another count
/// is reported.
[[nodiscard]] Checked<std::shared_ptr<const Decoded>> decode(Reader& reader, Buffers& buffers, JsonValue value,
                                                             std::optional<std::uint64_t> corners);

/// Returns the number of vertices of the compressed geometry.
[[nodiscard]] std::size_t vertices(const Decoded& decoded);

/// Returns the values of the attribute with this `id` in the extension's `attributes`, in the accessor's format, one per vertex.
[[nodiscard]] Checked<Array> attribute(Reader& reader, const Decoded& decoded, JsonValue id, const AccessorFormat& format);

/// Returns the corners of the triangles, each below the number of vertices.
[[nodiscard]] Checked<Array> indices(Reader& reader, const Decoded& decoded, JsonValue at);

}  // namespace sinew::gltf::draco

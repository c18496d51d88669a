// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "gltf/read/accessors.hpp"

namespace sinew::gltf::draco {

/// One compressed primitive's triangles.
struct Decoded;

/// Decodes the bytes that the extension's object `value` names. `corners`: what the accessor of the primitive's indices says, if there is
/// one.
[[nodiscard]] Checked<std::shared_ptr<const Decoded>> decode(Reader& reader, Buffers& buffers, JsonValue value,
                                                             std::optional<std::uint64_t> corners);

/// The values of the attribute that the extension's `attributes` names by `id`, in the accessor's format and count.
[[nodiscard]] Checked<Array> attribute(Reader& reader, const Decoded& decoded, JsonValue id, const AccessorFormat& format);

/// The triangles' corners, each below the number of vertices.
[[nodiscard]] Checked<Array> indices(Reader& reader, const Decoded& decoded, JsonValue at);

}  // namespace sinew::gltf::draco

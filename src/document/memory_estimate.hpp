// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "document/schema/reader.hpp"

namespace sinew::document {

/// Takes the memory that the entities of a document will need at most beside their arrays: nodes, meshes, surfaces, targets, channels and
/// the like. An empty node is three bytes of JSON, but a kilobyte and its matrices in memory.
[[nodiscard]] Checked<> take_entities(Reader& reader, std::size_t dimension);

/// The same for the joints that a skin lists: two bytes of JSON each, but matrices in memory.
[[nodiscard]] Checked<> take_joints(Reader& reader, JsonValue at, std::uint64_t count, std::size_t dimension);

}  // namespace sinew::document

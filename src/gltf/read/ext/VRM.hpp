// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/reader.hpp"

namespace sinew::gltf {

/// Reads Model::avatar: VRM 1.0, or else VRM 0.x, or else VRM Animation, or else KHR_character; and springs and the constraints of nodes.
/// Leaves out what is broken. Precondition: nodes, meshes and clips are read.
void read_avatar(Reader& reader);

/// The parts of read_avatar. They return whether the file has the format.
[[nodiscard]] bool read_vrm0(Reader& reader);
[[nodiscard]] bool read_vrm1(Reader& reader);
[[nodiscard]] bool read_vrm_animation(Reader& reader);
[[nodiscard]] bool read_character(Reader& reader);
void read_springs(Reader& reader);  ///< of VRM 1.0; also of files that have no other part of it
void read_constraints(Reader& reader);

/// Adds a bone of the humanoid; the first one of a name counts.
void add_bone(Reader& reader, std::string name, JsonValue node);
/// Reads how far an avatar looks. `usual`: the output without a value.
[[nodiscard]] LookAt::Range range_in(JsonValue value, std::string_view input, std::string_view output, double usual);
/// Appends the strings of a list.
void add_texts(std::vector<std::string>& texts, JsonValue list);
/// Returns the indices in a list that are below `count`.
[[nodiscard]] std::vector<Index> indices_below(JsonValue list, std::size_t count);

}  // namespace sinew::gltf

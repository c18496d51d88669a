// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "g4mf/read/accessors.hpp"

namespace sinew::g4mf {

// The rules that keep reading from nothing, noun by noun. They are checked after the model has been read.

/// Names, extensions, the asset, entries of arrays that equal each other.
void check_items(Reading& reading);
/// What is carried and not read: cameras, lights, physics, shapes, model instances, file references, textures.
void check_carried(Reading& reading);
/// Sizes of textures against those of their images.
void check_textures(Reading& reading, Buffers& buffers);
/// What nothing uses, buffer views of several kinds of data, accessors whose numbers cannot be used as they are.
void check_use(Reading& reading, Accessors& accessors);
void check_nodes(Reading& reading);
/// The data of meshes: simplexes, normals, texture maps, topology.
void check_meshes(Reading& reading);
void check_blend(Reading& reading, Accessors& accessors);
/// Group names, skeletons and their joints.
void check_rigs(Reading& reading);
/// Channels of materials, and texture maps against the textures that they are used with.
void check_materials(Reading& reading, Accessors& accessors);

/// What is wrong with a value by a table, and with the objects in it; and indices of theirs that lead nowhere.
void check_tree(Reading& reading, JsonValue value, const document::Table& table);

/// A text that two JSON values share if they are equal: members sorted, numbers as numbers.
[[nodiscard]] std::string canonical(JsonValue value);

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "g4mf/read/accessors.hpp"

namespace sinew::g4mf {

// The rules that keep reading from nothing, noun by noun. They are checked after the model has been read.

/// Properties that no table lists.
void check_properties(Reading& reading);
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
/// Weights and group names of skinned meshes.
void check_skins(Reading& reading, Accessors& accessors);
/// Bones, and the lists of joints by themselves.
void check_skeletons(Reading& reading);
/// Skeletons and the meshes that they move.
void check_rigs(Reading& reading);
/// Channels of materials, and texture maps against the textures that they are used with.
void check_materials(Reading& reading, Accessors& accessors);

/// What is wrong with a value by a table, and with the objects in it; and indices of theirs that lead nowhere.
void check_tree(Reading& reading, JsonValue value, const document::Table& table);

/// Amounts of blend shapes that exaggerate or invert.
template <Code usual>
void check_amounts(Reading& reading, JsonValue amounts) {
  for (const JsonValue value : amounts.elements())
    if (const double amount = value.number().value_or(0); !(amount >= 0 && amount <= 1))
      reading.report<usual>(value, document::excerpt(value));
}

/// A text that two JSON values share if they are equal: members sorted, numbers as numbers.
[[nodiscard]] std::string canonical(JsonValue value);

}  // namespace sinew::g4mf

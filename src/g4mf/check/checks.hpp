// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "g4mf/schema/data/accessors.hpp"
#include "g4mf/schema/data/reader.hpp"

namespace sinew::g4mf {

// The rules that keep reading from nothing, noun by noun. They are checked after the model has been read.

/// Properties that no table lists.
void check_properties(Reader& reader);
/// Names, extensions, the asset, entries of arrays that equal each other.
void check_items(Reader& reader);
/// What is carried and not read: cameras, lights, physics, shapes, model instances, file references, textures.
void check_carried(Reader& reader);
/// Sizes of textures against those of their images.
void check_textures(Reader& reader, Buffers& buffers);
/// What nothing uses, buffer views of several kinds of data, accessors whose numbers cannot be used as they are.
void check_use(Reader& reader, Accessors& accessors);
void check_nodes(Reader& reader);
/// The data of meshes: simplexes, normals, texture maps, topology.
void check_meshes(Reader& reader);
void check_blend(Reader& reader, Accessors& accessors);
/// Weights and group names of skinned meshes.
void check_skins(Reader& reader, Accessors& accessors);
/// Bones, and the lists of joints by themselves.
void check_skeletons(Reader& reader);
/// Skeletons and the meshes that they move.
void check_rigs(Reader& reader);
/// Channels of materials, and texture maps against the textures that they are used with.
void check_materials(Reader& reader, Accessors& accessors);

/// What is wrong with a value by a table, and with the objects in it; and indices of theirs that lead nowhere.
void check_tree(Reader& reader, JsonValue value, const document::Table& table);

/// Amounts of blend shapes that exaggerate or invert.
template <Code usual>
void check_amounts(Reader& reader, JsonValue amounts) {
  for (const JsonValue value : amounts.elements())
    if (const double amount = value.number().value_or(0); !(amount >= 0 && amount <= 1))
      reader.report<usual>(value, document::excerpt(value));
}

/// A text that two JSON values share if they are equal: members sorted, numbers as numbers.
[[nodiscard]] std::string canonical(JsonValue value);

/// Whether the items of a surface's topology are closed and flat, and begin as their orientation needs it (2026-01 and later). `geometry`
/// is the list of tiers. The surface has no defect.
void check_topology(Reader& reader, JsonValue geometry, const Mesh& mesh, const Surface& surface);

}  // namespace sinew::g4mf

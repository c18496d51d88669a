// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "g4mf/schema/data/accessors.hpp"
#include "g4mf/schema/data/reader.hpp"

namespace sinew::g4mf {

// Rules whose violation does not prevent reading, by kind of object. They are checked after the model is read.

void check_properties(Reader& reader);
/// Checks names, extensions, the asset, and equal elements of arrays.
void check_items(Reader& reader);
/// Checks objects that the model does not contain: cameras, lights, physics, shapes, model instances, file references, textures.
void check_carried(Reader& reader);
/// Checks the sizes of textures against those of their images.
void check_textures(Reader& reader, Buffers& buffers);
/// Reports unused objects, buffer views with several kinds of data, and accessors whose numbers cannot be represented exactly.
void check_use(Reader& reader, Accessors& accessors);
void check_nodes(Reader& reader);
/// Checks the data of meshes: simplexes, normals, texture maps, topology.
void check_meshes(Reader& reader);
void check_blend(Reader& reader, Accessors& accessors);
/// Checks the weights and group names of skinned meshes.
void check_skins(Reader& reader, Accessors& accessors);
void check_skeletons(Reader& reader);
/// Checks skeletons against the meshes that they move.
void check_rigs(Reader& reader);
/// Checks the channels of materials, and texture maps against their textures.
void check_materials(Reader& reader, Accessors& accessors);

/// Checks a value and the objects in it against a table, including indices out of range.
void check_tree(Reader& reader, JsonValue value, const Table& table);

/// Reports numbers of a list outside 0 to 1.
inline void check_unit_range(Reader& reader, JsonValue list, CodeFor<std::string> outside) {
  for (const JsonValue value : list.elements())
    if (const double number = value.number().value_or(0); !(number >= 0 && number <= 1)) reader.report(outside, value, excerpt(value));
}

/// Returns a text that is equal for equal JSON values: sorts members and normalises numbers.
[[nodiscard]] std::string canonical(JsonValue value);

/// Checks that the items of a surface's topology are closed and flat, and that their first elements define an orientation (2026-01 and
/// later). `geometry`: the list of tiers. Precondition: the surface has no defect.
void check_topology(Reader& reader, JsonValue geometry, const Mesh& mesh, const Surface& surface);

}  // namespace sinew::g4mf

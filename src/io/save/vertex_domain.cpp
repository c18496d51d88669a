// SPDX-License-Identifier: MIT
#include "io/save/vertex_domain.hpp"

#include <algorithm>
#include <utility>

#include "base/message.hpp"
#include "model/split_surface.hpp"

namespace sinew::io {
namespace {

bool is_picture_map(const Attribute& attribute) { return attribute.semantic != Semantic::texcoord || attribute.values.width() == 2; }

/// Returns the indices of simplexes as a flat list; G4MF stores them in rows.
Array one_by_one(const Array& rows) {
  if (rows.width() <= 1) return rows;
  return Array::own(rows.read<std::uint32_t>(), 1);
}

void make_by_vertex(std::size_t dimension, Mesh& mesh) {
  Mesh made = mesh;
  made.blocks.clear();
  std::vector<Index> kept(mesh.blocks.size(), none);
  for (Surface& surface : made.surfaces) {
    std::erase_if(surface.attributes, [](const Attribute& attribute) { return !is_picture_map(attribute); });
    surface.edges = {};
    surface.topology.reset();
    const auto next = static_cast<Index>(made.blocks.size());
    if (!surface.attributes.empty()) {
      made.blocks.push_back(split_surface(mesh, dimension, VertexOrder::first_use, surface));
      surface.block = next;
    } else if (Index& place = kept[surface.block]; place != none) {
      surface.block = place;
    } else {
      made.blocks.push_back(mesh.blocks[surface.block]);
      surface.block = place = next;
    }
  }
  mesh = std::move(made);
}

}  // namespace

void note_what_only_g4mf_holds(const Model& model, std::vector<std::string>& notes) {
  std::size_t maps = 0, edges = 0, topologies = 0;
  for (const Mesh& mesh : model.meshes) {
    for (const Surface& surface : mesh.surfaces) {
      if (!std::ranges::all_of(surface.attributes, is_picture_map)) ++maps;
      if (surface.primitive >= Primitive::simplexes && !surface.edges.empty()) ++edges;
      if (surface.topology) ++topologies;
    }
  }
  const auto note = [&](std::size_t count, std::string_view what) {
    if (count != 0)
      notes.push_back(
          format_text("the format cannot store {}; lost on {}", what, count == 1 ? "1 surface" : format_text("{} surfaces", count)));
  };
  note(maps, "texture coordinates that do not have two numbers");
  note(edges, "edges beside simplexes");
  note(topologies, "polytopes over edges (topology)");
}

Model by_vertex(const Model& model, std::vector<std::string>& notes) {
  note_what_only_g4mf_holds(model, notes);
  Model made = model;
  for (Mesh& mesh : made.meshes) {
    if (std::ranges::any_of(mesh.surfaces, [](const Surface& surface) { return !surface.attributes.empty(); }))
      make_by_vertex(model.dimension, mesh);
    for (Surface& surface : mesh.surfaces) surface.elements = one_by_one(surface.elements);
  }
  return made;
}

}  // namespace sinew::io

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <utility>

#include "document/schema/revision.hpp"
#include "g4mf/read/mesh/bindings.hpp"
#include "g4mf/read/mesh/meshes.hpp"
#include "g4mf/read/read.hpp"
#include "g4mf/schema/data/accessors.hpp"
#include "model/material_of.hpp"

namespace sinew::g4mf {

namespace {

bool has_values(JsonValue channel) {
  return std::ranges::any_of(surface_values, [&](std::string_view name) { return static_cast<bool>(channel[name]); });
}

JsonValue base_color(const Source& source, const Model& model, Index material) {
  return source.value(model.materials[material].source)["baseColor"];
}

/// Returns the number of its simplex or edge for every corner.
Array by_element(const Reader& reader, std::size_t corners, std::size_t width) {
  std::vector<std::uint32_t> rows(corners);
  for (std::size_t i = 0; i < corners; ++i) rows[i] = static_cast<std::uint32_t>(i / width);
  return reader.own(std::move(rows), 1);
}

void replace(Surface& surface, Attribute attribute) {
  std::erase_if(surface.attributes,
                [&](const Attribute& other) { return other.semantic == attribute.semantic && other.set == attribute.set; });
  surface.attributes.push_back(std::move(attribute));
}

class ChannelValues {
 public:
  ChannelValues(const Source& source, const Model& model)
      : reading_(source.document(), {.force = false, .revision = revision_named(model.revision)}) {
    reading_.model.dimension = model.dimension;
  }

  void add(JsonValue value, std::size_t vertices, Surface& surface) {
    const auto channel = reading_.reader.object<ChannelObject>(value);
    if (channel.defect()) return;
    corners_ = surface.indexed ? surface.elements.size() * surface.elements.width() : vertices;
    const bool simplexes = surface.primitive == Primitive::simplexes, edges = surface.primitive == Primitive::lines;
    // The most detailed colours count.
    const bool colored = add_list(channel, "perVertex", Semantic::color, 1, surface) ||
                         (edges && add_list(channel, "perEdge", Semantic::color, 2, surface)) ||
                         (simplexes && add_list(channel, "perSimplex", Semantic::color, surface.elements.width(), surface));
    if (!colored && channel.has("elementMap"))
      add_binding(channel["elementMap"], Semantic::color, "G4MF_CHANNEL_ELEMENT_MAP"_code, surface);
    if (channel.has({"textureMap", PropertyType::object}))
      add_binding(channel[{"textureMap", PropertyType::object}], Semantic::texcoord, "G4MF_CHANNEL_ELEMENT_MAP"_code, surface);
    else
      add_list(channel, "textureMap", Semantic::texcoord, 1, surface);
  }

 private:
  /// Adds a list with one row per `corners` corners.
  bool add_list(const ChannelObject& channel, ChannelObject::Row row, Semantic semantic, std::size_t corners, Surface& surface) {
    if (!channel.has(row)) return false;
    constexpr Code unused = "G4MF_CHANNEL_PER_VERTEX_NOT_FLOAT"_code;
    const auto values = reading_.accessors.array(channel, row, {AccessorRequirement::Type::floating, 0, unused, unused});
    const std::size_t rows = corners_ / corners;
    if (!values || values->size() < rows || !is_color_or_place(semantic, *values)) return false;
    if (corners == 1) {
      replace(surface, {semantic, 0, {}, first_rows(*values, rows), {}, {}});
      return true;
    }
    if (!reading_.reader.take(channel[row], corners_, sizeof(std::uint32_t))) return false;
    replace(surface, {semantic, 0, {}, *values, by_element(reading_.reader, corners_, corners), {}});
    return true;
  }

  void add_binding(JsonValue value, Semantic semantic, Code code, Surface& surface) {
    const VertexLists instances;
    const BindingPlace place{surface, surface.primitive == Primitive::simplexes, corners_, instances, 0};
    auto bound = read_binding(reading_.reader, reading_.accessors, value, place, semantic, 0, code);
    if (bound && bound->corners && is_color_or_place(semantic, bound->corners->values)) replace(surface, std::move(*bound->corners));
  }

  static bool is_color_or_place(Semantic semantic, const Array& values) {
    return semantic != Semantic::color || values.width() == 3 || values.width() == 4;
  }

  QuietReading reading_;
  std::size_t corners_ = 0;
};

/// Returns the material with which all nodes show this surface, or the surface's own if they differ.
Index material_shown(const Model& model, Index mesh, std::size_t surface) {
  const Index own = model.meshes[mesh].surfaces[surface].material;
  std::optional<Index> shown;
  for (const Node& node : model.nodes) {
    if (node.mesh != mesh) continue;
    const Index material = material_of(node, surface, own);
    if (shown && *shown != material) return own;
    shown = material;
  }
  return shown.value_or(own);
}

}  // namespace

void add_channel_values(const Source& source, Model& model) {
  std::vector<bool> wanted(model.materials.size());
  for (Index m = 0; m < model.materials.size(); ++m) wanted[m] = has_values(base_color(source, model, m));
  if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
  ChannelValues values(source, model);
  for (Index m = 0; m < model.meshes.size(); ++m)
    for (std::size_t s = 0; s < model.meshes[m].surfaces.size(); ++s) {
      Surface& surface = model.meshes[m].surfaces[s];
      const Index material = material_shown(model, m, s);
      if (surface.defect != none || material == none || !wanted[material] || model.meshes[m].blocks.empty()) continue;
      values.add(base_color(source, model, material), model.meshes[m].blocks[surface.block].vertices, surface);
    }
}

}  // namespace sinew::g4mf

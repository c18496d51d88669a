// SPDX-License-Identifier: MIT
#include "base/message.hpp"
#include "g4mf/revise/revise_binding.hpp"

namespace sinew::g4mf {

namespace {

// One binding has the values of corners and of topology vertex instances.
Checked<> bind_values(Reviser& reviser, JsonValue surface, std::string_view name, const SurfaceLayout& layout, JsonEdit& edit,
                      BoundValues& bound) {
  const JsonValue corners = surface[name], instances = surface["topology"][name];
  const bool normals = name == "normals";
  if (!corners.is(JsonKind::number) && !instances.is(JsonKind::number)) return {};
  BindingBuilder builder(reviser, normals);
  if (corners.is(JsonKind::number)) {
    const auto first = builder.add_values(corners, normals ? "normals" : "texture coordinates");
    if (!first) return Refused(first.error());
    bound.corners = **first;
    const Array& elements = layout.surface.elements;
    const auto done = layout.has_simplexes() ? builder.lay_on_simplexes(**first, elements.size(), elements.width())
                                             : builder.lay_on_geometry(**first, layout.corners, layout.has_edges() ? 1 : 0, 0);
    if (!done) return done;
  }
  if (instances.is(JsonKind::number)) {
    const auto first = builder.add_values(instances, normals ? "topology normals" : "topology texture coordinates");
    if (!first) return Refused(first.error());
    if (*first && layout.items.items() != 0) {
      bound.instances = **first;
      if (auto done = builder.lay_on_items(**first, layout.items); !done) return done;
    }
  }
  bound.width = builder.width();
  auto binding = builder.finish();
  if (!binding) return Refused(binding.error());
  edit.set(name, std::move(*binding));
  return {};
}

Checked<> lift_topology(Reviser& reviser, JsonValue topology, JsonEdit& edit) {
  JsonEdit geometry = JsonEdit::array();
  for (const JsonValue tier : topology["geometry"].elements()) {
    const auto accessor = reviser.as_unsigned(index_of(tier));
    if (!accessor) return Refused(accessor.error());
    geometry.push_back(*accessor == index_of(tier) ? JsonEdit(tier) : JsonEdit::integer(*accessor));
  }
  if (geometry.size() != 0) edit.set("geometry", std::move(geometry));
  if (topology["seams"]) edit.set("seams", JsonEdit(topology["seams"]));
  reviser.lost_item(topology, "a topology, which is no longer an object");
  edit.erase("topology");
  return {};
}

}  // namespace

Checked<> surface_to_2026_07(Reviser& reviser, JsonValue surface, SurfaceLayout& layout, JsonEdit& edit) {
  if (auto done = bind_values(reviser, surface, "normals", layout, edit, layout.normals); !done) return done;
  if (auto done = bind_values(reviser, surface, "textureMap", layout, edit, layout.texture_map); !done) return done;
  const JsonValue topology = surface["topology"];
  return topology.is(JsonKind::object) ? lift_topology(reviser, topology, edit) : Checked<>();
}

namespace {

// Returns the accessor of the values if they are already in order, otherwise a new one. Extra texture coordinates are allowed; extra
// normals are not.
Checked<Index> lay_out(Reviser& reviser, JsonValue binding, const Attribute& attribute, std::size_t count) {
  const std::vector<std::uint32_t> rows = attribute.index.read<std::uint32_t>();
  bool in_order = attribute.semantic == Semantic::texcoord ? attribute.values.size() >= count : attribute.values.size() == count;
  for (std::size_t i = 0; i < rows.size() && in_order; ++i) in_order = rows[i] == i;
  if (in_order) return index_of(binding["values"]);
  const auto values = gather_rows(reviser.reader(), binding, attribute.values, rows);
  if (!values) return Refused(values.error());
  return reviser.add(*values);
}

// Reports parts of a surface's binding that 2026-01 cannot store.
void report_other_parts(Reviser& reviser, JsonValue binding, const SurfaceLayout& layout) {
  reviser.lost_item(binding, "a binding");
  const bool simplexes = layout.has_simplexes();
  if (binding["perSimplex"] && simplexes && !binding["simplexes"])
    reviser.changed(binding["perSimplex"], "each corner gets the value of its simplex");
  if (binding["perSimplex"] && (!simplexes || binding["simplexes"]))
    reviser.lost(binding["perSimplex"], "values per simplex beside others");
  if (binding["simplexes"] && !simplexes) reviser.lost(binding["simplexes"], "values of missing simplexes");
  for (const JsonValue entry : binding["geometry"].elements()) {
    const double dimension = entry["geometryDimension"].number().value_or(-1), part = entry["decomposeDimension"].number().value_or(0);
    const auto boundary = boundary_dimension(reviser.reader().dimension());
    const bool items = boundary && dimension == static_cast<double>(*boundary) && layout.items.items() != 0;
    const bool corners = !simplexes && dimension == (layout.has_edges() ? 1 : 0);
    if (part != 0 || !(items || corners))
      reviser.lost(entry, format_text("values of parts of dimension {} of items of dimension {}", part, dimension));
  }
}

Checked<> unbind(Reviser& reviser, JsonValue surface, std::string_view name, Semantic semantic, const SurfaceLayout& layout, JsonEdit& edit,
                 JsonEdit& topology) {
  const JsonValue binding = surface[name];
  if (!binding.is(JsonKind::object)) return {};
  report_other_parts(reviser, binding, layout);
  if (const Attribute* const corners = find_attribute(layout.surface.attributes, semantic)) {
    if (auto done = set_accessor(edit, name, lay_out(reviser, binding, *corners, layout.corners)); !done) return done;
  } else {
    edit.erase(name);
  }
  const Attribute* const instances = layout.surface.topology ? find_attribute(layout.surface.topology->attributes, semantic) : nullptr;
  if (instances == nullptr) return {};
  return set_accessor(topology, name, lay_out(reviser, binding, *instances, layout.items.vertices.size()));
}

}  // namespace

Checked<> surface_to_2026_01(Reviser& reviser, JsonValue surface, const SurfaceLayout& layout, JsonEdit& edit) {
  JsonEdit topology = JsonEdit::object();
  const JsonValue geometry = surface["geometry"], seams = surface["seams"];
  if (geometry.size() != 0) topology.set("geometry", JsonEdit(geometry));
  if (seams && topology.size() != 0) topology.set("seams", JsonEdit(seams));
  if (seams && topology.size() == 0) reviser.lost(seams, "seams without geometry");
  if (auto done = unbind(reviser, surface, "normals", Semantic::normal, layout, edit, topology); !done) return done;
  if (auto done = unbind(reviser, surface, "textureMap", Semantic::texcoord, layout, edit, topology); !done) return done;
  for (const std::string_view name : {"geometry", "seams"}) edit.erase(name);
  if (topology.size() != 0) edit.set("topology", std::move(topology));
  return {};
}

}  // namespace sinew::g4mf

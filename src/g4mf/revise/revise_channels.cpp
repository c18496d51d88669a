// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "base/message.hpp"
#include "g4mf/revise/revise_nodes.hpp"
#include "g4mf/revise/revise_steps.hpp"

namespace sinew::g4mf {

namespace {

/// The largest number of each part in any surface with a material.
struct Uses {
  std::size_t simplexes = 0, edges = 0, points = 0;
  std::size_t lines = 0;  ///< edges of surfaces without simplexes, which define the corners
  std::vector<const VertexLists*> items;

  void add(const SurfaceLayout& layout) {
    edges = std::max(edges, layout.surface.edges.size());
    if (layout.has_simplexes())
      simplexes = std::max(simplexes, layout.surface.elements.size());
    else if (layout.has_edges())
      lines = std::max(lines, layout.surface.edges.size());
    else
      points = std::max(points, layout.corners);
    if (layout.items.items() != 0) items.push_back(&layout.items);
  }
};

std::map<Index, Uses> uses_of(Reviser& reviser, const Layouts& layouts) {
  std::map<Index, Uses> uses;
  const std::vector<JsonValue> meshes = reviser.old_list("meshes");
  for (std::size_t mesh = 0; mesh < layouts.size(); ++mesh) {
    std::size_t i = 0;
    for (const JsonValue surface : meshes[mesh]["surfaces"].elements()) uses[index_of(surface["material"])].add(layouts[mesh][i++]);
  }
  for (const JsonValue node : reviser.old_list("nodes")) {
    const std::vector<JsonValue> materials = list_of(node["meshInstance"]["materials"]);
    const Index mesh = mesh_of(node);
    if (materials.empty() || mesh >= layouts.size()) continue;
    for (std::size_t i = 0; i < layouts[mesh].size(); ++i)
      uses[index_of(materials[std::min(i, materials.size() - 1)])].add(layouts[mesh][i]);
  }
  return uses;
}

// Returns the longest list if all others are prefixes of it, otherwise nullptr.
const VertexLists* longest(const std::vector<const VertexLists*>& items) {
  const VertexLists* best = nullptr;
  for (const VertexLists* list : items)
    if (best == nullptr || list->items() > best->items()) best = list;
  const bool one = std::ranges::all_of(
      items, [&](const VertexLists* list) { return std::ranges::equal(list->first, std::span(best->first).first(list->first.size())); });
  return one ? best : nullptr;
}

class ChannelBinder {
 public:
  ChannelBinder(Reviser& reviser, const Uses& uses)
      : reviser_(reviser), uses_(uses), width_(std::max<std::size_t>(reviser.reader().dimension(), 3)) {}

  Checked<> bind(JsonValue channel, JsonEdit& edit) {
    if (auto done = bind_map(channel, edit); !done) return done;
    return bind_elements(channel, edit);
  }

 private:
  Checked<> bind_map(JsonValue channel, JsonEdit& edit) {
    const JsonValue corners = channel["textureMap"], instances = channel["topologyTextureMap"];
    BindingBuilder builder(reviser_, false);
    if (corners.is(JsonKind::number)) {
      const auto first = builder.add_values(corners, "texture coordinates");
      if (!first) return Refused(first.error());
      if (auto done = lay_on_corners(builder, **first, corners); !done) return done;
    }
    if (instances.is(JsonKind::number)) {
      const VertexLists* const items = longest(uses_.items);
      if (items == nullptr)
        reviser_.lost(instances, uses_.items.empty() ? "texture coordinates of topology, which no surface of the material has"
                                                     : "texture coordinates that surfaces of different topology share");
      else if (auto done = lay_on_items(builder, instances, *items); !done)
        return done;
    }
    if (instances) edit.erase("topologyTextureMap");
    return put(builder, "textureMap", edit);
  }

  Checked<> lay_on_items(BindingBuilder& builder, JsonValue instances, const VertexLists& items) {
    const auto first = builder.add_values(instances, "topology texture coordinates");
    if (!first) return Refused(first.error());
    return *first ? builder.lay_on_items(**first, items) : Checked<>();
  }

  Checked<> bind_elements(JsonValue channel, JsonEdit& edit) {
    BindingBuilder builder(reviser_, false);
    for (const std::string_view name : {"perVertex", "perSimplex", "perEdge"}) {
      const JsonValue at = channel[name];
      if (!at) continue;
      edit.erase(name);
      if (!at.is(JsonKind::number)) continue;
      const auto first = builder.add_values(at, format_text("\"{}\" of a channel", name));
      if (!first) return Refused(first.error());
      if (!*first) continue;
      const auto done = name == "perVertex"    ? lay_on_corners(builder, **first, at)
                        : name == "perSimplex" ? builder.lay_per_simplex(**first, std::max(uses_.simplexes, unused(at)))
                                               : builder.lay_on_geometry(**first, std::max(uses_.edges, unused(at)), 1, 1);
      if (!done) return done;
    }
    return put(builder, "elementMap", edit);
  }

  static Checked<> put(BindingBuilder& builder, std::string_view name, JsonEdit& edit) {
    if (builder.empty()) return {};
    auto binding = builder.finish();
    if (!binding) return Refused(binding.error());
    edit.set(name, std::move(*binding));
    return {};
  }

  // Returns the number of values if no surface uses the material, else 0.
  std::size_t unused(JsonValue at) {
    if (uses_.simplexes + uses_.edges + uses_.lines + uses_.points != 0) return 0;
    const auto& values = reviser_.accessors().array(index_of(at));
    return values ? values->size() : 0;
  }

  Checked<> lay_on_corners(BindingBuilder& builder, std::size_t first, JsonValue at) {
    Checked<> done;
    const std::size_t simplexes = std::max(uses_.simplexes, unused(at) / width_);
    if (simplexes != 0) done = builder.lay_on_simplexes(first, simplexes, width_);
    if (done && uses_.lines != 0) done = builder.lay_on_geometry(first, 2 * uses_.lines, 1, 0);
    if (done && uses_.points != 0) done = builder.lay_on_geometry(first, uses_.points, 0, 0);
    return done;
  }

  Reviser& reviser_;
  const Uses& uses_;
  std::size_t width_;  ///< corners of a simplex
};

template <class Use>
Checked<> for_each_channel(Reviser& reviser, const Use& use) {
  const std::vector<JsonValue> materials = reviser.old_list("materials");
  for (Index material = 0; material < materials.size(); ++material)
    for (const std::string_view name : channel_names) {
      const JsonValue channel = materials[material][name];
      if (!channel.is(JsonKind::object)) continue;
      if (auto done = use(material, channel, *reviser.element("materials", material).find(name)); !done) return done;
    }
  return {};
}

/// Reads bindings of a channel without a surface, so the numbers of parts are unknown.
class ChannelUnbinder {
 public:
  explicit ChannelUnbinder(Reviser& reviser) : reviser_(reviser), boundary_(boundary_dimension(reviser.reader().dimension())) {}

  Checked<> unbind(JsonValue channel, JsonEdit& edit) {
    if (auto done = unbind_map(channel["textureMap"], edit); !done) return done;
    return unbind_elements(channel["elementMap"], edit);
  }

 private:
  using Rows = std::vector<std::uint32_t>;

  Checked<> unbind_map(JsonValue binding, JsonEdit& edit) {
    Parts parts;
    if (auto done = take(binding, "textureMap", edit, parts); !done) return done;
    if (parts.per_simplex && parts.corners.empty()) {
      const std::size_t width = std::max<std::size_t>(reviser_.reader().dimension(), 3);
      Rows rows;
      for (const std::uint32_t row : *parts.per_simplex) rows.insert(rows.end(), width, row);
      parts.corners.emplace_back(binding["perSimplex"], std::move(rows));
      reviser_.changed(binding["perSimplex"], "each corner gets the value of its simplex");
    } else if (parts.per_simplex) {
      reviser_.lost(binding["perSimplex"], "values per simplex beside others");
    }
    if (parts.per_edge) reviser_.lost(binding, "texture coordinates of edges as a whole");
    if (auto done = put_corners(binding, parts, "textureMap", edit); !done) return done;
    return parts.items ? put(binding, *parts.items, "topologyTextureMap", edit) : Checked<>();
  }

  Checked<> unbind_elements(JsonValue binding, JsonEdit& edit) {
    Parts parts;
    if (auto done = take(binding, "elementMap", edit, parts); !done) return done;
    if (parts.items) reviser_.lost(binding, "values of the corners of boundary items");
    if (auto done = put_corners(binding, parts, "perVertex", edit); !done) return done;
    if (parts.per_simplex)
      if (auto done = put(binding, *parts.per_simplex, "perSimplex", edit); !done) return done;
    return parts.per_edge ? put(binding, *parts.per_edge, "perEdge", edit) : Checked<>();
  }

  /// Rows of the values, by kind of part.
  struct Parts {
    std::vector<std::pair<JsonValue, Rows>> corners;  ///< of surfaces with simplexes, with only edges, with neither
    std::optional<Rows> per_simplex, per_edge, items;
  };

  // Removes a binding from the channel and reads it. There are no parts if it is no object.
  Checked<> take(JsonValue binding, std::string_view name, JsonEdit& edit, Parts& parts) {
    if (!binding.is(JsonKind::object)) return {};
    edit.erase(name);
    reviser_.lost_item(binding, "a binding");
    if (const JsonValue at = binding["simplexes"]) {
      auto rows = rows_of(at);
      if (!rows) return Refused(rows.error());
      parts.corners.emplace_back(at, std::move(*rows));
    }
    if (const JsonValue at = binding["perSimplex"]) {
      auto rows = rows_of(at);
      if (!rows) return Refused(rows.error());
      parts.per_simplex = std::move(*rows);
    }
    for (const JsonValue entry : binding["geometry"].elements())
      if (auto done = read_geometry(entry, parts); !done) return done;
    return {};
  }

  Checked<> read_geometry(JsonValue entry, Parts& parts) {
    const double dimension = entry["geometryDimension"].number().value_or(-1), part = entry["decomposeDimension"].number().value_or(0);
    auto rows = rows_of(entry["accessor"]);
    if (!rows) return Refused(rows.error());
    if (part == 0 && (dimension == 0 || dimension == 1)) {
      parts.corners.emplace_back(entry, std::move(*rows));
    } else if (part == 1 && dimension == 1) {
      parts.per_edge = std::move(*rows);
    } else if (part == 0 && boundary_ && dimension == static_cast<double>(*boundary_)) {
      Rows items;
      for (std::size_t word = 0; word < rows->size(); word += (*rows)[word] + std::size_t{1}) {
        const std::size_t count = (*rows)[word], left = rows->size() - word - 1;
        if (count > left)
          return reviser_.reader().refuse("G4MF_BINDING_GEOMETRY_STREAM"_code, entry, format_text("{} numbers", left),
                                          format_text("{} numbers", count));
        items.insert(items.end(), rows->begin() + static_cast<std::ptrdiff_t>(word + 1),
                     rows->begin() + static_cast<std::ptrdiff_t>(word + 1 + count));
      }
      parts.items = std::move(items);
    } else {
      reviser_.lost(entry, format_text("values of parts of dimension {} of items of dimension {}", part, dimension));
    }
    return {};
  }

  Checked<Rows> rows_of(JsonValue at) {
    Reader& reader = reviser_.reader();
    const Index accessor = index_of(at);
    if (accessor >= reader.count(Reference::accessor))
      return reader.refuse("G4MF_ID_OUT_OF_RANGE"_code, at, excerpt(at), reader.count(Reference::accessor), "accessors");
    constexpr Code code = "G4MF_BINDING_GEOMETRY_STREAM"_code;
    const auto array = reviser_.accessors().array(at, accessor, {AccessorRequirement::Type::integer, 0, code, code});
    if (!array) return Refused(array.error());
    if (auto taken = reader.take(at, array->size() * array->width(), 8); !taken) return Refused(taken.error());
    return array->read<std::uint32_t>();
  }

  // Up to 2026-01 all kinds of surfaces use the same accessor, each from its start.
  Checked<> put_corners(JsonValue binding, Parts& parts, std::string_view name, JsonEdit& edit) {
    if (parts.corners.empty()) return {};
    const Rows* best = &parts.corners.front().second;
    for (const auto& [at, rows] : parts.corners)
      if (rows.size() > best->size()) best = &rows;
    for (const auto& [at, rows] : parts.corners)
      if (!std::ranges::equal(rows, std::span(*best).first(rows.size())))
        reviser_.lost(at, "values of surfaces of another kind, in another order");
    return put(binding, *best, name, edit);
  }

  Checked<> put(JsonValue binding, const Rows& rows, std::string_view name, JsonEdit& edit) {
    Reader& reader = reviser_.reader();
    const Index accessor = index_of(binding["values"]);
    if (accessor >= reader.count(Reference::accessor)) return reader.refuse("G4MF_BINDING_VALUES_MISSING"_code, binding, "values");
    const auto& values = reviser_.accessors().array(accessor);
    if (!values) return Refused(values.error());
    bool in_order = values->size() >= rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] >= values->size())
        return reader.refuse("G4MF_BINDING_INDEX_RANGE"_code, binding, i, std::to_string(rows[i]), values->size());
      in_order = in_order && rows[i] == i;
    }
    if (in_order) {
      edit.set(name, JsonEdit(binding["values"]));
      return {};
    }
    const auto laid_out = gather_rows(reviser_.reader(), binding, *values, rows);
    if (!laid_out) return Refused(laid_out.error());
    return set_accessor(edit, name, reviser_.add(*laid_out));
  }

  Reviser& reviser_;
  std::optional<std::size_t> boundary_;
};

}  // namespace

Checked<> channels_to_2026_07(Reviser& reviser, const Layouts& layouts) {
  const std::map<Index, Uses> uses = uses_of(reviser, layouts);
  const Uses no_uses;
  return for_each_channel(reviser, [&](Index material, JsonValue channel, JsonEdit& edit) {
    const auto found = uses.find(material);
    return ChannelBinder(reviser, found == uses.end() ? no_uses : found->second).bind(channel, edit);
  });
}

Checked<> channels_to_2026_01(Reviser& reviser) {
  ChannelUnbinder unbinder(reviser);
  return for_each_channel(reviser, [&](Index, JsonValue channel, JsonEdit& edit) { return unbinder.unbind(channel, edit); });
}

}  // namespace sinew::g4mf

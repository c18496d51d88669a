// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "base/message.hpp"
#include "g4mf/revise/revise_steps.hpp"

namespace sinew::g4mf {

namespace {

/// A target of a shape other than positions.
struct TargetName {
  std::string_view concatenated;  ///< up to 2026-01
  std::string_view by_surface;    ///< in 2026-07
  Semantic semantic;
  bool topology;
};
constexpr TargetName target_names[] = {
    {"normal", "normal", Semantic::normal, false},
    {"topologyNormal", "normal", Semantic::normal, true},
    {"textureMap", "textureMap", Semantic::texcoord, false},
    {"topologyTextureMap", "textureMap", Semantic::texcoord, true},
};

struct StoredTarget {
  JsonValue value;
  std::vector<std::uint32_t> indices;
  Array offsets;
};

Checked<StoredTarget> read_stored(Reviser& reviser, JsonValue value) {
  const auto target = read_target(reviser.reader(), reviser.accessors(), value);
  if (!target) return Refused(target.error());
  if (auto taken = reviser.reader().take(value, target->indices.size(), 32); !taken) return Refused(taken.error());
  return StoredTarget{value, target->indices.read<std::uint32_t>(), target->offsets};
}

/// A part of a target: rows of the new target, and the entries of the old one that they come from.
struct Entries {
  const StoredTarget* target = nullptr;
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> entries;
};

/// Makes one target from parts of others. A single unchanged part keeps its accessors.
Checked<JsonEdit> make_target(Reviser& reviser, const std::vector<Entries>& parts) {
  const StoredTarget& first = *parts.front().target;
  JsonEdit made = parts.size() == 1 ? JsonEdit(first.value) : JsonEdit::object();
  if (parts.size() == 1 && parts.front().rows == first.indices) return made;
  if (parts.size() > 1)
    for (const Entries& part : parts) reviser.lost_item(part.target->value, "a target that is now part of another target");
  std::vector<std::uint32_t> rows;
  std::vector<Array> offsets;
  for (const Entries& part : parts) {
    auto taken = gather_rows(reviser.reader(), part.target->value, part.target->offsets, part.entries);
    if (!taken) return Refused(taken.error());
    rows.insert(rows.end(), part.rows.begin(), part.rows.end());
    offsets.push_back(std::move(*taken));
  }
  if (auto done = set_accessor(made, "indices", reviser.add(std::move(rows))); !done) return Refused(done.error());
  if (auto done = set_accessor(made, "offsets", reviser.add(joined(offsets))); !done) return Refused(done.error());
  return made;
}

// Names must be unique, so only the first of several targets keeps the name.
JsonEdit without_name(JsonEdit target, bool first) {
  if (!first && target.find("name") != nullptr) target.erase("name");
  return target;
}

/// Returns the index of each surface's first instance among those of all surfaces.
std::vector<std::size_t> bases_of(const std::vector<SurfaceLayout>& layouts, bool topology) {
  std::vector<std::size_t> bases = {0};
  for (const SurfaceLayout& layout : layouts) bases.push_back(bases.back() + (topology ? layout.items.vertices.size() : layout.corners));
  return bases;
}

class Splitter {
 public:
  Splitter(Reviser& reviser, const std::vector<SurfaceLayout>& layouts) : reviser_(reviser), layouts_(layouts) {}

  Checked<> split(JsonValue shape, JsonEdit& edit) {
    std::vector<StoredTarget> targets(std::size(target_names));
    std::map<std::size_t, std::map<std::string_view, std::vector<Entries>>> found;  // by surface
    for (std::size_t i = 0; i < std::size(target_names); ++i) {
      const TargetName& name = target_names[i];
      const JsonValue value = shape[name.concatenated];
      if (!value.is(JsonKind::object)) continue;
      auto target = read_stored(reviser_, value);
      if (!target) return Refused(target.error());
      targets[i] = std::move(*target);
      edit.erase(name.concatenated);
      if (auto done = distribute(name, targets[i], found); !done) return done;
    }
    if (found.empty()) return {};
    JsonEdit& surfaces = edit.set("surfaces", JsonEdit::array());
    for (const auto& [surface, parts] : found) {
      JsonEdit entry = JsonEdit::object();
      entry.set("surface", JsonEdit::integer(surface));
      for (const auto& [name, entries] : parts) {
        auto target = make_target(reviser_, entries);
        if (!target) return Refused(target.error());
        entry.set(name, without_name(std::move(*target), surface == found.begin()->first));
      }
      surfaces.push_back(std::move(entry));
    }
    return {};
  }

 private:
  Checked<> distribute(const TargetName& name, const StoredTarget& target,
                       std::map<std::size_t, std::map<std::string_view, std::vector<Entries>>>& found) {
    const std::vector<std::size_t> bases = bases_of(layouts_, name.topology);
    std::map<std::size_t, Entries> by_surface;
    for (std::uint32_t entry = 0; entry < target.indices.size(); ++entry) {
      const auto above = std::ranges::upper_bound(bases, target.indices[entry]);
      if (above == bases.end())
        return reviser_.reader().refuse("G4MF_BLEND_INDEX_OUT_OF_RANGE"_code, target.value["indices"], entry, target.indices[entry],
                                        bases.back());
      const auto surface = static_cast<std::size_t>(above - bases.begin()) - 1;
      Entries& entries = by_surface[surface];
      entries.target = &target;
      entries.rows.push_back(static_cast<std::uint32_t>(target.indices[entry] - bases[surface]));
      entries.entries.push_back(entry);
    }
    for (auto& [surface, entries] : by_surface) {
      const SurfaceLayout& layout = layouts_[surface];
      const BoundValues& values = name.semantic == Semantic::normal ? layout.normals : layout.texture_map;
      const auto first = name.topology ? values.instances : values.corners;
      if (!first || values.width != target.offsets.width()) {
        reviser_.lost(target.value, format_text("{} offsets of surface {}, which has no values to move", entries.rows.size(), surface));
        continue;
      }
      for (std::uint32_t& row : entries.rows) row += static_cast<std::uint32_t>(*first);
      found[surface][name.by_surface].push_back(std::move(entries));
    }
    return {};
  }

  Reviser& reviser_;
  const std::vector<SurfaceLayout>& layouts_;
};

class Joiner {
 public:
  Joiner(Reviser& reviser, const std::vector<SurfaceLayout>& layouts) : reviser_(reviser), layouts_(layouts) {}

  Checked<> join(JsonValue shape, JsonEdit& edit) {
    if (!shape["surfaces"]) return {};
    std::vector<StoredTarget> targets;
    targets.reserve(2 * shape["surfaces"].size());
    std::map<std::string_view, std::vector<Entries>> found;
    std::vector<JsonValue> surfaces = list_of(shape["surfaces"]);
    std::ranges::sort(surfaces, {}, [](JsonValue value) { return std::pair(index_of(value["surface"]), value.id()); });
    for (const JsonValue value : surfaces) {
      reviser_.lost_item(value, "a surface of a blend shape");
      const Index surface = index_of(value["surface"]);
      if (surface >= layouts_.size())
        return reviser_.reader().refuse("G4MF_BLEND_SURFACE_INDEX_RANGE"_code, value, excerpt(value["surface"]), layouts_.size(),
                                        "surfaces");
      for (const std::string_view name : {"normal", "textureMap"}) {
        if (!value[name].is(JsonKind::object)) continue;
        auto target = read_stored(reviser_, value[name]);
        if (!target) return Refused(target.error());
        targets.push_back(std::move(*target));
        collect(surface, name, targets.back(), found);
      }
    }
    edit.erase("surfaces");
    for (const auto& [name, parts] : found) {
      auto target = make_target(reviser_, parts);
      if (!target) return Refused(target.error());
      edit.set(name, without_name(std::move(*target), name == target_names[0].by_surface || name == target_names[2].by_surface));
    }
    return {};
  }

 private:
  void collect(Index surface, std::string_view by_surface, const StoredTarget& target,
               std::map<std::string_view, std::vector<Entries>>& found) {
    bool moved = false;
    for (const TargetName& name : target_names) {
      if (name.by_surface != by_surface) continue;
      const SurfaceLayout& layout = layouts_[surface];
      if (name.topology && !layout.surface.topology) continue;
      const std::vector<Attribute>& attributes = name.topology ? layout.surface.topology->attributes : layout.surface.attributes;
      const Attribute* const attribute = find_attribute(attributes, name.semantic);
      if (attribute == nullptr) continue;
      moved = true;
      std::vector<Entries>& parts = found[name.concatenated];
      if (!parts.empty() && parts.front().target->offsets.width() != target.offsets.width()) {
        reviser_.lost(target.value, format_text("offsets with {} numbers beside others with {}", target.offsets.width(),
                                                parts.front().target->offsets.width()));
        continue;
      }
      Entries entries = fan_out(target, attribute->index.read<std::uint32_t>(), bases_of(layouts_, name.topology)[surface]);
      if (!entries.rows.empty() || target.indices.empty()) parts.push_back(std::move(entries));
      if (parts.empty()) found.erase(name.concatenated);
    }
    if (!moved) reviser_.lost(target.value, format_text("offsets of surface {}, which has no values to move", surface));
  }

  // The result is in ascending order of instances; several entries for one row keep their order.
  static Entries fan_out(const StoredTarget& target, const std::vector<std::uint32_t>& row_of_instance, std::size_t base) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_row;
    for (std::uint32_t entry = 0; entry < target.indices.size(); ++entry) by_row[target.indices[entry]].push_back(entry);
    Entries entries;
    entries.target = &target;
    for (std::size_t instance = 0; instance < row_of_instance.size(); ++instance) {
      const auto found = by_row.find(row_of_instance[instance]);
      if (found == by_row.end()) continue;
      for (const std::uint32_t entry : found->second) {
        entries.rows.push_back(static_cast<std::uint32_t>(base + instance));
        entries.entries.push_back(entry);
      }
    }
    return entries;
  }

  Reviser& reviser_;
  const std::vector<SurfaceLayout>& layouts_;
};

template <class Revise>
Checked<> for_each_shape(JsonValue blend, JsonEdit& edit, const Revise& revise) {
  std::size_t i = 0;
  for (const JsonValue shape : blend["shapes"].elements()) {
    JsonEdit& target = edit.find("shapes")->at(i++);
    if (!shape.is(JsonKind::object)) continue;
    if (auto done = revise(shape, target); !done) return done;
  }
  return {};
}

}  // namespace

Checked<> blend_to_2026_07(Reviser& reviser, JsonValue blend, const std::vector<SurfaceLayout>& layouts, JsonEdit& edit) {
  Splitter splitter(reviser, layouts);
  return for_each_shape(blend, edit, [&](JsonValue shape, JsonEdit& target) { return splitter.split(shape, target); });
}

Checked<> blend_to_2026_01(Reviser& reviser, JsonValue blend, const std::vector<SurfaceLayout>& layouts, JsonEdit& edit) {
  Joiner joiner(reviser, layouts);
  return for_each_shape(blend, edit, [&](JsonValue shape, JsonEdit& target) { return joiner.join(shape, target); });
}

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "g4mf/write/updater.hpp"

#include "sinew/model.hpp"

namespace sinew::g4mf {

namespace {

struct Target {
  std::vector<std::uint32_t> indices;
  std::vector<float> offsets;
  std::size_t width = 0;
};

bool same_shapes(const Mesh& a, const Mesh& b) {
  return std::ranges::equal(a.shapes, b.shapes,
                            [](const BlendShape& x, const BlendShape& y) { return x.name == y.name && x.amount == y.amount; });
}

// Compares everything that shapes move, and the elements that their indices count.
bool same_blend(const Mesh& a, const Mesh& b) {
  if (!same_shapes(a, b) || a.blocks.size() != b.blocks.size() || !same(a.blocks.front().attributes, b.blocks.front().attributes))
    return false;
  return std::ranges::equal(a.surfaces, b.surfaces, [](const Surface& x, const Surface& y) {
    if (!same(x.elements, y.elements) || !same(x.attributes, y.attributes) || x.topology.has_value() != y.topology.has_value())
      return false;
    return !x.topology || same(x.topology->attributes, y.topology->attributes);
  });
}

const Offsets* offsets_of(const Attribute* attribute, Index shape) {
  if (attribute == nullptr) return nullptr;
  const auto found = std::ranges::find(attribute->offsets, shape, &Offsets::shape);
  return found == attribute->offsets.end() ? nullptr : &*found;
}

/// Appends offsets with row numbers that start at `first`. Skips zeros of dense offsets.
void append(Target& target, const Offsets& offsets, std::size_t first) {
  target.width = offsets.values.width();
  const std::vector<float> values = offsets.values.read<float>();
  const std::vector<std::uint32_t> rows = offsets.indices.read<std::uint32_t>();
  for (std::size_t i = 0; i < offsets.values.size(); ++i) {
    const auto row = std::span(values).subspan(i * target.width, target.width);
    if (!offsets.sparse() && std::ranges::all_of(row, [](float number) { return number == 0; })) continue;
    target.indices.push_back(static_cast<std::uint32_t>(first + (offsets.sparse() ? rows[i] : i)));
    target.offsets.insert(target.offsets.end(), row.begin(), row.end());
  }
}

class BlendUpdate {
 public:
  BlendUpdate(Updater& updater, const Mesh* before, const Mesh& after, JsonEdit& blend)
      : updater_(updater), before_(before), after_(after), blend_(blend) {
    for (const Surface& surface : after.surfaces) {
      corners_.push_back(corner_count(after, surface, updater.after().dimension));
      instances_.push_back(surface.topology ? surface.topology->instances.size() : 0);
    }
  }

  Result<> run() {
    JsonEdit& shapes = list_in(blend_, "shapes");
    for (Index i = 0; i < after_.shapes.size(); ++i) {
      if (i >= shapes.size()) shapes.push_back(JsonEdit::object());
      JsonEdit& item = shapes.at(i);
      const BlendShape* const old = before_ == nullptr ? nullptr : find_at(before_->shapes, i);
      if (old == nullptr || old->name != after_.shapes[i].name) updater_.put_name(item, old, after_.shapes[i]);
      if (auto done = put_shape(item, i); !done) return done;
    }
    put_amounts();
    return {};
  }

 private:
  void put_amounts() {
    if (before_ != nullptr && same_shapes(*before_, after_)) return;
    blend_.erase("amounts");
    if (std::ranges::all_of(after_.shapes, [](const BlendShape& shape) { return shape.amount == 0; })) return;
    std::vector<double> amounts;
    for (const BlendShape& shape : after_.shapes) amounts.push_back(shape.amount);
    set_numbers(blend_, "amounts", amounts);
  }

  Result<> put_shape(JsonEdit& item, Index shape) {
    Target position;
    if (const Offsets* const offsets = offsets_of(find_attribute(after_.blocks.front().attributes, Semantic::position), shape))
      append(position, *offsets, 0);
    if (auto done = put_target(item, "position", position); !done) return done;
    if (updater_.revision() == Revision::r2026_07) return put_by_surface(item, shape);
    for (const auto& [key, semantic] : {std::pair("normal", Semantic::normal), std::pair("textureMap", Semantic::texcoord)})
      if (auto done = put_concatenated(item, key, shape, semantic); !done) return done;
    return {};
  }

  // Up to 2026-01: one target for the corners of all surfaces, another one for those of all topologies.
  Result<> put_concatenated(JsonEdit& item, std::string_view key, Index shape, Semantic semantic) {
    Target corners, instances;
    std::size_t first_corner = 0, first_instance = 0;
    for (std::size_t i = 0; i < after_.surfaces.size(); ++i) {
      const Surface& surface = after_.surfaces[i];
      const Attribute* const own = find_attribute(surface.attributes, semantic);
      if (const Offsets* const offsets = offsets_of(own, shape)) {
        if (!own->index.empty()) return updater_.refused(after_, "offsets of values that corners share need revision 2026-07");
        append(corners, *offsets, first_corner);
      }
      const Attribute* const inner = surface.topology ? find_attribute(surface.topology->attributes, semantic) : nullptr;
      if (const Offsets* const offsets = offsets_of(inner, shape)) append(instances, *offsets, first_instance);
      first_corner += corners_[i];
      first_instance += instances_[i];
    }
    if (auto done = put_target(item, key, corners); !done) return done;
    return put_target(item, key == "normal" ? "topologyNormal" : "topologyTextureMap", instances);
  }

  // From 2026-07 on: by surface, with rows of its values.
  Result<> put_by_surface(JsonEdit& item, Index shape) {
    JsonEdit list = JsonEdit::array();
    for (std::size_t i = 0; i < after_.surfaces.size(); ++i) {
      JsonEdit entry = JsonEdit::object();
      entry.set("surface", JsonEdit::integer(i));
      for (const auto& [key, semantic] : {std::pair("normal", Semantic::normal), std::pair("textureMap", Semantic::texcoord)}) {
        const Attribute* const own = find_attribute(after_.surfaces[i].attributes, semantic);
        const Offsets* const offsets = offsets_of(own, shape);
        if (offsets == nullptr) continue;
        if (own->values.empty()) {
          updater_.reporter().lost(after_, "revision 2026-07 cannot store normal offsets of a surface without normals");
          continue;
        }
        Target target;
        append(target, *offsets, 0);
        if (auto done = put_target(entry, key, target); !done) return done;
      }
      if (entry.size() > 1) list.push_back(std::move(entry));
    }
    item.erase("surfaces");
    if (list.size() != 0) item.set("surfaces", std::move(list));
    return {};
  }

  Result<> put_target(JsonEdit& item, std::string_view key, Target& target) {
    if (target.indices.empty()) {
      item.erase(key);
      return {};
    }
    JsonEdit& object = object_in(item, key);
    if (auto done = updater_.put(object, "indices", Array::own(std::move(target.indices), 1)); !done) return done;
    return updater_.put(object, "offsets", Array::own(std::move(target.offsets), target.width));
  }

  Updater& updater_;
  const Mesh* before_;
  const Mesh& after_;
  JsonEdit& blend_;
  std::vector<std::size_t> corners_, instances_;
};

}  // namespace

Result<> update_blend(Updater& updater, const Mesh* before, const Mesh& after, std::size_t number) {
  if (before == nullptr ? after.shapes.empty() : same_blend(*before, after)) return {};
  if (before != nullptr && before->shapes.empty() && after.shapes.empty()) return {};
  JsonEdit& mesh = updater.item("meshes", number);
  if (after.shapes.empty()) {
    mesh.erase("blend");
    return {};
  }
  if (before != nullptr && after.shapes.size() < before->shapes.size())
    return updater.refused(after, "single blend shapes of an existing mesh cannot be removed");
  return BlendUpdate(updater, before, after, object_in(mesh, "blend")).run();
}

}  // namespace sinew::g4mf

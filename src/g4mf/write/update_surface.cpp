// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <set>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "g4mf/write/updater.hpp"

namespace sinew::g4mf {

namespace {

bool same_values(const Attribute* a, const Attribute* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return same(a->values, b->values) && same(a->index, b->index);
}

bool same_geometry(const std::optional<Topology>& a, const std::optional<Topology>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return same(a->tiers, b->tiers) && same(a->seams, b->seams);
}

const Attribute* attribute_of(const Surface* surface, Semantic semantic) {
  return surface == nullptr ? nullptr : find_attribute(surface->attributes, semantic);
}

const Attribute* topology_attribute(const Surface* surface, Semantic semantic) {
  if (surface == nullptr || !surface->topology) return nullptr;
  return find_attribute(surface->topology->attributes, semantic);
}

class SurfaceUpdate {
 public:
  SurfaceUpdate(Updater& updater, const Mesh& mesh, const Surface* before, const Surface& after, JsonEdit& item)
      : updater_(updater), mesh_(mesh), before_(before), after_(after), item_(item) {}

  Result<> run() {
    if (before_ == nullptr || before_->name != after_.name) updater_.put_name(item_, before_, after_);
    if (auto done = put_elements(); !done) return done;
    if (before_ == nullptr ? after_.polytope_simplexes : before_->polytope_simplexes != after_.polytope_simplexes) {
      item_.erase(name("polytopeSimplexes"));
      if (after_.polytope_simplexes) item_.set(name("polytopeSimplexes"), JsonEdit::boolean(true));
    }
    if (before_ == nullptr ? after_.material != none : before_->material != after_.material) {
      item_.erase("material");
      if (after_.material != none) item_.set("material", JsonEdit::integer(after_.material));
    }
    if (auto done = put_topology(); !done) return done;
    if (auto done = put_values("normals", Semantic::normal); !done) return done;
    return put_values("textureMap", Semantic::texcoord);
  }

 private:
  [[nodiscard]] std::string_view name(SurfaceObject::Row row) const { return name_in(updater_.revision(), row.property()); }
  [[nodiscard]] bool newest() const { return updater_.revision() == Revision::r2026_07; }

  Result<> put_elements() {
    if (before_ != nullptr && before_->primitive == after_.primitive && same(before_->elements, after_.elements) &&
        same(before_->edges, after_.edges))
      return {};
    const bool simplexes = after_.primitive >= Primitive::simplexes;
    const bool lines = after_.primitive != Primitive::points && !simplexes;
    if (!simplexes) item_.erase(name("simplexes"));
    if (!lines && after_.edges.empty()) item_.erase("edges");
    if (simplexes)
      if (auto done = updater_.put(item_, name("simplexes"), elements()); !done) return done;
    if (lines) return updater_.put(item_, "edges", elements());
    return after_.edges.empty() ? Result<>() : updater_.put(item_, "edges", after_.edges);
  }

  // Returns the stored elements; strips, fans and loops are expanded.
  [[nodiscard]] Array elements() const {
    const bool plain = after_.primitive == Primitive::lines || after_.primitive == Primitive::simplexes;
    const std::size_t corners = after_.primitive >= Primitive::simplexes ? std::max<std::size_t>(updater_.after().dimension, 3) : 2;
    if (plain && after_.indexed && after_.elements.width() == corners) return after_.elements;
    return Array::own(need(elements_of(mesh_, after_, updater_.after().dimension)).indices, corners);
  }

  [[nodiscard]] bool elements_changed() const {
    return before_ == nullptr || before_->primitive != after_.primitive || !same(before_->elements, after_.elements);
  }

  Result<> put_values(std::string_view key, Semantic semantic) {
    const Attribute* const values = attribute_of(&after_, semantic);
    const Attribute* const old = attribute_of(before_, semantic);
    const Attribute* const of_items = newest() ? topology_attribute(&after_, semantic) : nullptr;
    const Attribute* const old_of_items = newest() ? topology_attribute(before_, semantic) : nullptr;
    if (before_ != nullptr && same_values(old, values) && same_values(old_of_items, of_items) && !(newest() && elements_changed()))
      return {};
    if (of_items != nullptr && !same_values(old_of_items, of_items))
      updater_.reporter().lost(after_, format_text("Sinew cannot write {} of a topology in revision 2026-07", key));
    if (values == nullptr || values->values.empty()) {  // no values, or only offsets
      item_.erase(key);
      return {};
    }
    if (newest()) return put_binding(key, *values);
    return updater_.put(item_, key, laid_out(*values));
  }

  Result<> put_binding(std::string_view key, const Attribute& attribute) {
    JsonEdit binding = JsonEdit::object();
    if (auto done = updater_.put(binding, "values", attribute.values); !done) return done;
    std::vector<std::uint32_t> rows = attribute.index.read<std::uint32_t>();
    if (attribute.index.empty()) {
      rows.resize(attribute.values.size());
      std::iota(rows.begin(), rows.end(), 0U);
    }
    if (after_.primitive >= Primitive::simplexes) {
      const std::size_t corners = std::max<std::size_t>(updater_.after().dimension, 3);
      if (auto done = updater_.put(binding, "simplexes", Array::own(std::move(rows), corners)); !done) return done;
    } else {
      JsonEdit entry = JsonEdit::object();
      if (auto done = updater_.put(entry, "accessor", Array::own(std::move(rows), 1)); !done) return done;
      entry.set("geometryDimension", JsonEdit::integer(after_.primitive == Primitive::points ? 0 : 1));
      JsonEdit geometry = JsonEdit::array();
      geometry.push_back(std::move(entry));
      binding.set("geometry", std::move(geometry));
    }
    item_.set(key, std::move(binding));
    return {};
  }

  Result<> put_topology() {
    const std::optional<Topology>& topology = after_.topology;
    const bool same_tiers = before_ != nullptr && same_geometry(before_->topology, topology);
    const auto same_attribute = [&](Semantic semantic) {
      return same_values(topology_attribute(before_, semantic), topology_attribute(&after_, semantic));
    };
    const bool same_attributes = same_attribute(Semantic::normal) && same_attribute(Semantic::texcoord);
    if (same_tiers && (same_attributes || newest())) return {};
    for (const std::string_view key : {"topology", "geometry", "seams"}) item_.erase(key);
    if (!topology || topology->tiers.empty()) return {};
    JsonEdit inside = JsonEdit::object();
    JsonEdit& target = newest() ? item_ : inside;
    JsonEdit geometry = JsonEdit::array();
    for (const Array& tier : topology->tiers) {
      const auto accessor = updater_.add(tier);
      if (!accessor) return Unexpected(accessor.error());
      geometry.push_back(JsonEdit::integer(*accessor));
    }
    target.set("geometry", std::move(geometry));
    if (!topology->seams.empty())
      if (auto done = updater_.put(target, "seams", topology->seams); !done) return done;
    if (newest()) return {};
    for (const auto& [key, semantic] : {std::pair("normals", Semantic::normal), std::pair("textureMap", Semantic::texcoord)})
      if (const Attribute* const values = topology_attribute(&after_, semantic); values != nullptr && !values->values.empty())
        if (auto done = updater_.put(inside, key, laid_out(*values)); !done) return done;
    item_.set("topology", std::move(inside));
    return {};
  }

  Updater& updater_;
  const Mesh& mesh_;
  const Surface* before_;
  const Surface& after_;
  JsonEdit& item_;
};

bool same_surface(const Surface& a, const Surface& b) {
  const auto same_topology = [&] {
    return same_geometry(a.topology, b.topology) && (!a.topology || same(a.topology->attributes, b.topology->attributes));
  };
  return a.name == b.name && a.primitive == b.primitive && a.material == b.material && a.polytope_simplexes == b.polytope_simplexes &&
         same(a.elements, b.elements) && same(a.edges, b.edges) && same(a.attributes, b.attributes) && same_topology();
}

}  // namespace

Result<> update_surfaces(Updater& updater, const Mesh* before, const Mesh& after, std::size_t number) {
  const std::size_t known = before == nullptr ? 0 : before->surfaces.size();
  if (after.surfaces.size() < known) return updater.refused(after, "surfaces of an existing mesh cannot be removed");
  std::set<std::string> texts;  // surfaces of a mesh must differ: a duplicate gets a name
  for (std::size_t i = 0; i < after.surfaces.size(); ++i) {
    const Surface* const old = i < known ? &before->surfaces[i] : nullptr;
    if (old != nullptr && (old->defect != none || same_surface(*old, after.surfaces[i]))) continue;
    JsonEdit& mesh = updater.item("meshes", number);
    if (mesh.find("surfaces") == nullptr) mesh.set("surfaces", JsonEdit::array());
    JsonEdit& list = *mesh.find("surfaces");
    if (i >= list.size()) list.push_back(JsonEdit::object());
    JsonEdit& item = list.at(i);
    if (auto done = SurfaceUpdate(updater, after, old, after.surfaces[i], item).run(); !done) return done;
    if (!texts.insert(item.text()).second) updater.put_name(item, nullptr, after.surfaces[i], "Surface");
  }
  return {};
}

}  // namespace sinew::g4mf

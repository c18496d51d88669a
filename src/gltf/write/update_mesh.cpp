// SPDX-License-Identifier: MIT

#include <algorithm>
#include <set>

#include "base/message.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/KHR_draco_mesh_compression.hpp"
#include "gltf/schema/attribute_names.hpp"
#include "gltf/write/update_steps.hpp"
#include "model/narrowed.hpp"

namespace sinew::gltf {
namespace {

using Sets = std::vector<Influences::Set>;

bool same_attributes(const VertexBlock& before, const VertexBlock& after) {
  return std::ranges::equal(before.attributes, after.attributes, [](const Attribute& a, const Attribute& b) { return same_values(a, b); });
}

std::string joints_key(std::size_t set) { return format_text("JOINTS_{}", set); }
std::string weights_key(std::size_t set) { return format_text("WEIGHTS_{}", set); }

/// Weights are floats or one of the two normalised unsigned types.
Array weights_of(const Array& values) {
  const bool small = values.type() == ComponentType::uint8 || values.type() == ComponentType::uint16;
  if (values.holds<float>() || (small && values.normalized())) return values;
  return Array::own(values.read<float>(), values.width());
}

/// Returns the numbers n of the pairs JOINTS_n and WEIGHTS_n in the file, ascending, from which the model's sets were read.
std::vector<Index> pairs_in(JsonValue attributes, const OldAttributes& old) {
  std::set<Index> places;
  for (const JsonMember member : attributes.members()) {
    const auto name = parse_attribute_name(member.key.string());
    if (name && name->role == AttributeName::Role::joints && old.find(weights_key(name->set))) places.insert(name->set);
  }
  return {places.begin(), places.end()};
}

class Attributes {
 public:
  explicit Attributes(const PrimitiveUpdate& primitive, bool anew)
      : primitive_(primitive),
        old_(primitive.old["attributes"]),
        anew_(anew),
        before_(anew ? nullptr : primitive.block_before()),
        were_(before_) {}

  Result<> update() {
    const VertexBlock& after = primitive_.block();
    for (const Attribute& attribute : after.attributes) update_attribute(attribute);
    if (before_ != nullptr) {
      const SameAttributes are(&after);
      for (const Attribute& attribute : before_->attributes)
        if (are.of(attribute) == nullptr) edit().erase(old_.key_of(attribute));
    }
    if (auto done = update_influences(after.influences); !done) return done;
    // Attributes that the model does not contain still have the old number of rows.
    if (anew_ || (before_ != nullptr && before_->vertices != after.vertices))
      for (const std::string& key : edit().keys())
        if (!written_.contains(key)) edit().erase(key);
    return {};
  }

 private:
  [[nodiscard]] JsonEdit& edit() const { return object_in(primitive_.edit(), "attributes"); }

  void update_attribute(const Attribute& attribute) {
    const std::string key = old_.key_of(attribute);
    written_.insert(key);
    const Attribute* before = were_.of(attribute);
    if (before != nullptr && same(before->values, attribute.values)) return;
    Editor& editor = primitive_.update.editor;
    if (!accessor_width(attribute.values.width())) {
      editor.reporter().lost(primitive_.pointer(),
                             format_text("{} is lost: glTF has no accessor type with {} components", key, attribute.values.width()));
      return;
    }
    if (!is_core_type(attribute.semantic, attribute.values.type(), attribute.values.normalized())) editor.require_extension(quantization);
    const AccessorUse use = attribute.semantic == Semantic::position ? AccessorUse::positions : AccessorUse::attribute;
    edit().set(key, JsonEdit::integer(editor.add(attribute.values, use)));
  }

  Result<> update_influences(const Influences& after) {
    if (!after.first.empty())
      return primitive_.update.editor.refuse(primitive_.pointer(),
                                             "found lists of influences of any length; glTF stores influences in sets of four");
    const std::vector<Index> pairs = pairs_in(primitive_.old["attributes"], old_);
    const Sets none_before;
    const Sets& before = before_ == nullptr ? none_before : before_->influences.sets;
    for (std::size_t set = 0; set < after.sets.size(); ++set) {
      written_.insert(joints_key(set));
      written_.insert(weights_key(set));
    }
    if (!anew_ && same(before, after.sets)) {
      for (const Index place : pairs) written_.insert({joints_key(place), weights_key(place)});
      return {};
    }
    std::vector<std::pair<std::string, Index>> accessors;
    for (std::size_t set = 0; set < after.sets.size(); ++set) {
      accessors.emplace_back(joints_key(set), influence_accessor(after.sets[set], before, pairs, true));
      if (accessors.back().second == none)
        return primitive_.update.editor.refuse(primitive_.pointer(), "found joint numbers above 65535, the limit of glTF");
      accessors.emplace_back(weights_key(set), influence_accessor(after.sets[set], before, pairs, false));
    }
    for (const std::string& key : edit().keys())
      if (key.starts_with("JOINTS_") || key.starts_with("WEIGHTS_")) edit().erase(key);
    for (const auto& [key, accessor] : accessors) set_index(edit(), key, accessor);
    return {};
  }

  /// Returns the accessor of JOINTS_n or WEIGHTS_n, or adds one. `none` if its numbers are too large.
  Index influence_accessor(const Influences::Set& set, const Sets& before, const std::vector<Index>& pairs, bool joints) {
    const auto half = [&](const Influences::Set& of) -> const Array& { return joints ? of.joints : of.weights; };
    for (std::size_t i = 0; i < before.size() && i < pairs.size(); ++i)
      if (same(half(before[i]), half(set))) {
        const auto known = old_.find(joints ? joints_key(pairs[i]) : weights_key(pairs[i])).integer();
        if (known) return static_cast<Index>(*known);
      }
    if (!joints) return primitive_.update.editor.add(weights_of(set.weights), AccessorUse::attribute);
    const Array storable = fitted(set.joints, ComponentType::uint8);
    return byte_size(storable.type()) <= 2 ? primitive_.update.editor.add(storable, AccessorUse::attribute) : none;
  }

  const PrimitiveUpdate& primitive_;
  OldAttributes old_;
  bool anew_;
  const VertexBlock* before_;
  SameAttributes were_;
  std::set<std::string> written_;
};

bool same_elements(const Surface& before, const Surface& after) {
  return before.indexed == after.indexed && same(before.elements, after.elements) && before.primitive == after.primitive;
}

void update_elements(const PrimitiveUpdate& primitive, bool anew) {
  const Surface& after = primitive.after;
  static const Surface empty;
  const Surface& before = primitive.before == nullptr ? empty : *primitive.before;
  if (anew || after.indexed != before.indexed || !same(after.elements, before.elements))
    set_index(primitive.edit(), "indices", after.indexed ? primitive.update.editor.add(after.elements, AccessorUse::indices) : none);
  if (anew || after.primitive != before.primitive) {
    // Primitive has the order of glTF's mode numbers. Triangles are the default.
    const auto mode = JsonEdit::integer(static_cast<unsigned>(after.primitive));
    set_or_erase(primitive.edit(), "mode", after.primitive == Primitive::simplexes ? std::nullopt : std::optional(mode));
  }
}

Result<> update_primitive(const PrimitiveUpdate& primitive) {
  const VertexBlock* before = primitive.block_before();
  const VertexBlock& after = primitive.block();
  const bool same_block = before != nullptr && before->vertices == after.vertices && same_attributes(*before, after) &&
                          same(before->influences, after.influences);
  const bool compressed{primitive.old["extensions"][draco_extension]};
  const bool unpacked = compressed && !(same_block && same_elements(*primitive.before, primitive.after));
  if (!same_block || unpacked)
    if (auto done = Attributes(primitive, unpacked).update(); !done) return done;
  update_elements(primitive, unpacked);
  update_targets(primitive);
  if (primitive.after.material != (primitive.before == nullptr ? none : primitive.before->material))
    set_index(primitive.edit(), "material", primitive.after.material);
  if (unpacked) {
    erase_extension(primitive.edit(), draco_extension);
    primitive.update.editor.reporter().changed(primitive.pointer(), "its geometry is no longer compressed");
  }
  return {};
}

Result<> update_mesh(Update& update, std::size_t index, JsonValue old) {
  const Mesh& before = at_or_empty(update.before.meshes, index);
  const Mesh& after = update.after.meshes[index];
  const std::size_t place = update.mesh_places[index];
  const auto edit = [&]() -> JsonEdit& { return update.editor.element("meshes", place); };
  if (after.name != before.name) set_name(edit(), after.name);
  const std::vector<JsonValue> primitives = list_of(old["primitives"]);
  std::size_t count = 0;
  for (std::size_t s = 0; s < after.surfaces.size(); ++s) {
    if (s >= before.surfaces.size() && !gives_primitive(after, after.surfaces[s])) {
      update.editor.reporter().lost(format_text("/meshes/{}", place),
                                    format_text("surface {} is lost: it has no vertices or no corners", s));
      continue;
    }
    const bool known = count < primitives.size();
    if (!known) list_in(edit(), "primitives").push_back(JsonEdit::object());
    const Surface* was = known && s < before.surfaces.size() ? &before.surfaces[s] : nullptr;
    const PrimitiveUpdate primitive{update, place, count, before, after, was, after.surfaces[s], at_or_empty(primitives, count)};
    if (auto done = update_primitive(primitive); !done) return done;
    ++count;
  }
  if (!before.surfaces.empty())
    for (std::size_t i = primitives.size(); i > count; --i) list_in(edit(), "primitives").erase_at(i - 1);
  update_shapes(update, place, before, after, old);
  return {};
}

}  // namespace

bool gives_primitive(const Mesh& mesh, const Surface& surface) {
  return mesh.blocks[surface.block].vertices != 0 && !(surface.indexed && surface.elements.empty());
}

bool gives_mesh(const Mesh& mesh) {
  return std::ranges::any_of(mesh.surfaces, [&](const Surface& surface) { return gives_primitive(mesh, surface); });
}

OldAttributes::OldAttributes(JsonValue attributes) {
  for (const JsonMember member : attributes.members()) values_.insert_or_assign(member.key.string(), member.value);
}

JsonValue OldAttributes::find(std::string_view key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? JsonValue() : found->second;
}

// A file may contain a custom attribute whose name glTF does not allow.
std::string OldAttributes::key_of(const Attribute& attribute) const {
  if (attribute.semantic == Semantic::custom && values_.contains(attribute.custom)) return attribute.custom;
  return attribute_name(attribute);
}

SameAttributes::SameAttributes(const VertexBlock* block) {
  if (block == nullptr) return;
  for (const Attribute& attribute : block->attributes)
    attributes_.emplace(std::tuple(attribute.semantic, attribute.set, std::string_view(attribute.custom)), &attribute);
}

const Attribute* SameAttributes::of(const Attribute& attribute) const {
  const auto found = attributes_.find({attribute.semantic, attribute.set, attribute.custom});
  return found == attributes_.end() ? nullptr : found->second;
}

Result<> update_meshes(Update& update) {
  const std::vector<JsonValue> old = update.editor.old_list("meshes");
  for (std::size_t i = 0; i < update.after.meshes.size(); ++i) {
    const Index place = update.mesh_places[i];
    if (place == none || (place >= old.size() && i < update.before.meshes.size())) continue;  // the second case: it replaces a missing mesh
    if (auto done = update_mesh(update, i, at_or_empty(old, place)); !done) return done;
  }
  const auto is_draco = [](JsonValue name) { return name.equals(draco_extension); };
  if (std::ranges::any_of(update.editor.old_list("extensionsUsed"), is_draco) && !update.editor.root().source())
    update.editor.end_extension(draco_extension, "meshes", "primitives");
  return {};
}

}  // namespace sinew::gltf

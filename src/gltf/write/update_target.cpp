// SPDX-License-Identifier: MIT

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "gltf/write/update_steps.hpp"

namespace sinew::gltf {
namespace {

/// The offsets of an attribute by shape; if a shape occurs twice, the first ones count.
class OffsetsByShape {
 public:
  explicit OffsetsByShape(const Attribute* attribute) {
    if (attribute != nullptr)
      for (const Offsets& offsets : attribute->offsets) offsets_.emplace(offsets.shape, &offsets);
  }
  [[nodiscard]] bool empty() const { return offsets_.empty(); }
  [[nodiscard]] const Offsets* at(std::size_t shape) const {
    const auto found = offsets_.find(shape);
    return found == offsets_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::size_t, const Offsets*> offsets_;
};

/// An attribute with offsets, before or after the edit.
struct Moved {
  const Attribute* attribute;
  std::string key;
  OffsetsByShape before, after;
};

/// Returns the attributes with offsets in the new block, then those that only the old block has.
std::vector<Moved> moved_attributes(const PrimitiveUpdate& primitive) {
  const OldAttributes old(primitive.old["attributes"]);
  const VertexBlock* const before = primitive.block_before();
  const SameAttributes were(before), are(&primitive.block());
  std::vector<Moved> list;
  const auto add = [&](const Attribute& attribute, const Attribute* was, const Attribute* is) {
    Moved moved{&attribute, old.key_of(attribute), OffsetsByShape(was), OffsetsByShape(is)};
    if (!moved.before.empty() || !moved.after.empty()) list.push_back(std::move(moved));
  };
  for (const Attribute& attribute : primitive.block().attributes) add(attribute, were.of(attribute), &attribute);
  if (before != nullptr)
    for (const Attribute& attribute : before->attributes)
      if (are.of(attribute) == nullptr) add(attribute, &attribute, nullptr);
  return list;
}

bool is_ascending(const std::vector<std::uint32_t>& rows) { return std::ranges::adjacent_find(rows, std::greater_equal<>()) == rows.end(); }

/// Sorts rows in ascending order and adds up the values of repeated rows.
void sort_rows(Array& rows, Array& values) {
  const std::vector<std::uint32_t> numbers = rows.read<std::uint32_t>();
  if (is_ascending(numbers)) return;
  const std::size_t width = values.width();
  const std::vector<double> given = values.read<double>();
  std::map<std::uint32_t, std::vector<double>> sums;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::vector<double>& sum = sums.try_emplace(numbers[i], width, 0.0).first->second;
    for (std::size_t c = 0; c < width; ++c) sum[c] += given[i * width + c];
  }
  std::vector<std::uint32_t> sorted;
  std::vector<float> summed;
  for (const auto& [row, sum] : sums) {
    sorted.push_back(row);
    for (const double value : sum) summed.push_back(static_cast<float>(value));
  }
  rows = Array::own(std::move(sorted), 1);
  values = Array::own(std::move(summed), width);
}

Index add_offsets(const PrimitiveUpdate& primitive, const Attribute& attribute, const Offsets& offsets) {
  Editor& editor = primitive.update.editor;
  const AccessorUse use = attribute.semantic == Semantic::position ? AccessorUse::positions : AccessorUse::attribute;
  if (!offsets.values.empty() && !is_core_type(attribute.semantic, offsets.values.type(), offsets.values.normalized()))
    editor.require_extension(quantization);
  if (!offsets.sparse()) return editor.add(offsets.values, use);
  Array rows = offsets.indices, values = offsets.values;
  if (values.empty()) {  // no offsets: zeros without data
    const std::size_t width = attribute.semantic == Semantic::tangent ? 3 : attribute.values.width();
    return editor.add_sparse(primitive.block().vertices, rows, Array::own(std::vector<float>(), width), use);
  }
  sort_rows(rows, values);
  return editor.add_sparse(primitive.block().vertices, rows, values, use);
}

bool same_targets(const PrimitiveUpdate& primitive) {
  if (primitive.before == nullptr) return primitive.mesh_after.shapes.empty();
  if (primitive.mesh_before.shapes.size() != primitive.mesh_after.shapes.size()) return false;
  const VertexBlock& before = *primitive.block_before();
  const VertexBlock& after = primitive.block();
  if (before.vertices != after.vertices || before.attributes.size() != after.attributes.size()) return false;
  const SameAttributes were(&before);
  return std::ranges::all_of(after.attributes, [&](const Attribute& attribute) {
    const Attribute* was = were.of(attribute);
    return was != nullptr && same(was->offsets, attribute.offsets);
  });
}

void update_target(const PrimitiveUpdate& primitive, JsonEdit& target, std::size_t shape, const std::vector<Moved>& list) {
  const VertexBlock* before = primitive.block_before();
  const VertexBlock& after = primitive.block();
  if (before != nullptr && before->vertices != after.vertices) target = JsonEdit::object();
  for (const Moved& moved : list) {
    const Offsets *was = moved.before.at(shape), *is = moved.after.at(shape);
    if (is == nullptr && was != nullptr) target.erase(moved.key);
    if (is != nullptr && (was == nullptr || !same(*was, *is)))
      target.set(moved.key, JsonEdit::integer(add_offsets(primitive, *moved.attribute, *is)));
  }
  if (target.size() != 0 || after.attributes.empty()) return;
  Offsets nothing;  // a target must have an attribute, even if it is all zeros
  nothing.sparse_ = true;
  const Attribute& first = after.attributes.front();
  target.set(OldAttributes(primitive.old["attributes"]).key_of(first), JsonEdit::integer(add_offsets(primitive, first, nothing)));
}

void update_names(Update& update, std::size_t place, const Mesh& before, const Mesh& after) {
  if (std::ranges::equal(before.shapes, after.shapes, {}, &BlendShape::name, &BlendShape::name)) return;
  JsonEdit& mesh = update.editor.element("meshes", place);
  JsonEdit* const primitives = mesh.find("primitives");  // of VRM 0.x: the first one has the names
  for (std::size_t i = 0; i < length(primitives); ++i) erase_in(primitives->at(i), "extras", "targetNames");
  if (std::ranges::all_of(after.shapes, [](const BlendShape& shape) { return shape.name.empty(); }))
    return erase_in(mesh, "extras", "targetNames");
  if (JsonEdit* extras = mesh.find("extras"); extras != nullptr && !extras->is(JsonKind::object))
    return update.editor.reporter().lost(format_text("/meshes/{}", place),
                                         "the names of the blend shapes are lost: mesh.extras already contains another value");
  std::vector<std::string> names;
  for (const BlendShape& shape : after.shapes) names.push_back(shape.name);
  set_names(object_in(mesh, "extras"), "targetNames", names);
}

}  // namespace

void update_targets(const PrimitiveUpdate& primitive) {
  if (same_targets(primitive)) return;
  const std::size_t count = primitive.mesh_after.shapes.size();
  if (count == 0) return primitive.edit().erase("targets");
  JsonEdit& targets = list_in(primitive.edit(), "targets");
  while (targets.size() > count) targets.erase_at(targets.size() - 1);
  while (targets.size() < count) targets.push_back(JsonEdit::object());
  const std::vector<Moved> list = moved_attributes(primitive);
  for (std::size_t shape = 0; shape < count; ++shape) update_target(primitive, targets.at(shape), shape, list);
}

void update_shapes(Update& update, std::size_t place, const Mesh& before, const Mesh& after, JsonValue old) {
  update_names(update, place, before, after);
  if (std::ranges::equal(before.shapes, after.shapes, {}, &BlendShape::amount, &BlendShape::amount)) return;
  std::vector<double> amounts;
  for (const BlendShape& shape : after.shapes) amounts.push_back(shape.amount);
  if (std::ranges::all_of(amounts, [](double amount) { return amount == 0; })) amounts.clear();
  if (old["weights"] || !amounts.empty()) set_numbers(update.editor.element("meshes", place), "weights", amounts);
}

}  // namespace sinew::gltf

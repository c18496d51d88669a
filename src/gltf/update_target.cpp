// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "gltf/update_parts.hpp"
#include "gltf/write_mesh.hpp"

namespace sinew::gltf {
namespace {

constexpr std::string_view quantization = "KHR_mesh_quantization";

const Offsets* offsets_of(const Attribute* attribute, std::size_t shape) {
  if (attribute == nullptr) return nullptr;
  const auto found = std::ranges::find(attribute->offsets, shape, &Offsets::shape);
  return found == attribute->offsets.end() ? nullptr : &*found;
}

bool same_offsets(const Offsets* a, const Offsets* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->sparse() == b->sparse() && same_array(a->indices, b->indices) && same_array(a->values, b->values);
}

bool is_ascending(const std::vector<std::uint32_t>& rows) { return std::ranges::adjacent_find(rows, std::greater_equal<>()) == rows.end(); }

/// Rows in ascending order, each once: those of the same number added up.
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
  Editing& editing = primitive.update.editing;
  const AccessorUse use = attribute.semantic == Semantic::position ? AccessorUse::positions : AccessorUse::attribute;
  if (!offsets.values.empty() && !is_core_type(attribute.semantic, offsets.values)) editing.require_extension(quantization);
  if (!offsets.sparse()) return editing.add(offsets.values, use);
  Array rows = offsets.indices, values = offsets.values;
  if (values.empty()) {  // nothing moves: zeros without a byte
    const std::size_t width = attribute.semantic == Semantic::tangent ? 3 : attribute.values.width();
    return editing.add_sparse(primitive.block().vertices, rows, Array::own(std::vector<float>(), width), use);
  }
  sort_rows(rows, values);
  return editing.add_sparse(primitive.block().vertices, rows, values, use);
}

bool same_targets(const PrimitiveUpdate& primitive) {
  if (primitive.before == nullptr) return primitive.mesh_after.shapes.empty();
  if (primitive.mesh_before.shapes.size() != primitive.mesh_after.shapes.size()) return false;
  const VertexBlock& before = *primitive.block_before();
  const VertexBlock& after = primitive.block();
  if (before.vertices != after.vertices || before.attributes.size() != after.attributes.size()) return false;
  return std::ranges::all_of(after.attributes, [&](const Attribute& attribute) {
    const Attribute* was = same_attribute(&before, attribute);
    return was != nullptr && std::ranges::equal(was->offsets, attribute.offsets, [](const Offsets& a, const Offsets& b) {
             return a.shape == b.shape && same_offsets(&a, &b);
           });
  });
}

void update_target(const PrimitiveUpdate& primitive, std::size_t shape) {
  const VertexBlock* before = primitive.block_before();
  const VertexBlock& after = primitive.block();
  const JsonValue old_attributes = primitive.old["attributes"];
  const auto edit = [&]() -> JsonEdit& { return list_in(primitive.edit(), "targets").at(shape); };
  if (before != nullptr && before->vertices != after.vertices) edit() = JsonEdit::object();
  if (before != nullptr)
    for (const Attribute& attribute : before->attributes)
      if (offsets_of(&attribute, shape) != nullptr && offsets_of(same_attribute(&after, attribute), shape) == nullptr)
        edit().erase(key_of(attribute, old_attributes));
  for (const Attribute& attribute : after.attributes) {
    const Offsets* offsets = offsets_of(&attribute, shape);
    if (offsets == nullptr || same_offsets(offsets_of(same_attribute(before, attribute), shape), offsets)) continue;
    const Index accessor = add_offsets(primitive, attribute, *offsets);
    edit().set(key_of(attribute, old_attributes), JsonEdit::integer(accessor));
  }
  if (edit().size() != 0 || after.attributes.empty()) return;
  Offsets nothing;  // a target moves something, if only by zeros
  nothing.sparse_ = true;
  const Index accessor = add_offsets(primitive, after.attributes.front(), nothing);
  edit().set(key_of(after.attributes.front(), old_attributes), JsonEdit::integer(accessor));
}

void update_names(Update& update, std::size_t place, const Mesh& before, const Mesh& after) {
  const auto same_name = [](const BlendShape& a, const BlendShape& b) { return a.name == b.name; };
  if (std::ranges::equal(before.shapes, after.shapes, same_name)) return;
  JsonEdit& mesh = update.editing.element("meshes", place);
  if (std::ranges::all_of(after.shapes, [](const BlendShape& shape) { return shape.name.empty(); })) {
    if (JsonEdit* extras = mesh.find("extras"); extras != nullptr && extras->is(JsonKind::object)) {
      extras->erase("targetNames");
      if (extras->size() == 0) mesh.erase("extras");
    }
    return;
  }
  if (JsonEdit* extras = mesh.find("extras"); extras != nullptr && !extras->is(JsonKind::object))
    return update.editing.lost(fmt::format("/meshes/{}", place), "the names of the blend shapes are lost: their place, extras, is taken");
  JsonEdit names = JsonEdit::array();
  for (const BlendShape& shape : after.shapes) names.push_back(JsonEdit::string(shape.name));
  object_in(mesh, "extras").set("targetNames", std::move(names));
}

}  // namespace

void update_targets(const PrimitiveUpdate& primitive) {
  if (same_targets(primitive)) return;
  const std::size_t count = primitive.mesh_after.shapes.size();
  if (count == 0) return primitive.edit().erase("targets");
  const auto targets = [&]() -> JsonEdit& { return list_in(primitive.edit(), "targets"); };
  while (targets().size() > count) targets().erase_at(targets().size() - 1);
  while (targets().size() < count) targets().push_back(JsonEdit::object());
  for (std::size_t shape = 0; shape < count; ++shape) update_target(primitive, shape);
}

void update_shapes(Update& update, std::size_t place, const Mesh& before, const Mesh& after, JsonValue old) {
  update_names(update, place, before, after);
  const auto same_amount = [](const BlendShape& a, const BlendShape& b) { return a.amount == b.amount; };
  if (std::ranges::equal(before.shapes, after.shapes, same_amount)) return;
  std::vector<double> amounts;
  for (const BlendShape& shape : after.shapes) amounts.push_back(shape.amount);
  const bool neutral = std::ranges::all_of(amounts, [](double amount) { return amount == 0; });
  if (!neutral)
    update.editing.element("meshes", place).set("weights", numbers(amounts));
  else if (old["weights"])
    update.editing.element("meshes", place).erase("weights");
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "g4mf/read/mesh/meshes.hpp"

namespace sinew::g4mf {

// Entry k: vertex vertices[k] follows group groups[k] with weights[k]. Entries of a vertex must be consecutive; others are sorted by
// vertex, in stable order. The skeleton maps groups to joints.
Checked<> read_influences(Reader& reader, Accessors& accessors, JsonValue value, Mesh& mesh) {
  const auto object = reader.object<SkinObject>(value);
  if (object.defect()) return reader.refuse(object);
  auto groups = accessors.array(
      object, "groups",
      {AccessorRequirement::Type::unsigned_integer, 1, "G4MF_SKIN_GROUPS_NOT_UNSIGNED"_code, "G4MF_SKIN_GROUPS_VECTOR_SIZE"_code});
  if (!groups) return Refused(groups.error());
  const auto vertices = accessors.array(
      object, "vertices",
      {AccessorRequirement::Type::unsigned_integer, 1, "G4MF_SKIN_VERTICES_NOT_UNSIGNED"_code, "G4MF_SKIN_VERTICES_VECTOR_SIZE"_code});
  if (!vertices) return Refused(vertices.error());
  auto weights =
      accessors.array(object, "weights",
                      {AccessorRequirement::Type::floating, 1, "G4MF_SKIN_WEIGHTS_NOT_FLOAT"_code, "G4MF_SKIN_WEIGHTS_VECTOR_SIZE"_code});
  if (!weights) return Refused(weights.error());
  const std::size_t count = vertices->size();
  if (groups->size() != count || weights->size() != count)
    return reader.refuse("G4MF_SKIN_COUNT_MISMATCH"_code, value, groups->size(), count, weights->size());
  if (count >= none) return reader.refuse(value, error("SINEW_TOO_MANY_INFLUENCES"_code, Failure::limit, {}, 0, mesh.name, none - 1));
  VertexBlock& block = mesh.blocks.front();
  const JsonValue at = object["vertices"];
  if (const auto outside = first_outside(*vertices, block.vertices))
    return reader.refuse("G4MF_SKIN_VERTEX_OUT_OF_RANGE"_code, at, *outside, text_of_row(*vertices, *outside), block.vertices);
  if (auto taken = reader.take(value, count * 2 + block.vertices + 1, 4); !taken) return taken;

  const std::vector<std::uint32_t> owners = vertices->read<std::uint32_t>();
  Influences& influences = block.influences;
  influences.divide_by_sum = true;
  influences.first.assign(block.vertices + 1, 0);
  for (const std::uint32_t vertex : owners) ++influences.first[vertex + 1];
  std::partial_sum(influences.first.begin(), influences.first.end(), influences.first.begin());
  if (!std::ranges::is_sorted(owners)) {
    std::vector<std::uint32_t> order(count), next(influences.first.begin(), influences.first.end() - 1);
    for (std::uint32_t k = 0; k < count; ++k) order[next[owners[k]]++] = k;
    groups = gather_rows(reader, object["groups"], *groups, order);
    weights = gather_rows(reader, object["weights"], *weights, order);
    if (!groups) return Refused(groups.error());
    if (!weights) return Refused(weights.error());
  }
  if (const std::size_t k = first_not_finite(*weights); k < count)
    return reader.refuse("G4MF_SKIN_WEIGHT_NOT_FINITE"_code, object["weights"], k);
  influences.slots = std::move(*groups);
  influences.weights = std::move(*weights);
  for (const JsonValue name : object["groupNames"].elements()) mesh.group_names.push_back(name.string());
  return {};
}

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#include "g4mf/read/influences.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "g4mf/read/meshes.hpp"
#include "kernels/scan.hpp"

namespace sinew::g4mf {

namespace {

// What the weights of the vertices have to be beyond numbers; none of it stands in the way of using them.
void check_weights(Reading& reading, const SkinObject& object, const Influences& influences) {
  const JsonValue at = object[SkinRow::weights];
  const std::vector<double> weights = influences.weights.read<double>();
  const std::vector<std::uint32_t> slots = influences.slots.read<std::uint32_t>();
  std::size_t rising = none, negative = none, idle = none, zero = none, sum_off = none, twice = none, unlisted = none;
  std::unordered_set<std::uint32_t> seen;
  for (std::size_t vertex = 0; vertex + 1 < influences.first.size(); ++vertex) {
    const std::size_t begin = influences.first[vertex], end = influences.first[vertex + 1];
    double sum = 0;
    seen.clear();
    for (std::size_t i = begin; i < end; ++i) {
      sum += weights[i];
      if (i > begin && weights[i] > weights[i - 1]) rising = std::min(rising, vertex);
      if (weights[i] == 0) idle = std::min(idle, vertex);
      if (weights[i] < 0) negative = std::min(negative, vertex);
      if (!seen.insert(slots[i]).second) twice = std::min(twice, vertex);
    }
    if (begin == end)
      unlisted = std::min(unlisted, vertex);
    else if (sum == 0)
      zero = std::min(zero, vertex);
    else if (std::abs(sum - 1) > std::max(1e-3, static_cast<double>(end - begin) * 6e-8))  // rounding of float32, each
      sum_off = std::min(sum_off, vertex);
  }
  if (rising != none) reading.report<"G4MF_SKIN_WEIGHTS_NOT_DESCENDING"_code>(at, rising);
  if (negative != none) reading.report<"G4MF_SKIN_WEIGHT_NEGATIVE"_code>(at, negative);
  if (idle != none) reading.report<"G4MF_SKIN_WEIGHT_ZERO"_code>(at, idle);
  if (zero != none) reading.report<"G4MF_SKIN_WEIGHTS_SUM_ZERO"_code>(at, zero);
  if (sum_off != none) reading.report<"G4MF_SKIN_WEIGHTS_SUM"_code>(at, sum_off);
  if (twice != none) reading.report<"G4MF_SKIN_GROUP_DUPLICATE"_code>(object[SkinRow::groups], twice);
  if (unlisted != none) reading.report<"G4MF_SKIN_VERTEX_NOT_SKINNED"_code>(object[SkinRow::vertices], unlisted);
}

std::size_t first_not_finite(const Array& weights) {
  if (weights.type() == ComponentType::float32) return kernels::first_not_finite(weights.view<float>());
  const std::vector<double> values = weights.read<double>();
  return kernels::first_not_finite(strided_view<const double>(values.data(), values.size(), 1));
}

void read_names(Reading& reading, const SkinObject& object, Mesh& mesh) {
  std::unordered_set<std::string> seen;
  for (const JsonValue value : object[SkinRow::groupNames].elements()) {
    std::string name = value.string();
    if (name.empty())
      reading.report<"G4MF_SKIN_GROUP_NAME_EMPTY"_code>(value);
    else if (!seen.insert(name).second)
      reading.report<"G4MF_SKIN_GROUP_NAME_DUPLICATE"_code>(value, name);
    mesh.group_names.push_back(std::move(name));
  }
}

}  // namespace

// Entry k says that vertex vertices[k] follows group groups[k] with weight weights[k]; entries of one vertex follow each other. Where
// they do not, they are brought together in their order. Which groups have a joint is up to each skeleton.
Checked<> read_influences(Reading& reading, Accessors& accessors, JsonValue value, Mesh& mesh) {
  const auto object = reading.object<SkinObject>(value);
  if (object.defect()) return reading.refuse(object);
  auto groups =
      accessors.array(object, SkinRow::groups,
                      {Demand::Type::unsigned_integer, 1, "G4MF_SKIN_GROUPS_NOT_UNSIGNED"_code, "G4MF_SKIN_GROUPS_VECTOR_SIZE"_code});
  if (!groups) return Refused(groups.error());
  const auto vertices =
      accessors.array(object, SkinRow::vertices,
                      {Demand::Type::unsigned_integer, 1, "G4MF_SKIN_VERTICES_NOT_UNSIGNED"_code, "G4MF_SKIN_VERTICES_VECTOR_SIZE"_code});
  if (!vertices) return Refused(vertices.error());
  auto weights = accessors.array(object, SkinRow::weights,
                                 {Demand::Type::floating, 1, "G4MF_SKIN_WEIGHTS_NOT_FLOAT"_code, "G4MF_SKIN_WEIGHTS_VECTOR_SIZE"_code});
  if (!weights) return Refused(weights.error());
  const std::size_t count = vertices->size();
  if (groups->size() != count || weights->size() != count)
    return reading.refuse<"G4MF_SKIN_COUNT_MISMATCH"_code>(value, groups->size(), count, weights->size());
  if (count >= none) return reading.refuse(value, error<"SINEW_TOO_MANY_INFLUENCES"_code>(Failure::limit, {}, 0, mesh.name, none - 1));
  VertexBlock& block = mesh.blocks.front();
  const JsonValue at = object[SkinRow::vertices];
  if (const auto outside = first_outside(*vertices, block.vertices))
    return reading.refuse<"G4MF_SKIN_VERTEX_OUT_OF_RANGE"_code>(at, *outside, text_of_row(*vertices, *outside), block.vertices);
  if (auto taken = reading.take(value, count * 2 + block.vertices + 1, 4); !taken) return taken;

  const std::vector<std::uint32_t> owners = vertices->read<std::uint32_t>();
  Influences& influences = block.influences;
  influences.divide_by_sum = true;
  influences.first.assign(block.vertices + 1, 0);
  for (const std::uint32_t vertex : owners) ++influences.first[vertex + 1];
  std::partial_sum(influences.first.begin(), influences.first.end(), influences.first.begin());
  if (!std::ranges::is_sorted(owners)) {
    reading.report<"G4MF_SKIN_VERTICES_NOT_ASCENDING"_code>(at);
    std::vector<std::uint32_t> order(count), next(influences.first.begin(), influences.first.end() - 1);
    for (std::uint32_t k = 0; k < count; ++k) order[next[owners[k]]++] = k;
    groups = gather_rows(reading, object[SkinRow::groups], *groups, order);
    weights = gather_rows(reading, object[SkinRow::weights], *weights, order);
    if (!groups) return Refused(groups.error());
    if (!weights) return Refused(weights.error());
  }
  if (const std::size_t k = first_not_finite(*weights); k < count)
    return reading.refuse<"G4MF_SKIN_WEIGHT_NOT_FINITE"_code>(object[SkinRow::weights], k);
  influences.slots = std::move(*groups);
  influences.weights = std::move(*weights);
  read_names(reading, object, mesh);
  if (count == 0) reading.report<"G4MF_SKIN_EMPTY"_code>(value);
  if (reading.checks() == Checks::all) check_weights(reading, object, influences);
  return {};
}

}  // namespace sinew::g4mf

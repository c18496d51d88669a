// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/work.hpp"
#include "g4mf/check/checks.hpp"

namespace sinew::g4mf {

namespace {

// Checks the weights of each vertex: order, sign, sum and repeated groups.
void check_weights(Reader& reader, const SkinObject& object, const Influences& influences) {
  const JsonValue at = object["weights"];
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
    else if (std::abs(sum - 1) > std::max(1e-3, static_cast<double>(end - begin) * 6e-8))  // rounding of float32 per weight
      sum_off = std::min(sum_off, vertex);
  }
  if (rising != none) reader.report("G4MF_SKIN_WEIGHTS_NOT_DESCENDING"_code, at, rising);
  if (negative != none) reader.report("G4MF_SKIN_WEIGHT_NEGATIVE"_code, at, negative);
  if (idle != none) reader.report("G4MF_SKIN_WEIGHT_ZERO"_code, at, idle);
  if (zero != none) reader.report("G4MF_SKIN_WEIGHTS_SUM_ZERO"_code, at, zero);
  if (sum_off != none) reader.report("G4MF_SKIN_WEIGHTS_SUM"_code, at, sum_off);
  if (twice != none) reader.report("G4MF_SKIN_GROUP_DUPLICATE"_code, object["groups"], twice);
  if (unlisted != none) reader.report("G4MF_SKIN_VERTEX_NOT_SKINNED"_code, object["vertices"], unlisted);
}

void check_names(Reader& reader, JsonValue list) {
  std::unordered_set<std::string> seen;
  for (const JsonValue value : list.elements()) {
    const std::string name = value.string();
    if (name.empty())
      reader.report("G4MF_SKIN_GROUP_NAME_EMPTY"_code, value);
    else if (!seen.insert(name).second)
      reader.report("G4MF_SKIN_GROUP_NAME_DUPLICATE"_code, value, name);
  }
}

void check_skin(Reader& reader, Accessors& accessors, JsonValue value, const Influences& influences, WorkMeter& work) {
  constexpr std::uint64_t steps_per_influence = 40;
  work.add(steps_per_influence * influences.weights.size() + influences.first.size(), "the checked influences of all meshes");
  Silence silence;
  const SkinObject object(value, silence.sink());
  const auto owners = accessors.array(object, "vertices", {});
  if (owners && !std::ranges::is_sorted(owners->read<std::uint32_t>()))
    reader.report("G4MF_SKIN_VERTICES_NOT_ASCENDING"_code, object["vertices"]);
  if (influences.weights.size() != influences.first.back()) return;  // reading reported the reason
  check_names(reader, object["groupNames"]);
  if (influences.weights.empty()) reader.report("G4MF_SKIN_EMPTY"_code, value);
  check_weights(reader, object, influences);
}

}  // namespace

void check_skins(Reader& reader, Accessors& accessors) {
  WorkMeter work(reader.most_work());
  std::size_t index = 0;
  for (const JsonValue value : reader.root()["meshes"].elements()) {
    const Mesh& mesh = reader.model().meshes[index++];
    if (!mesh.blocks.empty() && !mesh.blocks.front().influences.first.empty())
      check_skin(reader, accessors, value["skin"], mesh.blocks.front().influences, work);
  }
}

}  // namespace sinew::g4mf

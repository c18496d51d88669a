// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_draco_mesh_compression.hpp"

#include <cmath>

#include "gltf/check/checks.hpp"

namespace sinew::gltf::draco {

namespace {

/// Larger than the rounding of weights and vectors to 8 bits, in which geometry is often compressed.
constexpr double rounding = 0.02;

/// Counts values that should be 1.
struct Tally {
  std::size_t wrong = 0, all = 0;
  double worst = 1;

  void add(double value, bool otherwise_wrong = false) {
    ++all;
    const double off = std::abs(value - 1);
    if (!otherwise_wrong && off <= rounding) return;
    ++wrong;
    if (off >= std::abs(worst - 1)) worst = value;
  }
};

void check_vectors(Checker& checker, JsonValue at, const Array& values) {
  const std::vector<double> numbers = values.read<double>();
  Tally tally;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const double* vector = numbers.data() + row * values.width();
    tally.add(std::hypot(vector[0], vector[1], vector[2]));
  }
  if (tally.wrong != 0) checker.report("GLTF_DRACO_VECTORS"_code, at, tally.wrong, tally.all, tally.worst);
}

void check_weights(Checker& checker, JsonValue at, const VertexBlock& block) {
  std::vector<double> sums(block.vertices);
  std::vector<bool> negative(block.vertices);
  for (const Influences::Set& set : block.influences.sets) {
    const std::vector<double> weights = set.weights.read<double>();
    for (std::size_t i = 0; i < weights.size() && i / 4 < sums.size(); ++i) {
      sums[i / 4] += weights[i];
      if (weights[i] < 0) negative[i / 4] = true;
    }
  }
  Tally tally;
  for (std::size_t vertex = 0; vertex < sums.size(); ++vertex) tally.add(sums[vertex], negative[vertex]);
  if (tally.wrong != 0) checker.report("GLTF_DRACO_WEIGHTS"_code, at, tally.wrong, tally.all, tally.worst);
}

void check_primitive(Checker& checker, JsonValue primitive, const VertexBlock& block) {
  const JsonValue compressed = primitive["extensions"][draco_extension]["attributes"], attributes = primitive["attributes"];
  for (const Attribute& attribute : block.attributes) {
    const bool normal = attribute.semantic == Semantic::normal, tangent = attribute.semantic == Semantic::tangent;
    const std::string_view name = normal ? "NORMAL" : "TANGENT";
    if ((normal || tangent) && attribute.values.width() >= 3 && compressed[name])
      check_vectors(checker, attributes[name], attribute.values);
  }
  if (!block.influences.sets.empty() && compressed["WEIGHTS_0"]) check_weights(checker, attributes["WEIGHTS_0"], block);
}

}  // namespace

void check(Checker& checker) {
  const Model& model = checker.model();
  std::size_t mesh = 0;
  for (const JsonValue value : checker.root()["meshes"].elements()) {
    std::size_t number = 0;
    for (const JsonValue primitive : value["primitives"].elements()) {
      if (primitive["extensions"][draco_extension] && model.meshes[mesh].surfaces[number].defect == none)
        check_primitive(checker, primitive, model.meshes[mesh].blocks[number]);
      ++number;
    }
    ++mesh;
  }
}

}  // namespace sinew::gltf::draco

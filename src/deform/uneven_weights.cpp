// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "model/place.hpp"

#include "sinew/deform.hpp"

namespace sinew::deform {

namespace {

/// More than rounding to 8 bits makes of four weights that sum to 1.
constexpr double far_from_one = 0.02;

std::vector<double> sums_of(const VertexBlock& block) {
  std::vector<double> sums(block.vertices, 0.0);
  for (const Influences::Set& set : block.influences.sets) {
    const std::vector<double> weights = set.weights.read<double>();
    const std::size_t width = set.weights.width();
    for (std::size_t i = 0; i < std::min(weights.size(), sums.size() * width); ++i) sums[i / width] += weights[i];
  }
  return sums;
}

}  // namespace

std::optional<Finding> uneven_weights(const Model& model) {
  std::set<Index> skinned;
  for (const Node& node : model.nodes)
    if (node.defect == none && node.mesh != none && node.skin != none) skinned.insert(node.mesh);
  std::size_t count = 0;
  double worst = 1;
  const Mesh* at = nullptr;
  for (const Index index : skinned) {
    const Mesh& mesh = model.meshes[index];
    if (mesh.defect != none) continue;
    for (const VertexBlock& block : mesh.blocks) {
      if (block.influences.sets.empty() || block.influences.divide_by_sum) continue;
      for (const double sum : sums_of(block)) {
        if (std::abs(sum - 1) <= far_from_one) continue;
        ++count;
        if (std::abs(sum - 1) > std::abs(worst - 1)) {
          worst = sum;
          at = &mesh;
        }
      }
    }
  }
  if (at == nullptr) return std::nullopt;
  return finding("SINEW_WEIGHTS_FAR_FROM_ONE"_code, place_in(model, at->source), count, count == 1 ? "vertex has" : "vertices have", worst);
}

}  // namespace sinew::deform

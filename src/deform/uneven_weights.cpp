// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/influences.hpp"
#include "model/place.hpp"

#include "sinew/deform.hpp"

namespace sinew::deform {

namespace {

/// More than rounding to 8 bits makes of four weights that sum to 1.
constexpr double far_from_one = 0.02;

}  // namespace

Result<std::optional<Finding>> uneven_weights(const Model& model) SINEW_TRY {
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
      for (const double sum : weight_sums(block.influences)) {
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
SINEW_CATCH()

}  // namespace sinew::deform

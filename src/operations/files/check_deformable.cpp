// SPDX-License-Identifier: MIT
#include "operations/files/check_deformable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "model/place.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations {

namespace {

bool fits_float(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::abs(value) <= std::numeric_limits<float>::max(); });
}

}  // namespace

Result<> check_deformable(const Model& model, unsigned threads) {
  if (auto defect = closure_defect(model)) return Unexpected(std::move(*defect));
  auto deformer = deform::SceneDeformer::create(model, instances(model), {});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  std::vector<float> positions(deformer->vertices() * model.dimension);
  return deformer->run(model.rest_pose, {strided_view<float>(positions.data(), deformer->vertices(), model.dimension), {}, {}}, threads);
}

Result<> check_storable(const Model& converted, const Model& from) {
  const auto refuse = [&](Index node, std::string_view what) {
    return Unexpected(error<"SINEW_EDIT_REFUSED"_code>(
        Failure::unsupported, place_of(from, converted.nodes[node]),
        fmt::format("{} of this node would have numbers in the new file that float32 cannot hold; use numbers of a common size", what)));
  };
  for (Index node = 0; node < converted.nodes.size(); ++node) {
    const LocalTransform& local = converted.rest_pose.locals[node];
    for (const auto& part : {std::span<const double>(local.translation), std::span<const double>(local.rotor),
                             std::span<const double>(local.scale), std::span<const double>(local.basis)})
      if (!fits_float(part)) return refuse(node, "the transform");
  }
  for (const Skin& skin : converted.skins)
    for (std::size_t slot = 0; slot < skin.joint_from_mesh.size(); ++slot)
      if (skin.slots[slot] != none && !fits_float(skin.joint_from_mesh[slot].values())) return refuse(skin.slots[slot], "the bind matrix");
  return {};
}

}  // namespace sinew::operations

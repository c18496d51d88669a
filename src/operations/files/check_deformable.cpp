// SPDX-License-Identifier: MIT
#include "operations/files/check_deformable.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/place.hpp"
#include "operations/files/most_work.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations {

namespace {

bool fits_float(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::abs(value) <= std::numeric_limits<float>::max(); });
}

}  // namespace

// Surfaces may share one array, so that a few bytes each stand for thousands of vertices that are read, compared and written.
Result<> check_surface_work(const Model& model, std::uint64_t times) {
  constexpr std::uint64_t steps_per_row = 50;
  std::uint64_t surfaces = 0, rows = 0;
  std::optional<std::uint64_t> steps = 0;
  for (const Mesh& mesh : model.meshes)
    for (const Surface& surface : mesh.surfaces) {
      if (surface.defect != none || surface.block >= mesh.blocks.size()) continue;
      const std::size_t corners = corner_count(mesh, surface, model.dimension);
      const std::size_t each = corners + std::min(corners, mesh.blocks[surface.block].vertices);
      const auto more = checked_mul(each, steps_per_row + mesh.shapes.size());
      steps = steps && more ? checked_add(*steps, *more) : std::nullopt;
      rows += each;
      ++surfaces;
    }
  const std::uint64_t most = most_work(model);
  if (steps) steps = checked_mul(*steps, times);
  if (steps && *steps <= most) return {};
  return Unexpected(error("SINEW_WORK_LIMIT"_code, Failure::limit, place_of(model),
                          format_text("{} surfaces with {} vertices and corners", surfaces, rows),
                          steps.value_or(std::numeric_limits<std::uint64_t>::max()), most));
}

Result<> check_deformable(const Model& model, unsigned threads) {
  if (auto defect = closure_defect(model)) return Unexpected(std::move(*defect));
  if (auto fits = check_surface_work(model, 3); !fits) return fits;  // read, compared and written
  auto deformer = deform::SceneDeformer::create(model, need(instances(model)), {});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  std::vector<float> positions(deformer->vertices() * model.dimension);
  return deformer->run(model.rest_pose, {strided_view<float>(positions.data(), deformer->vertices(), model.dimension), {}, {}}, threads);
}

Result<> check_storable(const Model& converted, const Model& from) {
  const auto refuse = [&](Index node, std::string_view what) {
    return Unexpected(error(
        "SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(from, converted.nodes[node]),
        format_text("{} of this node would have numbers in the new file that float32 cannot hold; use numbers of a common size", what)));
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

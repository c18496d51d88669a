// SPDX-License-Identifier: MIT
// What belongs to the rows and triangles of a deformer besides positions.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/guard.hpp"
#include "deform/packed.hpp"
#include "door/state.hpp"
#include "model/check_pose.hpp"

#include "sinew/sinew.hpp"

namespace sinew {

namespace {

/// Appends an influence of the last row; a node that the row has already gets the sum.
void add_influence(Index node, float weight, RowInfluences& all) {
  const auto row = std::span(all.nodes).subspan(all.first.back());
  const auto known = std::ranges::find(row, node);
  if (known != row.end()) {
    all.weights[all.first.back() + static_cast<std::size_t>(known - row.begin())] += weight;
    return;
  }
  all.nodes.push_back(node);
  all.weights.push_back(weight);
}

}  // namespace

Result<std::vector<TriangleRange>> Deformer::triangle_ranges() const SINEW_TRY {
  std::vector<TriangleRange> ranges;
  const std::size_t corners = std::max<std::size_t>(dimension(), 3);
  std::size_t first = 0;
  for (std::size_t i = 0; i < state_->scene.instances().size(); ++i) {
    const Mesh& mesh = state_->model->meshes[state_->scene.instances()[i].mesh];
    for_each_simplex_list(mesh, dimension(), corners, [&](const Surface& surface, std::size_t, const std::vector<std::uint32_t>& indices) {
      const std::size_t count = indices.size() / corners;
      if (count != 0) ranges.push_back({first, count, i, static_cast<std::size_t>(&surface - mesh.surfaces.data()), surface.material});
      first += count;
    });
  }
  return ranges;
}
SINEW_CATCH()

Result<RowInfluences> Deformer::influences() const SINEW_TRY {
  RowInfluences all;
  all.first.reserve(vertices() + 1);
  for (std::size_t i = 0; i < state_->scene.instances().size(); ++i) {
    const Instance& instance = state_->scene.instances()[i];
    const deform::Prepared::Packed& packed = state_->scene.prepared(i).packed();
    const auto node_of = [&](std::uint32_t slot) {
      const Index joint = slot < packed.slots && instance.skin != none ? state_->model->skins[instance.skin].slots[slot] : none;
      return joint == none ? instance.node : joint;
    };
    for (const deform::PackedBlock& block : packed.blocks)
      for (std::size_t row = 0; row < block.vertices; ++row) {
        if (block.skinned)
          for (std::uint32_t k = block.row_first[row]; k < block.row_first[row + 1]; ++k)
            add_influence(node_of(block.slot[k]), block.weight[k], all);
        else
          add_influence(instance.node, 1, all);
        all.first.push_back(all.nodes.size());
      }
  }
  return all;
}
SINEW_CATCH()

Result<std::vector<float>> Deformer::texture_coordinates(const Pose& pose, Index set) const SINEW_TRY {
  constexpr std::size_t width = 2;
  const Model& model = *state_->model;
  if (auto fits = check_pose(model, pose); !fits) return Unexpected(std::move(fits.error()));
  if (model.stores_values_by_corner()) return usage("G4MF stores texture coordinates by corner, not by vertex");
  std::vector<float> all;
  all.reserve(vertices() * width);
  for (const Instance& instance : state_->scene.instances())
    for (const VertexBlock& block : model.meshes[instance.mesh].blocks) {
      const Attribute* const found = find_attribute(block.attributes, Semantic::texcoord, set);
      if (found == nullptr || found->values.width() != width) {
        all.resize(all.size() + block.vertices * width, std::numeric_limits<float>::quiet_NaN());
        continue;
      }
      const std::vector<float> values = need(deform::blend_rows(*found, pose.amounts[instance.node], block.vertices));
      all.insert(all.end(), values.begin(), values.end());
    }
  return all;
}
SINEW_CATCH()

}  // namespace sinew

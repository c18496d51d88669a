// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "operations/weights/surface_transfer.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {

/// Returns the node, or else the nearest one above it, that has a counterpart in the body; or none. `twin`: by node of the clothes.
[[nodiscard]] Index matched_at_or_above(const Model& clothes, std::span<const Index> twin, Index node);

/// The weights that a node of clothes had before a transfer.
struct OwnWeights {
  Index node = none;
  std::vector<std::vector<Index>> joints;  ///< by vertex: nodes of the body with much weight
};

/// Returns the nodes with a skin that a transfer could replace: several joints move the mesh, and almost all of its
/// weights are on bones of the body. `twin`: by node of the clothes, the node of the body, or none.
[[nodiscard]] std::vector<OwnWeights> weights_on_body_bones(const Model& clothes, std::span<const Index> twin);

/// By joint and joint: whether both can move the same cloth.
using Relatives = std::vector<std::vector<bool>>;

/// Returns for the joints of a body which lie above or below each other, or move much of the same skin.
[[nodiscard]] Relatives relatives_of(const Model& body, const std::vector<Index>& joints, const weights::WeightedSurface& surface);

/// By point: the joints that it may get, ascending; empty: any.
using AllowedJoints = std::vector<std::vector<std::uint32_t>>;

/// Allows the points of a mesh the relatives of the joints that they had weights on. `own`: by vertex of the mesh, whose vertices begin at
/// `first` among those of the welded mesh (OwnWeights::joints). `joints`: of the body.
void allow_joints(const weights::WeldedMesh& clothes, std::size_t first, const std::vector<std::vector<Index>>& own,
                  const std::vector<Index>& joints, const Relatives& relatives, AllowedJoints& allowed);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "sinew/model.hpp"

namespace sinew::deform {

/// Returns the bind matrix of a slot with a node, for the mesh of `node`, by the skin's rule (Skin::Bind): stored, the identity, or from
/// the stored pose. From the stored pose it is (P°⁻¹·G°)⁻¹ = G°⁻¹·P°, with the joint's world transform G° and the frame's P°
/// (STAIK_skeletons: a skin without matrices). G4MF: P° is that of the mesh's node, G°⁻¹·L°, so the skeleton's own transform cancels out.
/// Ancestors of both do not matter (relative_transform). Returns nothing if a stored transform that must be inverted has no inverse.
/// `rest_world`: world_transforms(model, model.rest_pose).
[[nodiscard]] std::optional<Affine> joint_from_mesh(const Model& model, const Skin& skin, std::size_t slot, Index node,
                                                    std::span<const Affine> rest_world);

}  // namespace sinew::deform

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "sinew/model.hpp"

namespace sinew::deform {

/// The bind matrix of a slot that names a node, by the skin's rule (Skin::Bind), for the mesh of `node`: as given, the identity, or from
/// the stored pose: (P°⁻¹·G°)⁻¹ = G°⁻¹·P°, G° the joint's and P° the frame's world transform (STAIK_skeletons: a skin without matrices), or
/// in place of the frame's that of the mesh's node (G4MF: G°⁻¹·L°, where the skeleton's own transform drops out). Nothing where the rule
/// asks for the inverse of a joint's stored transform and that has none.
[[nodiscard]] std::optional<Affine> joint_from_mesh(const Skin& skin, std::size_t slot, Index node, std::span<const Affine> rest_world,
                                                    std::size_t dimension);

}  // namespace sinew::deform

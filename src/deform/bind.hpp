// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "sinew/model.hpp"

namespace sinew::deform {

/// The bind matrix of a slot that names a node, by the skin's rule (Skin::Bind). Nothing where the rule asks for the inverse of a joint's
/// stored transform and that has none.
[[nodiscard]] std::optional<Affine> joint_from_mesh(const Skin& skin, std::size_t slot, std::span<const Affine> rest_world,
                                                    std::size_t dimension);

}  // namespace sinew::deform

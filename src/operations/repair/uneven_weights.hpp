// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "operations/convert/g4mf_mesh.hpp"

#include "sinew/geometry.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Reports the vertices of an instance that move because their weights are divided by their sum, and the largest movement in the rest pose.
/// `rest`: the world transforms of that pose. A vertex without weights stays with its node instead of moving to the origin.
void report_uneven(const Model& model, const Instance& instance, std::span<const Affine> rest, const std::vector<UnevenVertex>& vertices,
                   FindingSink& losses);

}  // namespace sinew::operations

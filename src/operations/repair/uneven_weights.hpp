// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "operations/convert/g4mf_mesh.hpp"

#include "sinew/geometry.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Says which vertices of an instance move where their weights are divided by their sum, and the largest distance in the rest pose, whose
/// world transforms are `rest`. Without weights a vertex stays with its node instead of going to the origin.
void report_uneven(const Model& model, const Instance& instance, std::span<const Affine> rest, const std::vector<UnevenVertex>& vertices,
                   FindingSink& losses);

}  // namespace sinew::operations

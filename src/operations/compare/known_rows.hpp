// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/compare.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// For each mesh of B: the row of B that each row of A became; empty: unknown. Rows count over all blocks.
using KnownRows = std::vector<std::vector<std::uint32_t>>;

/// Whether to compute InstancePair::every_pose, which takes as long as measuring.
enum class Proof : std::uint8_t { wanted, left_out };

/// As compare, for a B that was made from A: vertices of meshes with known rows are not searched for. `most_moments`: looks at no more
/// moments of all clips, evenly, and so proves nothing; 0: at all.
[[nodiscard]] Result<Comparison> compare(const Model& a, const Model& b, const CompareOptions& options, const KnownRows& known,
                                         Proof proof = Proof::wanted, std::size_t most_moments = 0);

}  // namespace sinew::operations

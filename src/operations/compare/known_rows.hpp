// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "sinew/compare.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// For each mesh of B: the row of B that each row of A became; empty: unknown. Rows count over all blocks.
using KnownRows = std::vector<std::vector<std::uint32_t>>;

/// Whether to compute InstancePair::every_pose, which takes as long as measuring.
enum class Proof : std::uint8_t { wanted, left_out };

/// The moments of all clips that attempts are measured in, before all are.
inline constexpr std::size_t few_moments = 128;

/// A moment of a clip of A.
struct ClipMoment {
  Index clip = none;
  double seconds = 0;
  bool operator==(const ClipMoment&) const = default;
};

class Side;
/// By scene, what comparisons of the same A prepared.
using PreparedSides = std::map<Index, std::shared_ptr<const Side>>;

/// What is known of a B that was made from A, and what need not be found out.
struct MadeFrom {
  const KnownRows* known = nullptr;  ///< vertices of these meshes are not searched for; null: of none
  Proof proof = Proof::wanted;
  std::size_t most_moments = 0;       ///< of all clips are looked at, evenly, so that nothing is proved; 0: all
  std::vector<ClipMoment> also{};     ///< moments that are looked at all the same
  PreparedSides* prepared = nullptr;  ///< reads and keeps what A needs, as long as A lives and does not change; null: nothing
};

/// As compare, for a B that was made from A.
[[nodiscard]] Result<Comparison> compare(const Model& a, const Model& b, const CompareOptions& options, const MadeFrom& made);

}  // namespace sinew::operations

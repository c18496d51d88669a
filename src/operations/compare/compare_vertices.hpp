// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/distances.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {

using kernels::distance;
using kernels::RowPair;  ///< corresponding rows of two meshes

/// Candidates for the counterpart of each row: [first[i], first[i + 1]) are those of row i, rows of A first.
struct Candidates {
  std::vector<std::uint32_t> first{0};
  std::vector<RowPair> pairs;

  [[nodiscard]] bool decided() const { return first.size() == pairs.size() + 1; }
};

/// Pairs row i with row i.
[[nodiscard]] std::vector<RowPair> pairs_by_index(std::size_t rows);

/// Pairs rows corner by corner, each pair once, ascending. Returns nothing if surfaces differ in number, kind or corners.
[[nodiscard]] std::optional<std::vector<RowPair>> pairs_by_corners(const Mesh& a, const Mesh& b, std::size_t dimension);

/// Limits searches for near rows: where all rows are equally near, a search visits each. At 0, searches find nothing more.
using SearchSteps = std::uint64_t;

/// Returns, for each row of both meshes, the nearest row of the other one, and up to 15 more that are at most `slack` further away. Rows
/// have `width` numbers.
[[nodiscard]] Candidates nearest_rows(std::span<const float> a, std::span<const float> b, std::size_t width, double slack,
                                      SearchSteps& left);

/// Returns whether each row of `a` has a row of `b` within the distance `reach`.
[[nodiscard]] bool all_near(std::span<const float> a, std::span<const float> b, std::size_t width, double reach, SearchSteps& left);

/// Returns a number for each row: equal ones have the same positions, offsets and influences, and so move alike.
[[nodiscard]] std::vector<std::uint32_t> motion_classes(const Mesh& mesh);

/// Returns which rows have weights that do not sum to 1.
[[nodiscard]] std::vector<bool> odd_weight_sums(const Mesh& mesh);

}  // namespace sinew::operations

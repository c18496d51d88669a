// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// Rows of two meshes that belong together.
struct RowPair {
  std::uint32_t a, b;
  friend auto operator<=>(const RowPair&, const RowPair&) = default;
};

/// A row's counterpart, or several that cannot be told apart yet: candidates [first[i], first[i + 1]) are for one row of either side.
struct Candidates {
  std::vector<std::uint32_t> first{0};
  std::vector<RowPair> pairs;

  [[nodiscard]] bool decided() const { return first.size() == pairs.size() + 1; }
};

/// Row i with row i.
[[nodiscard]] std::vector<RowPair> pairs_by_index(std::size_t rows);

/// Corner by corner, each pair of rows once, ascending; nothing where surfaces differ in number, in kind or in their corners.
[[nodiscard]] std::optional<std::vector<RowPair>> pairs_by_corners(const Mesh& a, const Mesh& b, std::size_t dimension);

/// For each row of either side the nearest of the other one, and others that are no further than `slack` behind it (16 at most).
/// Rows of `width` numbers.
[[nodiscard]] Candidates nearest_rows(std::span<const float> a, std::span<const float> b, std::size_t width, double slack);

/// Whether each row of `a` has a row of `b` that is no further away than `reach`.
[[nodiscard]] bool all_near(std::span<const float> a, std::span<const float> b, std::size_t width, double reach);

/// The distance of two rows; infinite where a number is not finite.
[[nodiscard]] double distance(const float* a, const float* b, std::size_t width);

/// Rows whose weights do not sum to 1.
[[nodiscard]] std::vector<bool> odd_weight_sums(const Mesh& mesh);

}  // namespace sinew::operations

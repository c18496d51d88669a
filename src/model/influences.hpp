// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace sinew {

/// What one slot of the palette adds to a vertex.
struct Influence {
  std::uint32_t slot = 0;
  double weight = 0;
};

using InfluenceRow = std::vector<Influence>;

/// The order by weight, the largest first; equal weights by slot.
[[nodiscard]] bool is_stronger(const Influence& a, const Influence& b);

/// Returns the sum of the weights.
[[nodiscard]] double sum_of(std::span<const Influence> row);
/// Returns one entry per slot, in the order of its first one, with the sum of its weights; without entries of weight 0.
[[nodiscard]] InfluenceRow without_repeats(std::span<const Influence> row);

/// Returns the mean of the slots' maps by weight: Σ weight · map / Σ weight, exactly the map if one slot has all the weight. If weights
/// cancel, the position of a vertex is undefined: the identity. Precondition: slots with a weight are below `maps.size()`.
[[nodiscard]] Affine blended(std::span<const Influence> row, std::span<const Affine> maps);

/// The one reader of stored influences: a row per vertex, for the sets of glTF and the entries of G4MF alike, as stored and in their order.
/// Entries of weight 0 are part of a row. Refers to `Influences::first`, which must outlive the table.
class InfluenceTable {
 public:
  explicit InfluenceTable(const Influences& influences);

  /// Returns the number of rows. G4MF may store fewer than there are vertices.
  [[nodiscard]] std::size_t size() const { return first_.empty() ? (width_ == 0 ? 0 : entries_.size() / width_) : first_.size() - 1; }
  [[nodiscard]] std::span<const Influence> operator[](std::size_t vertex) const {
    if (first_.empty()) return std::span(entries_).subspan(vertex * width_, width_);
    return std::span(entries_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }

 private:
  std::vector<Influence> entries_;
  std::size_t width_ = 0;                 ///< of a row of all sets; 0: rows are grouped by `first_`
  std::span<const std::uint32_t> first_;  ///< empty: rows of equal width
};

/// Returns the entries of each vertex with a weight other than 0, to be changed and stored again.
[[nodiscard]] std::vector<InfluenceRow> weighted_rows(const Influences& influences);

/// Marks the slots below `used.size()` that have a weight other than 0.
void mark_weighted(const Mesh& mesh, std::vector<bool>& used);

/// Returns the sum of the weights of each row.
[[nodiscard]] std::vector<double> weight_sums(const Influences& influences);

}  // namespace sinew

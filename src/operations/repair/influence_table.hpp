// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/influences.hpp"

namespace sinew::operations {

/// glTF's sets of four columns in one table: `width` entries per vertex. Keeps a reference to the influences.
///
/// Weights that move to a set of a coarser type would be rounded there. Such a set gets the finest type of all sets that are used.
class DenseInfluences {
 public:
  explicit DenseInfluences(const Influences& influences);

  [[nodiscard]] std::size_t vertices() const { return width_ == 0 ? 0 : table_.size() / width_; }
  [[nodiscard]] std::span<Influence> operator[](std::size_t vertex) { return std::span(table_).subspan(vertex * width_, width_); }

  /// Replaces the influences of a vertex; the strongest comes first. Integer weights keep the sum
  /// of the row.
  void put(std::size_t vertex, const InfluenceRow& row);
  /// Moves weights of 0 to the end.
  void compact(std::size_t vertex);

  /// Returns the used sets; arrays that did not change are shared.
  [[nodiscard]] std::vector<Influences::Set> sets();

 private:
  const std::vector<Influences::Set>& sets_;
  std::size_t width_;
  Array finest_;  ///< weights of the finest type
  std::vector<Influence> table_;
};

/// Rounds the weights of one vertex to multiples of 1 / `whole`. Their sum, rounded to such a multiple, stays: rounds down, then adds one
/// step to those that lost the most.
void apportion(std::span<double> weights, double whole);

/// Returns whether a set has another type of weights than the same set of `before`.
[[nodiscard]] bool has_new_types(const Influences& influences, std::span<const Influences::Set> before);

/// Stores rows in the types of the file, or larger ones for slots (G4MF). Arrays that did not change are shared.
void store_sparse(Influences& influences, const std::vector<InfluenceRow>& rows);

}  // namespace sinew::operations

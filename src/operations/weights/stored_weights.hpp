// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations::weights {

/// The type in which new weights are stored: the most precise one of the body.
class WeightStorage {
 public:
  /// Makes the type precise enough for the weights of a mesh.
  void widen(const Mesh& mesh);
  /// Stores the rows of the points as the influences of all blocks of a mesh. `point_of`: by vertex of all blocks with positions. Integers
  /// have the sum 255 or 65535.
  void store(std::span<const std::uint32_t> point_of, const std::vector<std::vector<std::pair<std::uint32_t, double>>>& rows,
             Mesh& mesh) const;

 private:
  std::size_t bits_ = 0;  ///< 8, 16, or 32 for float32
};

}  // namespace sinew::operations::weights

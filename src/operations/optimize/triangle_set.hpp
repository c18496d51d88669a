// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "operations/optimize/simplify.hpp"
#include "operations/optimize/steps.hpp"

#include "sinew/result.hpp"

namespace sinew::operations {

/// The triangles of a model that edits may collapse, as the input of simplify(): those of meshes that the default scene shows.
struct TriangleSet {
  /// A primitive that can lose triangles, and its place in the lists of SimplifyInput.
  struct Part {
    std::size_t mesh = 0, surface = 0;
    std::uint32_t first_vertex = 0;
  };
  SimplifyInput in;  ///< without a limit and a target
  std::vector<Part> surfaces;
  std::size_t points = 0, others = 0;  ///< `others`: triangles that stay

  [[nodiscard]] std::size_t usable() const { return in.triangles.size(); }
  [[nodiscard]] std::size_t all() const { return usable() + others; }
  /// Returns the corners of each surface, as rows of its block.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> corners_of(const Simplified& simple) const;
};

[[nodiscard]] Result<TriangleSet> triangle_set(const StepInput& input);

}  // namespace sinew::operations

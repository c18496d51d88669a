// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "model/influences.hpp"

#include "sinew/flex.hpp"

namespace sinew::operations::bend {

struct MendOptions {
  Index scene = none;
  std::size_t max_influences = 0;  ///< of a vertex; 0: as many as its sets have room for
  unsigned threads = 0;
};

/// New weights for the vertices of findings. Repair stores them.
struct Mends {
  struct Vertex {
    FlexVertex at;
    InfluenceRow row;  ///< the strongest first, with a sum of 1; slots are those of the mesh
  };
  /// A vertex that keeps its weights, and why.
  struct Left {
    FlexVertex at;
    std::string_view why;
  };
  /// A joint whose stray weights go.
  struct Stray {
    Index joint = none;  ///< the node
    double largest = 0;
  };
  std::vector<Vertex> vertices;  ///< each one once, ascending by mesh, block and vertex
  std::vector<Left> left;
  std::size_t places = 0;     ///< of the seams that are joined
  std::vector<Stray> strays;  ///< of the islands that go
};

/// Returns whether a finding is a tear that weights cause, and not a note.
[[nodiscard]] bool is_torn(const FlexFinding& finding);

/// Joins the weights at the seams of find_seams that tear in a pose. `torn`: the findings of FLEX_TEAR of the scene. A side counts by how
/// well it continues into the vertices around the place: of a side that only somebody painted over, little remains.
[[nodiscard]] Result<Mends> mend_seams(const Model& model, const MendOptions& options, const FlexReport& torn);

/// Takes the weights of find_islands from their vertices. What is then missing comes from the vertices around the island.
[[nodiscard]] Result<Mends> mend_islands(const Model& model, const MendOptions& options);

}  // namespace sinew::operations::bend

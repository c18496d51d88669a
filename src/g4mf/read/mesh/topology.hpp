// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "g4mf/schema/data/accessors.hpp"

namespace sinew::g4mf {

/// The vertices of every item of a tier. Those of item i are [first[i], first[i + 1]).
struct VertexLists {
  std::vector<std::uint32_t> first = {0};
  std::vector<std::uint32_t> vertices;

  [[nodiscard]] std::size_t items() const { return first.size() - 1; }
};

/// Returns the tier whose items bound an N-dimensional mesh (mesh part, Mesh Surface Topology): faces for N = 2 and 3, items of dimension
/// N−1 for more. Nothing for N < 2.
[[nodiscard]] constexpr std::optional<std::size_t> boundary_tier(std::size_t dimension) {
  if (dimension < 2) return std::nullopt;
  return dimension < 4 ? 0 : dimension - 3;
}

/// Reads and checks the tiers in `geometry` and the seams of a topology. Computes the topology vertex instances.
class TopologyReader {
 public:
  TopologyReader(Reader& reader, Accessors& accessors, const Array& edges, std::size_t vertices, Topology& topology)
      : reader_(reader), accessors_(accessors), edges_(edges), vertices_(vertices), topology_(topology) {}

  [[nodiscard]] Checked<> read(JsonValue geometry, const Property& geometry_row, JsonValue seams, const Property& seams_row);
  [[nodiscard]] const VertexLists& instances() const { return instances_; }
  [[nodiscard]] std::size_t tiers() const { return items_.size(); }

 private:
  /// A decoded tier: item i has words[first[i]] elements, which start at words[first[i] + 1].
  struct Tier {
    JsonValue at;
    std::vector<std::uint32_t> words;
    std::vector<std::uint32_t> first;
  };

  [[nodiscard]] Checked<Tier> read_tier(JsonValue at, Index accessor);
  [[nodiscard]] Checked<> read_seams(JsonValue at, Index accessor);
  [[nodiscard]] VertexLists edge_lists() const;
  [[nodiscard]] Checked<VertexLists> lists_of(const Tier& tier, const VertexLists& below, bool oriented);
  [[nodiscard]] std::size_t start_face(const Tier& tier, std::size_t item, const VertexLists& edges, std::uint32_t* three);

  Reader& reader_;
  Accessors& accessors_;
  const Array& edges_;
  std::size_t vertices_;
  Topology& topology_;
  std::vector<std::size_t> items_;  ///< number of items per tier
  VertexLists instances_;
};

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>

#include "operations/flex/checks.hpp"

namespace sinew::operations::bend {

namespace {

constexpr std::size_t most_in_group = 8, least_neighbours = 3;

}  // namespace

// Without its long edges, a group that jumps is a small connected piece. Grows a piece from each end of a long edge, and gives up when it
// gets too large.
std::vector<Jump> find_jumps(const Figure& figure, std::span<const std::array<Number, 2>> edges) {
  std::vector<std::array<Number, 2>> sorted_edges;
  for (const auto& [a, b] : edges) {
    sorted_edges.push_back({a, b});
    sorted_edges.push_back({b, a});
  }
  std::ranges::sort(sorted_edges);
  const auto is_long = [&](Number a, Number b) { return std::ranges::binary_search(sorted_edges, std::array{a, b}); };
  std::vector<Jump> out;
  std::unordered_map<Number, bool> seen;
  for (std::size_t e = 0; e < sorted_edges.size(); ++e) {
    const Number start = sorted_edges[e][0];
    if (!seen.try_emplace(start, true).second) continue;
    Jump jump;
    jump.twins.push_back(start);
    for (std::size_t i = 0; i < jump.twins.size() && jump.twins.size() <= most_in_group; ++i)
      for (const Number other : figure.next[jump.twins[i]])
        if (!is_long(jump.twins[i], other) && std::ranges::find(jump.twins, other) == jump.twins.end()) jump.twins.push_back(other);
    if (jump.twins.size() > most_in_group) continue;
    std::vector<Number> others;
    for (const Number twin : jump.twins) {
      seen.try_emplace(twin, true);
      for (const Number other : figure.next[twin])
        if (std::ranges::find(jump.twins, other) == jump.twins.end()) {
          jump.leaving.push_back({twin, other});
          others.push_back(other);
        }
    }
    std::ranges::sort(others);
    others.erase(std::unique(others.begin(), others.end()), others.end());
    if (others.size() >= least_neighbours) out.push_back(std::move(jump));
  }
  return out;
}

}  // namespace sinew::operations::bend

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>

#include "base/catalogue.hpp"
#include "base/guard.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

namespace {

using Vertices = std::vector<std::uint32_t>;

struct HashOfVertices {
  std::size_t operator()(const Vertices& vertices) const {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a, by vertices instead of bytes
    for (const std::uint32_t vertex : vertices) hash = (hash ^ vertex) * 0x100000001b3u;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

Vertices sorted(Vertices vertices) {
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

/// Numbers parts by their vertices, in any order.
class Numbers {
 public:
  /// Returns the part's number, and whether it is new and got `number`.
  std::pair<std::uint32_t, bool> add(const Vertices& vertices, std::uint32_t number) {
    const auto [found, added] = numbers_.try_emplace(sorted(vertices), number);
    return {found->second, added};
  }

 private:
  std::unordered_map<Vertices, std::uint32_t, HashOfVertices> numbers_;
};

/// Returns whether the permutation between two orders of the same vertices is odd; nothing if they are not the same vertices, or repeat.
std::optional<bool> odd_permutation(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to) {
  Vertices order(from.begin(), from.end());
  if (order.size() != to.size()) return std::nullopt;
  bool odd = false;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const auto at = std::find(order.begin() + static_cast<std::ptrdiff_t>(i), order.end(), to[i]);
    if (at == order.end() || std::find(at + 1, order.end(), to[i]) != order.end()) return std::nullopt;
    const auto place = static_cast<std::size_t>(at - order.begin());
    if (place != i) {
      std::swap(order[place], order[i]);
      odd = !odd;
    }
  }
  return odd;
}

class Builder {
 public:
  Builder(std::size_t corners, const std::vector<Edge>& edges, std::size_t limit) : left_(limit), numbers_(corners - 2) {
    out_.edges = edges;
    out_.tiers.resize(corners - 2);
    for (std::uint32_t i = 0; i < edges.size(); ++i) edge_numbers_.add({edges[i][0], edges[i][1]}, i);
  }

  /// Appends the item with these vertices to its tier: for a triangle the edges in cyclic order, otherwise the parts opposite to each
  /// vertex. Returns false if the limit is reached.
  [[nodiscard]] bool item(const Vertices& vertices) {
    Vertices parts;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      Vertices rest;
      if (vertices.size() == 3)
        rest = {vertices[i], vertices[(i + 1) % 3]};
      else
        for (std::size_t k = 0; k < vertices.size(); ++k)
          if (k != i) rest.push_back(vertices[k]);
      if (left_-- == 0) return false;
      const auto number = part(rest);
      if (!number) return false;
      parts.push_back(*number);
    }
    IndexRows& tier = out_.tiers[vertices.size() - 3];
    tier.indices.insert(tier.indices.end(), parts.begin(), parts.end());
    tier.end_row();
    return true;
  }
  [[nodiscard]] Polytopes take() { return std::move(out_); }

 private:
  /// Returns the number of the part with these vertices; adds a new part.
  std::optional<std::uint32_t> part(const Vertices& vertices) {
    if (vertices.size() == 2) {
      const auto [number, added] = edge_numbers_.add(vertices, static_cast<std::uint32_t>(out_.edges.size()));
      if (added) out_.edges.push_back({vertices[0], vertices[1]});
      return number;
    }
    const std::size_t tier = vertices.size() - 3;
    const auto [number, added] = numbers_[tier].add(vertices, static_cast<std::uint32_t>(out_.tiers[tier].size()));
    if (added && !item(vertices)) return std::nullopt;
    return number;
  }

  std::size_t left_;
  Polytopes out_;
  Numbers edge_numbers_;
  std::vector<Numbers> numbers_;  ///< of faces, volumes, …
};

/// Swaps the first two parts of items whose orientation differs from that of their simplexes.
Result<> face_as_simplexes(std::size_t corners, std::span<const std::uint32_t> simplexes, std::size_t limit, Polytopes& polytopes) {
  auto facing = orientation_simplexes(polytopes, corners - 3, limit);
  if (!facing) return Unexpected(std::move(facing).error());
  IndexRows& items = polytopes.tiers[corners - 3];
  for (std::size_t item = 0; item < items.size(); ++item)
    if (odd_permutation(simplexes.subspan(item * corners, corners), (*facing)[item]) == true)
      std::swap(items.indices[items.first[item]], items.indices[items.first[item] + 1]);
  return {};
}

}  // namespace

Result<Polytopes> polytopes_from_simplexes(std::size_t corners, std::span<const std::uint32_t> simplexes, const std::vector<Edge>& edges,
                                           std::size_t limit) SINEW_TRY {
  assert(corners >= 3 && simplexes.size() % corners == 0);
  Builder builder(corners, edges, limit);
  for (std::size_t first = 0; first < simplexes.size(); first += corners) {
    const auto simplex = simplexes.subspan(first, corners);
    if (!builder.item({simplex.begin(), simplex.end()})) return Unexpected(error("SINEW_GEOMETRY_LIMIT"_code, Failure::limit, {}, limit));
  }
  Polytopes out = builder.take();
  if (auto faced = face_as_simplexes(corners, simplexes, limit, out); !faced) return Unexpected(std::move(faced).error());
  return out;
}
SINEW_CATCH()

Result<std::vector<Edge>> edges_from_simplexes(std::size_t corners, std::span<const std::uint32_t> simplexes) SINEW_TRY {
  std::vector<Edge> edges;
  Numbers numbers;
  for (std::size_t first = 0; first + corners <= simplexes.size(); first += corners)
    for (std::size_t i = 0; i < corners; ++i)
      for (std::size_t j = i + 1; j < corners; ++j) {
        const Edge edge{simplexes[first + i], simplexes[first + j]};
        if (numbers.add({edge[0], edge[1]}, 0).second) edges.push_back(edge);
      }
  return edges;
}
SINEW_CATCH()

}  // namespace sinew

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/catalogue.hpp"
#include "base/guard.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

namespace {

/// Visit marks for consecutive walks; clearing them is free.
class Marks {
 public:
  void start() { ++walk_; }
  /// Returns whether this walk visits the index for the first time.
  [[nodiscard]] bool enter(std::size_t index) {
    if (index >= walks_.size()) walks_.resize(std::max(index + 1, 2 * walks_.size()));
    if (walks_[index] == walk_) return false;
    walks_[index] = walk_;
    return true;
  }

 private:
  std::vector<std::size_t> walks_;
  std::size_t walk_ = 0;
};

/// Returns the end of `edge` that is not in `other`; nothing if both or none are in it.
std::optional<std::uint32_t> free_end(const Edge& edge, const Edge& other) {
  const auto in_other = [&](std::uint32_t vertex) { return vertex == other[0] || vertex == other[1]; };
  if (in_other(edge[0]) == in_other(edge[1])) return std::nullopt;
  return in_other(edge[0]) ? edge[1] : edge[0];
}

/// Returns (free end of the first edge, shared vertex, free end of the second edge); empty if there is no such corner.
std::vector<std::uint32_t> face_corner(const Polytopes& polytopes, std::span<const std::uint32_t> face) {
  if (face.size() < 2) return {};
  const Edge &u = polytopes.edges[face[0]], &v = polytopes.edges[face[1]];
  const auto before = free_end(u, v), after = free_end(v, u);
  if (!before || !after) return {};
  return {*before, u[0] == *before ? u[1] : u[0], *after};
}

/// Walks from items down to their vertices. Enters every part once per walk, because a second visit finds nothing new.
class Walk {
 public:
  Walk(const Polytopes& polytopes, std::size_t limit) : polytopes_(polytopes), entered_(polytopes.tiers.size()), left_(limit) {}

  /// Appends the vertices of the item; returns false if the limit is reached.
  [[nodiscard]] bool item(std::size_t tier, std::size_t item, std::vector<std::uint32_t>& out) {
    vertices_.start();
    for (Marks& marks : entered_) marks.start();
    if (tier == 0)
      for (const std::uint32_t vertex : face_corner(polytopes_, polytopes_.tiers[0][item])) meet(vertex, out);
    return down(tier, item, out);
  }

  /// Counts visited entries; returns false if the limit is reached.
  [[nodiscard]] bool take(std::size_t entries) {
    if (entries > left_) return false;
    left_ -= entries;
    return true;
  }

 private:
  bool down(std::size_t tier, std::size_t item, std::vector<std::uint32_t>& out) {
    for (const std::uint32_t part : polytopes_.tiers[tier][item]) {
      if (!take(1)) return false;
      if (tier == 0) {
        for (const std::uint32_t vertex : polytopes_.edges[part]) meet(vertex, out);
      } else if (entered_[tier - 1].enter(part) && !down(tier - 1, part, out)) {
        return false;
      }
    }
    return true;
  }
  void meet(std::uint32_t vertex, std::vector<std::uint32_t>& out) {
    if (vertices_.enter(vertex)) out.push_back(vertex);
  }

  const Polytopes& polytopes_;
  Marks vertices_;
  std::vector<Marks> entered_;
  std::size_t left_;
};

struct Shared {
  std::uint32_t part;
  std::size_t in_first, in_second;  ///< its positions in the lists of the two items
};

/// Returns the first part of the first list that is also in the second.
std::optional<Shared> shared_part(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second) {
  std::vector<std::pair<std::uint32_t, std::size_t>> places;
  for (std::size_t i = 0; i < second.size(); ++i) places.emplace_back(second[i], i);
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto found = std::lower_bound(places.begin(), places.end(), std::pair(first[i], std::size_t{0}));
    if (found != places.end() && found->first == first[i]) return Shared{first[i], i, found->second};
  }
  return std::nullopt;
}

/// Finds the simplexes that define the orientation of items.
class Orientation {
 public:
  Orientation(const Polytopes& polytopes, std::size_t limit) : polytopes_(polytopes), walk_(polytopes, limit) {}

  /// `out` is empty if the item has no orientation. Returns false if the limit is reached.
  [[nodiscard]] bool item(std::size_t tier, std::size_t item, std::vector<std::uint32_t>& out) {
    out.clear();
    const std::span<const std::uint32_t> parts = polytopes_.tiers[tier][item];
    if (tier == 0) {
      out = face_corner(polytopes_, parts);
      return true;
    }
    if (parts.size() < 2) return true;
    const auto first = polytopes_.tiers[tier - 1][parts[0]], second = polytopes_.tiers[tier - 1][parts[1]];
    if (!walk_.take(first.size() + second.size())) return false;
    const auto shared = shared_part(first, second);
    if (!shared) return true;

    std::vector<std::uint32_t> middle, on;  // the shared part's orientation, and all its vertices
    if (!vertices_of(tier, shared->part, on)) return false;
    if (tier == 1)
      middle = on;  // an edge in its stored direction: only then does swapping the first two faces always flip the volume
    else if (!this->item(tier - 2, shared->part, middle))
      return false;
    std::sort(on.begin(), on.end());
    std::optional<std::uint32_t> start, end;
    if (!free_vertex(tier, first, shared->in_first, on, start) || !free_vertex(tier, second, shared->in_second, on, end)) return false;
    if (middle.empty() || !start || !end) return true;
    out.push_back(*start);
    out.insert(out.end(), middle.begin(), middle.end());
    out.push_back(*end);
    return true;
  }

 private:
  /// Finds the vertices of a part of a part of an item of `tier`.
  bool vertices_of(std::size_t tier, std::uint32_t part, std::vector<std::uint32_t>& out) {
    out.clear();
    if (tier > 1) return walk_.item(tier - 2, part, out);
    out.assign(polytopes_.edges[part].begin(), polytopes_.edges[part].end());
    return walk_.take(1);
  }
  /// Finds a vertex of the parts in `list` that is not in `on` (sorted). The search starts after position `at`.
  bool free_vertex(std::size_t tier, std::span<const std::uint32_t> list, std::size_t at, std::span<const std::uint32_t> on,
                   std::optional<std::uint32_t>& out) {
    const auto is_free = [&](std::uint32_t vertex) { return !std::binary_search(on.begin(), on.end(), vertex); };
    std::vector<std::uint32_t> vertices;
    for (std::size_t step = 1; step < list.size() && !out; ++step) {
      if (!vertices_of(tier, list[(at + step) % list.size()], vertices)) return false;
      if (const auto found = std::find_if(vertices.begin(), vertices.end(), is_free); found != vertices.end()) out = *found;
    }
    return true;
  }

  const Polytopes& polytopes_;
  Walk walk_;
};

Unexpected too_much(std::size_t limit) { return Unexpected(error("SINEW_GEOMETRY_LIMIT"_code, Failure::limit, {}, limit)); }

}  // namespace

IndexRows::IndexRows() : first(1) {}

void IndexRows::end_row() { first.push_back(indices.size()); }

Result<std::optional<IndexRows>> unpack_tier(std::span<const std::uint32_t> stream) SINEW_TRY {
  IndexRows rows;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t count = stream[at++];
    if (count > stream.size() - at) return std::nullopt;
    const auto item = stream.subspan(at, count);
    rows.indices.insert(rows.indices.end(), item.begin(), item.end());
    rows.end_row();
    at += count;
  }
  return rows;
}
SINEW_CATCH()

Result<IndexRows> item_vertices(const Polytopes& polytopes, std::size_t tier, std::size_t limit) SINEW_TRY {
  IndexRows out;
  Walk walk(polytopes, limit);
  for (std::size_t item = 0; item < polytopes.tiers[tier].size(); ++item) {
    if (!walk.item(tier, item, out.indices)) return too_much(limit);
    out.end_row();
  }
  return out;
}
SINEW_CATCH()

Result<IndexRows> orientation_simplexes(const Polytopes& polytopes, std::size_t tier, std::size_t limit) SINEW_TRY {
  IndexRows out;
  Orientation orientation(polytopes, limit);
  std::vector<std::uint32_t> simplex;
  for (std::size_t item = 0; item < polytopes.tiers[tier].size(); ++item) {
    if (!orientation.item(tier, item, simplex)) return too_much(limit);
    out.indices.insert(out.indices.end(), simplex.begin(), simplex.end());
    out.end_row();
  }
  return out;
}
SINEW_CATCH()

Result<std::vector<std::size_t>> polytope_runs(std::size_t corners, std::span<const std::uint32_t> simplexes) SINEW_TRY {
  std::vector<std::size_t> runs;
  const std::size_t count = simplexes.size() / corners;
  for (std::size_t s = 0; s < count; ++s)
    if (s == 0 || simplexes[s * corners] != simplexes[(s - 1) * corners]) runs.push_back(s);
  runs.push_back(count);
  return runs;
}
SINEW_CATCH()

}  // namespace sinew

// SPDX-License-Identifier: MIT
#include "operations/fit/riders.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "operations/weights/triangle_tree.hpp"

namespace sinew::operations::weights {

namespace {

constexpr double larger = 1.5;        ///< the area of a carrier, relative to that of the rider
constexpr double touching = 0.9;      ///< the share of the points of a rider that lie on carriers
constexpr double large_rider = 0.02;  ///< of the area of all: others may lie on it
constexpr std::size_t even_rounds = 24;
constexpr std::size_t lifts = 4;
constexpr std::size_t even_lift_rounds = 4;
constexpr std::size_t points_per_task = 64;

/// Sums of the areas of connected pieces.
std::vector<double> areas(const WeldedMesh& mesh) {
  std::vector<double> out(mesh.pieces);
  for (const Triangle& t : mesh.triangles)
    out[mesh.piece_of[t[0]]] += norm(cross(mesh.points[t[1]] - mesh.points[t[0]], mesh.points[t[2]] - mesh.points[t[0]]));
  return out;
}

/// The pieces that carry others.
class Carriers {
 public:
  Carriers(std::vector<Vec> points, std::vector<Triangle> triangles)
      : points_(std::move(points)), triangles_(std::move(triangles)), tree_(points_, triangles_), normals_(points_.size()) {
    for (const Triangle& t : triangles_) {
      const Vec normal = cross(points_[t[1]] - points_[t[0]], points_[t[2]] - points_[t[0]]);
      for (const std::uint32_t corner : t) normals_[corner] = normals_[corner] + normal;
    }
  }

  struct Over {
    double height = 0;  ///< negative: inside
    Vec normal{};       ///< of length 1, or zero
  };
  /// `side`: only surfaces that face this way count, or cloth would be left on its inner side; zero: all.
  [[nodiscard]] Over over(const Vec& point, const Vec& side) const {
    const Nearest at = tree_.nearest(point, TriangleTree::enough, [&](std::uint32_t triangle) {
      const Triangle& t = triangles_[triangle];
      return dot(cross(points_[t[1]] - points_[t[0]], points_[t[2]] - points_[t[0]]), side) >= 0;
    });
    if (!std::isfinite(at.square)) return {};
    Vec on{}, normal{};
    for (std::size_t i = 0; i < 3; ++i) {
      on = on + at.share[i] * points_[triangles_[at.triangle][i]];
      normal = normal + at.share[i] * normals_[triangles_[at.triangle][i]];
    }
    const double length = norm(normal);
    if (length > 0) normal = (1 / length) * normal;
    return {std::sqrt(at.square) * (dot(point - on, normal) < 0 ? -1 : 1), normal};
  }

 private:
  std::vector<Vec> points_;
  std::vector<Triangle> triangles_;
  TriangleTree tree_;
  std::vector<Vec> normals_;
};

/// Moves riders with what they lie on.
class Riding {
  struct Stages {
    Carriers made, before, now;
  };

 public:
  Riding(const WeldedMesh& before, std::span<const Vec> made, std::span<const std::uint8_t> alone, double reach, unsigned threads,
         std::vector<Vec>& points)
      : before_(before), made_(made), reach_(reach), threads_(threads), points_(points), area_(areas(before)), members_(before.pieces) {
    for (std::uint32_t i = 0; i < before.piece_of.size(); ++i) members_[before.piece_of[i]].push_back(i);
    find_below(alone);
  }

  void run() {
    std::vector<std::size_t> riders;
    for (std::size_t piece = 0; piece < before_.pieces; ++piece)
      if (rides(piece)) riders.push_back(piece);
    if (riders.empty()) return;
    std::ranges::sort(riders, [&](std::size_t a, std::size_t b) { return area_[a] != area_[b] ? area_[a] > area_[b] : a < b; });
    const double large = large_rider * std::accumulate(area_.begin(), area_.end(), 0.0);
    std::vector<bool> waits(before_.pieces);
    for (const std::size_t piece : riders) waits[piece] = true;
    std::optional<Stages> carriers;
    for (const std::size_t piece : riders) {
      if (!carriers) {
        std::vector<Triangle> firm;
        for (const Triangle& t : before_.triangles)
          if (!waits[before_.piece_of[t[0]]]) firm.push_back(t);
        carriers.emplace(Carriers({made_.begin(), made_.end()}, firm), Carriers(before_.points, firm), Carriers(points_, firm));
      }
      move(piece, *carriers);
      waits[piece] = false;
      if (area_[piece] > large) carriers.reset();  // later ones may lie on it: a buckle on its belt
    }
  }

 private:
  void find_below(std::span<const std::uint8_t> alone) {
    const TriangleTree tree(made_, before_.triangles);
    below_.resize(before_.points.size());
    parallel_for(below_.size(), points_per_task, threads_, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        if (alone[i] != 0) continue;
        const double own = area_[before_.piece_of[i]];
        below_[i] = tree.nearest(
            made_[i], TriangleTree::enough,
            [&](std::uint32_t triangle) { return area_[before_.piece_of[before_.triangles[triangle][0]]] > larger * own; },
            reach_ * reach_);
        if (below_[i].square > reach_ * reach_) below_[i] = {};
      }
    });
  }

  [[nodiscard]] bool lies_on(std::uint32_t point) const { return std::isfinite(below_[point].square); }

  [[nodiscard]] bool rides(std::size_t piece) const {
    const auto touched = std::ranges::count_if(members_[piece], [&](std::uint32_t point) { return lies_on(point); });
    return touched > 0 && static_cast<double>(touched) >= touching * static_cast<double>(members_[piece].size());
  }

  void move(std::size_t piece, const Stages& carriers) {
    const std::span<const std::uint32_t> members = members_[piece];
    std::vector<Vec> moves(members.size());
    Vec previous{};
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (lies_on(members[i])) previous = move_below(below_[members[i]]);
      moves[i] = previous;
    }
    even_out(members, even_rounds, moves);
    std::vector<Carriers::Over> needed(members.size());
    parallel_for(members.size(), points_per_task, threads_, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        needed[i] = {carriers.made.over(made_[members[i]], {}).height, carriers.before.over(before_.points[members[i]], {}).normal};
    });
    for (std::size_t round = 0; round < lifts; ++round) {
      std::vector<Vec> lift(members.size());
      parallel_for(members.size(), points_per_task, threads_, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          if (!(needed[i].height > 0)) continue;
          const Carriers::Over now = carriers.now.over(before_.points[members[i]] + moves[i], needed[i].normal);
          if (now.height < needed[i].height) lift[i] = std::min(needed[i].height - now.height, reach_) * now.normal;
        }
      });
      even_out(members, round + 1 < lifts ? even_lift_rounds : 0, lift);
      for (std::size_t i = 0; i < members.size(); ++i) moves[i] = moves[i] + lift[i];
    }
    for (std::size_t i = 0; i < members.size(); ++i) points_[members[i]] = before_.points[members[i]] + moves[i];
  }

  [[nodiscard]] Vec move_below(const Nearest& at) const {
    const Triangle& t = before_.triangles[at.triangle];
    Vec move{};
    for (std::size_t i = 0; i < 3; ++i) move = move + at.share[i] * (points_[t[i]] - before_.points[t[i]]);
    return move;
  }

  /// Makes the vectors of neighbours more alike.
  void even_out(std::span<const std::uint32_t> members, std::size_t rounds, std::vector<Vec>& vectors) const {
    const auto of = [&](std::uint32_t point) {
      return &vectors[static_cast<std::size_t>(std::ranges::lower_bound(members, point) - members.begin())];
    };
    for (std::size_t round = 0; round < rounds; ++round) {
      std::vector<Vec> next = vectors;
      for (std::size_t i = 0; i < vectors.size(); ++i)
        if (const auto mean = mean_around(neighbours_, members[i], of)) next[i] = 0.5 * (vectors[i] + *mean);
      vectors.swap(next);
    }
  }

  const WeldedMesh& before_;
  std::span<const Vec> made_;
  double reach_;
  unsigned threads_;
  std::vector<Vec>& points_;
  std::vector<double> area_;                         ///< by piece
  std::vector<std::vector<std::uint32_t>> members_;  ///< by piece: its points, ascending
  std::vector<Nearest> below_;                       ///< by point: on larger pieces; infinitely far: none within reach
  Neighbours neighbours_ = Neighbours::create(before_);
};

}  // namespace

void carry_riders(const WeldedMesh& before, std::span<const Vec> made, std::span<const std::uint8_t> alone, double reach, unsigned threads,
                  std::vector<Vec>& points) {
  if (before.pieces > 1) Riding(before, made, alone, reach, threads, points).run();
}

}  // namespace sinew::operations::weights

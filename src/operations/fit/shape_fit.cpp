// SPDX-License-Identifier: MIT
#include "operations/fit/shape_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "base/parallel.hpp"
#include "operations/skeletons/hierarchy.hpp"
#include "operations/weights/own_weights.hpp"

namespace sinew::operations::weights {

namespace {

constexpr std::size_t fewest_points = 8;  ///< of a surface around a bone
constexpr std::size_t alignments = 20;    ///< rounds of fitting one surface to another
constexpr std::size_t samples = 400;      ///< points for that, of each surface
constexpr double trusted = 0.7;           ///< share of the nearest pairs that count: the others are hair, ears, horns
constexpr double uneven = 1.35;           ///< the stretch of an axis differs from the mean by this factor at most
constexpr double longest = 0.15;          ///< of a move around a bone, relative to the diagonal of the body
constexpr std::size_t rounds_of_evening = 12;
constexpr double covered_share = 0.6;  ///< of the weights of the clothes must be on bones with a surface on both figures
constexpr std::size_t per_task = 64;

/// Stretches along the axes of the world about a point that moves.
struct Stretch {
  Vec from{}, to{}, factor{1, 1, 1};

  [[nodiscard]] Vec of(const Vec& p) const {
    return {to[0] + factor[0] * (p[0] - from[0]), to[1] + factor[1] * (p[1] - from[1]), to[2] + factor[2] * (p[2] - from[2])};
  }
  [[nodiscard]] Vec back(const Vec& q) const {
    return {from[0] + (q[0] - to[0]) / factor[0], from[1] + (q[1] - to[1]) / factor[1], from[2] + (q[2] - to[2]) / factor[2]};
  }
};

/// The part of a figure's outer surface that follows one bone of the body.
struct Patch {
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> points;
  std::optional<TriangleTree> tree;

  [[nodiscard]] Vec nearest(const OuterSurface& of, const Vec& point) const {
    const Nearest found = tree->nearest(point, TriangleTree::enough);
    Vec out{};
    for (std::size_t i = 0; i < 3; ++i) out = out + found.share[i] * of.points()[triangles[found.triangle][i]];
    return out;
  }
};

/// Returns the places below which a tenth and nine tenths of the points lie, along each axis.
std::array<Vec, 2> middle_box(const OuterSurface& of, const std::vector<std::uint32_t>& points) {
  std::array<Vec, 2> out{};
  std::vector<double> places(points.size());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::ranges::transform(points, places.begin(), [&](std::uint32_t p) { return of.points()[p][axis]; });
    std::ranges::sort(places);
    out[0][axis] = places[places.size() / 10];
    out[1][axis] = places[places.size() - 1 - places.size() / 10];
  }
  return out;
}

/// Finds the stretch that brings one surface onto another: nearest points from both sides, again and again, without the worst pairs (the
/// trimmed iterative closest point method).
class Alignment {
 public:
  Alignment(const OuterSurface& source, const Patch& from, const OuterSurface& target, const Patch& to)
      : source_(source), from_(from), target_(target), to_(to) {}

  [[nodiscard]] Stretch run() {
    const auto ours = middle_box(source_, from_.points), theirs = middle_box(target_, to_.points);
    double volume = 1, wanted = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      volume *= std::max(ours[1][axis] - ours[0][axis], 1e-9);
      wanted *= std::max(theirs[1][axis] - theirs[0][axis], 1e-9);
    }
    const double mean = std::cbrt(wanted / volume);
    stretch_ = {0.5 * (ours[0] + ours[1]), 0.5 * (theirs[0] + theirs[1]), {mean, mean, mean}};
    for (std::size_t round = 0; round < alignments; ++round) improve();
    return stretch_;
  }

 private:
  struct Pair {
    Vec from, to;
    double square;
  };

  void improve() {
    std::vector<Pair> pairs, others;
    const auto step = [](std::size_t count) { return std::max<std::size_t>(1, count / samples); };
    for (std::size_t i = 0; i < from_.points.size(); i += step(from_.points.size())) {
      const Vec& point = source_.points()[from_.points[i]];
      add(pairs, point, to_.nearest(target_, stretch_.of(point)));
    }
    for (std::size_t i = 0; i < to_.points.size(); i += step(to_.points.size())) {
      const Vec& point = target_.points()[to_.points[i]];
      add(others, from_.nearest(source_, stretch_.back(point)), point);
    }
    keep_best(pairs);
    keep_best(others);
    pairs.insert(pairs.end(), others.begin(), others.end());
    Vec ours{}, theirs{};
    for (const Pair& pair : pairs) {
      ours = ours + pair.from;
      theirs = theirs + pair.to;
    }
    stretch_.from = (1.0 / static_cast<double>(pairs.size())) * ours;
    stretch_.to = (1.0 / static_cast<double>(pairs.size())) * theirs;
    Vec across{}, along{};
    for (const Pair& pair : pairs)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double x = pair.from[axis] - stretch_.from[axis], y = pair.to[axis] - stretch_.to[axis];
        across[axis] += x * y;
        along[axis] += x * x;
      }
    double sum_across = 0, sum_along = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sum_across += across[axis];
      sum_along += along[axis];
    }
    if (!(sum_across > 0) || !(sum_along > 0)) return;
    const double mean = sum_across / sum_along;
    for (std::size_t axis = 0; axis < 3; ++axis)
      stretch_.factor[axis] = along[axis] > 0 ? std::clamp(across[axis] / along[axis], mean / uneven, mean * uneven) : mean;
  }

  void add(std::vector<Pair>& pairs, const Vec& from, const Vec& to) const {
    const Vec apart = stretch_.of(from) - to;
    pairs.push_back({from, to, dot(apart, apart)});
  }

  static void keep_best(std::vector<Pair>& pairs) {
    std::ranges::sort(pairs, {}, &Pair::square);
    pairs.resize(std::max<std::size_t>(1, static_cast<std::size_t>(trusted * static_cast<double>(pairs.size()))));
  }

  const OuterSurface& source_;
  const Patch& from_;
  const OuterSurface& target_;
  const Patch& to_;
  Stretch stretch_;
};

/// What one bone of the body says about the two figures.
struct BoneShape {
  Patch wearer, body;
  std::vector<Vec> bone;           ///< its place, and those of the next bones
  std::optional<Stretch> stretch;  ///< of the last bone of a chain

  /// Returns the place inside of the bone that is nearest to a point.
  [[nodiscard]] Vec axis_at(const Vec& point) const {
    Vec best = bone.front();
    double least = dot(point - best, point - best);
    for (std::size_t i = 1; i < bone.size(); ++i) {
      const Vec place = nearest_on_segment(point, bone.front(), bone[i]);
      const double distance = dot(point - place, point - place);
      if (distance < least) {
        least = distance;
        best = place;
      }
    }
    return best;
  }
};

class ShapeFit {
 public:
  ShapeFit(const Figure& body, const Figure& wearer, std::span<const Index> twin, const Model& clothes_model, unsigned threads,
           RiggedSurface& clothes)
      : body_(body), wearer_(wearer), twin_(twin), clothes_model_(clothes_model), threads_(threads), clothes_(clothes) {}

  bool run() {
    choose_bones();
    if (!covers()) return false;
    make_shapes();
    move();
    return true;
  }

 private:
  using Moves = std::vector<std::optional<Vec>>;

  /// The bone of the body that stands for a node of a figure or of the clothes.
  [[nodiscard]] Index bone_of(const Model& model, std::span<const Index> twin, Index node) const {
    node = matched_at_or_above(model, twin, node);
    for (Index own = node == none ? none : twin[node]; own != none; own = body_.model.nodes[own].parent)
      if (chosen_[own]) return own;
    return none;
  }

  [[nodiscard]] std::vector<Index> bones_of_joints(const Model& model, std::span<const Index> twin,
                                                   const std::vector<Index>& joints) const {
    std::vector<Index> out;
    for (const Index joint : joints) out.push_back(bone_of(model, twin, joint));
    return out;
  }

  /// Returns the bones of the body that the points of a figure follow; none for hidden points.
  [[nodiscard]] std::vector<Index> bones_of_points(const Figure& figure) const {
    const std::vector<Index> of_joint = bones_of_joints(figure.model, figure.twin, figure.rigged.joints);
    std::vector<Index> out(figure.outer.points().size(), none);
    for (std::size_t point = 0; point < out.size(); ++point)
      if (const auto joint = figure.outer.joint(point); joint && figure.outer.shows(point)) out[point] = of_joint[*joint];
    return out;
  }

  [[nodiscard]] std::vector<std::size_t> points_at_bones(const Figure& figure) const {
    std::vector<std::size_t> counts(body_.model.nodes.size());
    for (const Index bone : bones_of_points(figure))
      if (bone != none) ++counts[bone];
    return counts;
  }

  /// Chooses the bones with a surface on both figures; the surface of other bones counts to the next one above.
  void choose_bones() {
    chosen_.assign(body_.model.nodes.size(), false);
    for (const Index node : wearer_.twin)
      if (node != none) chosen_[node] = true;
    matched_ = chosen_;
    while (true) {
      const auto ours = points_at_bones(wearer_), theirs = points_at_bones(body_);
      std::optional<Index> lowest;  // with too few points; below other such bones
      for (Index node = 0; node < chosen_.size(); ++node) {
        if (!chosen_[node] || (ours[node] >= fewest_points && theirs[node] >= fewest_points)) continue;
        if (!lowest || is_above(body_.model, *lowest, body_.model.nodes[node].parent)) lowest = node;
      }
      if (!lowest) return;
      chosen_[*lowest] = false;
    }
  }

  [[nodiscard]] bool covers() {
    bone_of_joint_ = bones_of_joints(clothes_model_, twin_, clothes_.joints);
    std::size_t covered = 0;
    for (const std::uint32_t joint : clothes_.surface.joint) {
      const Index twin = twin_[clothes_.joints[joint]];
      const bool merged_up = twin != none && matched_[twin] && !chosen_[twin];
      covered += bone_of_joint_[joint] != none && !merged_up ? 1 : 0;
    }
    return covered > 0 && static_cast<double>(covered) >= covered_share * static_cast<double>(clothes_.surface.joint.size());
  }

  void fill(const Figure& figure, Patch BoneShape::* patch) {
    const std::vector<Index> bone_at = bones_of_points(figure);
    for (std::uint32_t point = 0; point < bone_at.size(); ++point)
      if (const auto found = shapes_.find(bone_at[point]); found != shapes_.end()) (found->second.*patch).points.push_back(point);
    for (const Triangle& t : figure.outer.triangles()) {
      const std::set<Index> bones{bone_at[t[0]], bone_at[t[1]], bone_at[t[2]]};
      for (const Index bone : bones)
        if (const auto found = shapes_.find(bone); found != shapes_.end()) (found->second.*patch).triangles.push_back(t);
    }
    for (auto& [bone, shape] : shapes_) (shape.*patch).tree.emplace(figure.outer.points(), (shape.*patch).triangles);
  }

  void make_shapes() {
    std::vector<Index> bones;
    for (Index node = 0; node < chosen_.size(); ++node)
      if (chosen_[node]) bones.push_back(node);
    const auto places = bones_of(body_.model, bones);
    for (std::size_t i = 0; i < bones.size(); ++i) shapes_[bones[i]].bone = places[i];
    fill(wearer_, &BoneShape::wearer);
    fill(body_, &BoneShape::body);
    std::erase_if(shapes_, [](const auto& own) { return own.second.wearer.triangles.empty() || own.second.body.triangles.empty(); });
    for (auto& [bone, shape] : shapes_)
      if (shape.bone.size() == 1) shape.stretch = Alignment(wearer_.outer, shape.wearer, body_.outer, shape.body).run();
  }

  /// Where a point goes by one bone; nothing if one of the surfaces does not lie in its direction.
  [[nodiscard]] std::optional<Vec> move_by(const BoneShape& shape, const Vec& point) const {
    if (shape.stretch) return shape.stretch->of(point) - point;
    const double far = body_.outer.diagonal();
    const Vec centre = shape.axis_at(point), way = point - centre;
    const double length = norm(way);
    if (!(length > 1e-9 * far)) return std::nullopt;
    const auto ours = shape.wearer.tree->last_hit(centre, (far / length) * way);
    const auto theirs = shape.body.tree->last_hit(centre, (far / length) * way);
    if (!ours || !theirs) return std::nullopt;
    return (std::clamp((*theirs - *ours) * far, -longest * far, longest * far) / length) * way;
  }

  void move() {
    std::vector<Vec>& points = clothes_.surface.vertices;
    const WeldedMesh mesh = WeldedMesh::create(points, clothes_.surface.triangles);
    Moves moves(mesh.points.size());
    std::vector<std::uint32_t> vertex_of(mesh.points.size());
    for (std::uint32_t vertex = 0; vertex < points.size(); ++vertex) vertex_of[mesh.point_of[vertex]] = vertex;
    parallel_for(moves.size(), per_task, threads_, [&](std::size_t first, std::size_t last) {
      for (std::size_t point = first; point < last; ++point) moves[point] = move_of(vertex_of[point]);
    });
    even_out(mesh, moves);
    for (std::size_t vertex = 0; vertex < points.size(); ++vertex)
      if (const auto& move = moves[mesh.point_of[vertex]]) points[vertex] = points[vertex] + *move;
  }

  [[nodiscard]] std::optional<Vec> move_of(std::uint32_t vertex) const {
    Vec sum{};
    double known = 0;
    for (std::size_t i = clothes_.surface.first[vertex]; i < clothes_.surface.first[vertex + 1]; ++i) {
      const auto shape = shapes_.find(bone_of_joint_[clothes_.surface.joint[i]]);
      if (shape == shapes_.end()) continue;
      const auto move = move_by(shape->second, clothes_.surface.vertices[vertex]);
      if (!move) continue;
      sum = sum + clothes_.surface.weight[i] * *move;
      known += clothes_.surface.weight[i];
    }
    if (!(known > 0)) return std::nullopt;
    return (1 / known) * sum;
  }

  /// Points without a move get the mean of their neighbours'; then neighbours become more alike.
  static void even_out(const WeldedMesh& mesh, Moves& moves) {
    const Neighbours neighbours = Neighbours::create(mesh);
    const auto mean_around = [&](std::size_t point) -> std::optional<Vec> {
      Vec sum{};
      std::size_t count = 0;
      for (const std::uint32_t other : neighbours.of(point)) {
        if (!moves[other]) continue;
        sum = sum + *moves[other];
        ++count;
      }
      if (count == 0) return std::nullopt;
      return (1.0 / static_cast<double>(count)) * sum;
    };
    for (bool changed = true; changed;) {
      changed = false;
      Moves next = moves;
      for (std::size_t point = 0; point < moves.size(); ++point) {
        if (moves[point]) continue;
        next[point] = mean_around(point);
        changed |= next[point].has_value();
      }
      moves.swap(next);
    }
    for (std::size_t round = 0; round < rounds_of_evening; ++round) {
      Moves next = moves;
      for (std::size_t point = 0; point < moves.size(); ++point)
        if (const auto mean = mean_around(point); mean && moves[point]) next[point] = 0.5 * (*moves[point] + *mean);
      moves.swap(next);
    }
  }

  const Figure& body_;
  const Figure& wearer_;
  std::span<const Index> twin_;
  const Model& clothes_model_;
  unsigned threads_;
  RiggedSurface& clothes_;
  std::vector<bool> chosen_, matched_;  ///< by node of the body
  std::vector<Index> bone_of_joint_;    ///< by joint of the clothes
  std::map<Index, BoneShape> shapes_;   ///< by node of the body
};

}  // namespace

bool follow_shape(const Figure& body, const Figure& wearer, std::span<const Index> twin, const Model& clothes_model, unsigned threads,
                  RiggedSurface& clothes) {
  return ShapeFit(body, wearer, twin, clothes_model, threads, clothes).run();
}

}  // namespace sinew::operations::weights

// SPDX-License-Identifier: MIT
#include "operations/fit/shape_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/parallel.hpp"

namespace sinew::operations::weights {

namespace {

constexpr double longest = 0.15;  ///< of a move around a bone, relative to the diagonal of the body
constexpr std::size_t rounds_of_evening = 12;
constexpr double covered_share = 0.6;  ///< of the weights of the clothes must be on bones with a surface on both figures
constexpr std::size_t per_task = 64;

class ShapeFit {
 public:
  ShapeFit(const Figure& body, const Figure& wearer, std::span<const Index> twin, const Model& clothes_model, unsigned threads,
           RiggedSurface& clothes)
      : body_(body), shapes_(body, wearer), twin_(twin), clothes_model_(clothes_model), threads_(threads), clothes_(clothes) {}

  std::optional<std::vector<bool>> run() {
    for (const Index joint : clothes_.joints) bone_of_joint_.push_back(shapes_.bone_of(clothes_model_, twin_, joint));
    if (!covers()) return std::nullopt;
    for (const std::uint32_t joint : clothes_.surface.joint) shapes_.prepare(bone_of_joint_[joint]);
    std::vector<bool> mapped = at_last_bones();
    move();
    return mapped;
  }

 private:
  using Moves = std::vector<std::optional<Vec>>;

  [[nodiscard]] bool covers() {
    std::size_t covered = 0;
    for (const std::uint32_t joint : clothes_.surface.joint) {
      const Index twin = twin_[clothes_.joints[joint]];
      const bool merged_up = twin != none && shapes_.merged_up(twin);
      covered += bone_of_joint_[joint] != none && !merged_up ? 1 : 0;
    }
    return covered > 0 && static_cast<double>(covered) >= covered_share * static_cast<double>(clothes_.surface.joint.size());
  }

  /// Where a point goes by one bone: as the map of its surface says; without one, seen from the middle of its surface, as much farther as
  /// the surface of the body is; nothing if one of the surfaces does not lie in its direction.
  [[nodiscard]] std::optional<Vec> move_by(const BoneShape& shape, const Vec& point) const {
    if (shape.map) return shape.map->of(point) - point;
    if (shape.chest != nullptr) return shape.chest->of(point) - point;
    const double far = body_.outer.diagonal();
    const Vec axis = shape.axis_at(point), ours_at = axis + shape.wearer_middle, theirs_at = axis + shape.body_middle;
    const Vec way = point - ours_at;
    const double length = norm(way);
    if (!(length > 1e-9 * far)) return std::nullopt;
    const auto ours = shape.wearer.tree->last_hit(ours_at, (far / length) * way);
    const auto theirs = shape.body.tree->last_hit(theirs_at, (far / length) * way);
    if (!ours || !theirs) return std::nullopt;
    return theirs_at - ours_at + (std::clamp((*theirs - *ours) * far, -longest * far, longest * far) / length) * way;
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

  /// By vertex: whether bones with a map of their surface have most of the weight.
  [[nodiscard]] std::vector<bool> at_last_bones() const {
    std::vector<bool> out(clothes_.surface.vertices.size());
    for (std::size_t vertex = 0; vertex < out.size(); ++vertex) {
      double share = 0;
      for (std::size_t i = clothes_.surface.first[vertex]; i < clothes_.surface.first[vertex + 1]; ++i)
        if (const BoneShape* const shape = shapes_.find(bone_of_joint_[clothes_.surface.joint[i]]); shape != nullptr && shape->map)
          share += clothes_.surface.weight[i];
      out[vertex] = share > 0.5;
    }
    return out;
  }

  [[nodiscard]] std::optional<Vec> move_of(std::uint32_t vertex) const {
    Vec sum{};
    double known = 0;
    for (std::size_t i = clothes_.surface.first[vertex]; i < clothes_.surface.first[vertex + 1]; ++i) {
      const BoneShape* const shape = shapes_.find(bone_of_joint_[clothes_.surface.joint[i]]);
      if (shape == nullptr) continue;
      const auto move = move_by(*shape, clothes_.surface.vertices[vertex]);
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
    const auto mean = [&](std::size_t point) {
      return mean_around(neighbours, point, [&](std::uint32_t other) { return moves[other] ? &*moves[other] : nullptr; });
    };
    for (bool changed = true; changed;) {
      changed = false;
      Moves next = moves;
      for (std::size_t point = 0; point < moves.size(); ++point) {
        if (moves[point]) continue;
        next[point] = mean(point);
        changed |= next[point].has_value();
      }
      moves.swap(next);
    }
    for (std::size_t round = 0; round < rounds_of_evening; ++round) {
      Moves next = moves;
      for (std::size_t point = 0; point < moves.size(); ++point)
        if (const auto around = mean(point); around && moves[point]) next[point] = 0.5 * (*moves[point] + *around);
      moves.swap(next);
    }
  }

  const Figure& body_;
  BoneShapes shapes_;
  std::span<const Index> twin_;
  const Model& clothes_model_;
  unsigned threads_;
  RiggedSurface& clothes_;
  std::vector<Index> bone_of_joint_;  ///< by joint of the clothes
};

}  // namespace

std::optional<std::vector<bool>> follow_shape(const Figure& body, const Figure& wearer, std::span<const Index> twin,
                                              const Model& clothes_model, unsigned threads, RiggedSurface& clothes) {
  return ShapeFit(body, wearer, twin, clothes_model, threads, clothes).run();
}

}  // namespace sinew::operations::weights

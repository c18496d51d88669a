// SPDX-License-Identifier: MIT
#include "operations/weights/far_pieces.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "operations/weights/triangle_tree.hpp"

namespace sinew::operations::weights {

namespace {

constexpr double small_piece = 0.1;      // relative to the diagonal of the clothes
constexpr std::size_t rigid_joints = 4;  // of a rigid piece
constexpr double noticed = 1e-6;         // a smaller weight is a rounding

/// Returns the triangles of pieces with weights, and their points without a triangle as triangles of one point.
std::vector<Triangle> weighted_triangles(const WeldedMesh& mesh, const std::vector<std::uint8_t>& weighted) {
  std::vector<Triangle> out;
  std::vector<std::uint8_t> used(mesh.points.size());
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t corner : t) used[corner] = 1;
    if (weighted[mesh.piece_of[t[0]]] != 0) out.push_back(t);
  }
  for (std::uint32_t i = 0; i < mesh.points.size(); ++i)
    if (used[i] == 0 && weighted[mesh.piece_of[i]] != 0) out.push_back({i, i, i});
  return out;
}

void add_at(const WeightField& field, const Triangle& triangle, const Nearest& nearest, double factor, std::span<double> out) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t joint = 0; joint < out.size(); ++joint) out[joint] += factor * nearest.share[i] * field.row(triangle[i])[joint];
}

}  // namespace

std::vector<double> cut_weights(std::span<double> row, std::size_t most, double least) {
  std::vector<std::size_t> order;
  for (std::size_t joint = 0; joint < row.size(); ++joint)
    if (row[joint] > 0) order.push_back(joint);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
  std::vector<double> cut;
  double sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    double& weight = row[order[i]];
    if (i == 0 || (i < most && weight >= least)) {
      sum += weight;
      continue;
    }
    if (weight > noticed) cut.push_back(weight);
    weight = 0;
  }
  for (const std::size_t joint : order) row[joint] /= sum;
  return cut;
}

void copy_from_neighbours(const WeldedMesh& mesh, double reach, std::vector<std::uint8_t>& weighted, WeightField& field, unsigned threads) {
  std::vector<std::vector<std::uint32_t>> members(mesh.pieces);
  for (std::uint32_t i = 0; i < mesh.points.size(); ++i)
    if (weighted[mesh.piece_of[i]] == 0) members[mesh.piece_of[i]].push_back(i);
  for (bool again = true; again;) {  // a button on a pouch on a belt
    again = false;
    const std::vector<Triangle> triangles = weighted_triangles(mesh, weighted);
    if (triangles.empty()) return;
    const TriangleTree tree(mesh.points, triangles);
    std::vector<std::uint32_t> reached;
    for (std::uint32_t piece = 0; piece < mesh.pieces; ++piece) {
      const std::vector<std::uint32_t>& points = members[piece];
      if (points.empty() || weighted[piece] != 0) continue;
      std::vector<Nearest> nearest(points.size());
      parallel_for(points.size(), 64, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) nearest[i] = tree.nearest(mesh.points[points[i]]);
      });
      if (std::ranges::min(nearest, {}, &Nearest::square).square > reach * reach) continue;
      std::vector<Vec> places;
      for (const std::uint32_t point : points) places.push_back(mesh.points[point]);
      const bool rigid = box_diagonal(places) <= small_piece * mesh.diagonal;
      std::vector<double> mean(field.joints());
      for (std::size_t i = 0; i < points.size(); ++i) {
        const Triangle& triangle = triangles[nearest[i].triangle];
        add_at(field, triangle, nearest[i], 1.0 / static_cast<double>(points.size()), mean);
        if (!rigid) add_at(field, triangle, nearest[i], 1, field.row(points[i]));
      }
      if (rigid) {
        cut_weights(mean, rigid_joints, 0);
        for (const std::uint32_t point : points) std::ranges::copy(mean, field.row(point).begin());
      }
      reached.push_back(piece);
    }
    for (const std::uint32_t piece : reached) weighted[piece] = 1;
    again = !reached.empty();
  }
}

}  // namespace sinew::operations::weights

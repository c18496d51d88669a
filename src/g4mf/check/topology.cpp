// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>
#include <utility>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "g4mf/check/checks.hpp"

#include "sinew/geometry.hpp"

namespace sinew::g4mf {

namespace {

using List = std::span<const std::uint32_t>;

// Relative tolerance, because coordinates are usually float32.
constexpr double flatness = 1e-4;
// Limits the work for a small file.
constexpr std::size_t most_steps = 50'000'000;

/// The flat through some points, with orthonormal directions from the first point.
class Flat {
 public:
  Flat(const std::vector<double>& positions, std::size_t dimension, std::size_t most)
      : positions_(positions), dimension_(dimension), most_(most) {}

  /// Adds a direction to the point if the point is outside and another direction is allowed.
  void add(std::uint32_t vertex) {
    if (origin_ == none) {
      origin_ = vertex;
      return;
    }
    std::vector<double> rest = offset(vertex);
    const double length = norm(rest);
    size_ = std::max(size_, length);
    if (directions_.size() == most_) return;
    reject(rest);
    const double left = norm(rest);
    if (left <= flatness * length) return;
    for (double& x : rest) x /= left;
    directions_.push_back(std::move(rest));
  }
  [[nodiscard]] bool full() const { return directions_.size() == most_; }
  /// Returns the distance of a point from the flat; 0 within the tolerance.
  [[nodiscard]] double distance(std::uint32_t vertex) const {
    std::vector<double> rest = offset(vertex);
    const double length = norm(rest);
    reject(rest);
    const double left = norm(rest);
    return left > flatness * std::max(size_, length) ? left : 0;
  }

 private:
  [[nodiscard]] std::vector<double> offset(std::uint32_t vertex) const {
    std::vector<double> difference(dimension_);
    for (std::size_t c = 0; c < dimension_; ++c) difference[c] = positions_[vertex * dimension_ + c] - positions_[origin_ * dimension_ + c];
    return difference;
  }
  static double norm(const std::vector<double>& vector) {
    double sum = 0;
    for (const double x : vector) sum += x * x;
    return std::sqrt(sum);
  }
  void reject(std::vector<double>& vector) const {
    for (const std::vector<double>& direction : directions_) {
      double dot = 0;
      for (std::size_t c = 0; c < dimension_; ++c) dot += vector[c] * direction[c];
      for (std::size_t c = 0; c < dimension_; ++c) vector[c] -= dot * direction[c];
    }
  }

  const std::vector<double>& positions_;
  std::size_t dimension_, most_;
  std::uint32_t origin_ = none;
  double size_ = 0;
  std::vector<std::vector<double>> directions_;
};

class TopologyChecks {
 public:
  TopologyChecks(Reader& reader, JsonValue geometry, const Mesh& mesh, const Surface& surface)
      : reader_(reader), values_(list_of(geometry)), dimension_(reader.dimension()) {
    const Array& vertices = mesh.blocks.front().attributes.front().values;
    positions_ = vertices.read<double>();
    complete_ = dimension_ > 0 && positions_.size() == mesh.blocks.front().vertices * dimension_ && mesh.defect == none;
    edges_ = surface.edges.read<std::uint32_t>();
    for (const Array& tier : surface.topology->tiers)
      if (auto rows = need(unpack_tier(tier.read<std::uint32_t>()))) tiers_.push_back(std::move(*rows));
  }

  void run() {
    if (tiers_.empty() || !complete_) return;
    check_faces();
    below_ = face_vertices();
    for (std::size_t tier = 1; tier < tiers_.size() && steps_ < most_steps; ++tier) {
      IndexRows vertices = vertices_of(tier);
      if (steps_ >= most_steps) return;
      check_items(tier, vertices);
      below_ = std::move(vertices);
    }
  }

 private:
  [[nodiscard]] std::uint32_t end(std::uint32_t edge, std::size_t side) const { return edges_[2 * std::size_t{edge} + side]; }
  // Returns the other end of an edge with `vertex`, or `none` if the edge does not have it.
  [[nodiscard]] std::uint32_t across(std::uint32_t edge, std::uint32_t vertex) const {
    if (end(edge, 0) == vertex) return end(edge, 1);
    return end(edge, 1) == vertex ? end(edge, 0) : none;
  }

  /// Only the first finding of each kind per tier is reported.
  struct ReportedFaults {
    bool first = false, closed = false, flat = false;
  };

  void check_faces() {
    ReportedFaults reported;
    for (std::size_t face = 0; face < tiers_[0].size(); ++face) {
      const List edges = tiers_[0][face];
      if (edges.size() < 2) continue;
      std::uint32_t start = none, shared = none;
      for (const std::size_t side : {0U, 1U})
        if (shared == none && across(edges[1], end(edges[0], side)) != none) {
          shared = end(edges[0], side);
          start = end(edges[0], 1 - side);
        }
      if (shared == none) {
        if (!std::exchange(reported.first, true)) reader_.report("G4MF_TOPOLOGY_FACE_FIRST_EDGES"_code, values_[0]);
        continue;
      }
      check_loop(face, edges, start, shared, reported);
      check_plane(face, edges, start, shared, reported);
    }
  }

  void check_loop(std::size_t face, List edges, std::uint32_t start, std::uint32_t shared, ReportedFaults& reported) {
    std::uint32_t at = shared;
    std::size_t k = 1;
    for (; k < edges.size(); ++k) {
      const std::uint32_t next = across(edges[k], at);
      if (next == none) break;
      at = next;
    }
    if ((k < edges.size() || (at != start && edges.size() > 2)) && !std::exchange(reported.closed, true))
      reader_.report("G4MF_TOPOLOGY_FACE_NOT_LOOP"_code, values_[0], face, k < edges.size() ? k : 0);
  }

  void check_plane(std::size_t face, List edges, std::uint32_t start, std::uint32_t shared, ReportedFaults& reported) {
    if (dimension_ < 3 || reported.flat) return;
    Flat plane(positions_, dimension_, 2);
    for (const std::uint32_t vertex : {shared, start, across(edges[1], shared)}) plane.add(vertex);
    for (const std::uint32_t edge : edges)
      for (const std::size_t side : {0U, 1U})
        if (const double distance = plane.full() ? plane.distance(end(edge, side)) : 0; distance > 0 && !std::exchange(reported.flat, true))
          reader_.report("G4MF_TOPOLOGY_FACE_NOT_PLANAR"_code, values_[0], face, end(edge, side), distance);
  }

  void add_once(IndexRows& rows, List vertices, std::uint32_t item) {
    steps_ += vertices.size();
    for (const std::uint32_t vertex : vertices)
      if (std::exchange(seen_by_[vertex], item) != item) rows.indices.push_back(vertex);
  }

  [[nodiscard]] IndexRows face_vertices() {
    seen_by_.assign(positions_.size() / std::max<std::size_t>(dimension_, 1), none);
    IndexRows rows;
    for (std::size_t face = 0; face < tiers_[0].size(); ++face) {
      for (const std::uint32_t edge : tiers_[0][face])
        add_once(rows, List(edges_).subspan(2 * std::size_t{edge}, 2), static_cast<std::uint32_t>(face));
      rows.end_row();
    }
    return rows;
  }

  [[nodiscard]] IndexRows vertices_of(std::size_t tier) {
    seen_by_.assign(seen_by_.size(), none);
    IndexRows rows;
    for (std::size_t item = 0; item < tiers_[tier].size() && steps_ < most_steps; ++item) {
      for (const std::uint32_t element : tiers_[tier][item]) add_once(rows, below_[element], static_cast<std::uint32_t>(item));
      rows.end_row();
    }
    return rows;
  }

  // Tier 1 contains 3D cells, which faces close along edges. Higher tiers are one dimension up each.
  void check_items(std::size_t tier, const IndexRows& vertices) {
    ReportedFaults reported;
    for (std::size_t item = 0; item < tiers_[tier].size() && steps_ < most_steps; ++item) {
      const List elements = tiers_[tier][item];
      if (elements.size() < 2) continue;
      const List first = tiers_[tier - 1][elements[0]], second = tiers_[tier - 1][elements[1]];
      const std::unordered_set<std::uint32_t> parts(second.begin(), second.end());
      const bool shared = std::ranges::any_of(first, [&](std::uint32_t part) { return parts.contains(part); });
      steps_ += first.size() + second.size();
      const Code code = tier == 1 ? "G4MF_TOPOLOGY_CELL_FIRST_FACES"_code : "G4MF_TOPOLOGY_HIGHER_FIRST_ITEMS"_code;
      if (!shared && !std::exchange(reported.first, true)) reader_.report(code, values_[tier], item);
      if (!reported.closed) check_closed(tier, item, reported);
      if (!reported.flat && dimension_ > tier + 2) check_flat(tier, item, vertices[item], reported);
    }
  }

  // Every part must belong to exactly two elements of the item.
  void check_closed(std::size_t tier, std::size_t item, ReportedFaults& reported) {
    std::map<std::uint32_t, std::size_t> users;
    for (const std::uint32_t element : tiers_[tier][item]) {
      steps_ += tiers_[tier - 1][element].size();
      if (steps_ >= most_steps) return;
      for (const std::uint32_t part : tiers_[tier - 1][element]) ++users[part];
    }
    for (const auto& [part, count] : users) {
      if (count == 2) continue;
      reported.closed = true;
      if (tier == 1) return reader_.report("G4MF_TOPOLOGY_CELL_NOT_CLOSED"_code, values_[tier], item, count, part);
      return reader_.report("G4MF_TOPOLOGY_HIGHER_NOT_CLOSED"_code, values_[tier], item,
                            format_text("{} of its elements have part {} of tier {}, expected 2", count, part, tier - 2));
    }
  }

  void check_flat(std::size_t tier, std::size_t item, List vertices, ReportedFaults& reported) {
    Flat space(positions_, dimension_, tier + 2);
    for (std::size_t k = 0; k < 2; ++k)
      for (const std::uint32_t vertex : below_[tiers_[tier][item][k]]) space.add(vertex);
    if (!space.full()) return;
    for (const std::uint32_t vertex : vertices) {
      const double distance = space.distance(vertex);
      if (distance <= 0) continue;
      reported.flat = true;
      if (tier == 1) return reader_.report("G4MF_TOPOLOGY_CELL_NOT_FLAT"_code, values_[tier], item, vertex, distance);
      return reader_.report("G4MF_TOPOLOGY_HIGHER_NOT_CLOSED"_code, values_[tier], item,
                            format_text("vertex {} lies {:.3g} off the hyperplane of its first two elements", vertex, distance));
    }
  }

  Reader& reader_;
  std::vector<JsonValue> values_;  ///< of each tier
  std::size_t dimension_;
  std::vector<double> positions_;
  bool complete_ = false;  ///< every vertex has a position
  std::vector<std::uint32_t> edges_;
  std::vector<IndexRows> tiers_;
  IndexRows below_;  ///< the vertices of each item in the tier below
  std::vector<std::uint32_t> seen_by_;
  std::size_t steps_ = 0;
};

}  // namespace

void check_topology(Reader& reader, JsonValue geometry, const Mesh& mesh, const Surface& surface) {
  TopologyChecks(reader, geometry, mesh, surface).run();
}

}  // namespace sinew::g4mf

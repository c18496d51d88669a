// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {

/// The range of the amounts of blend shapes.
struct AmountRange {
  double least = 0, most = 0;
};

/// The vertices of a prepared mesh, sorted so that vertices with similar motion are neighbours, and a tree of boxes around runs of them.
/// Uses the same numbers as the kernels: positions, offsets and weights as floats.
class Clusters {
 public:
  /// The weights of a joint slot on the vertices of a cluster, and their distance from the joint's origin (in the joint's space, without
  /// blend shapes that are not in a range).
  struct Share {
    std::uint32_t slot;
    double least, most;
    double radius;
    double excess;  ///< how much larger the sum of the absolute values is, if a vertex lists the slot several times
  };
  /// The effect of a blend shape on the vertices of a cluster.
  struct Drift {
    std::uint32_t shape;
    double reach;  ///< the longest offset
  };
  struct Run {
    std::uint32_t first = 0, last = 0;
    [[nodiscard]] std::uint32_t size() const { return last - first; }
  };
  struct Node {
    Run vertices;
    Run children;  ///< nodes; none: a leaf
    Run shares, drifts;
    double least_sum = 0, most_sum = 0;  ///< sums of the weights of a vertex
  };

  /// `binds`: joint_from_mesh of each slot of the palette. `shapes`: the blend shapes to consider. With a range, all shapes are considered,
  /// and boxes and radii contain all blends.
  Clusters(const deform::Prepared& prepared, std::span<const Affine> binds, const std::vector<bool>& shapes,
           const std::optional<AmountRange>& range);

  [[nodiscard]] std::size_t dimension() const { return n_; }
  [[nodiscard]] std::size_t vertices() const { return order_.size(); }
  [[nodiscard]] bool blends() const { return !offsets_.empty(); }
  [[nodiscard]] std::span<const std::uint32_t> roots() const { return roots_; }
  [[nodiscard]] const Node& node(std::uint32_t index) const { return nodes_[index]; }
  [[nodiscard]] std::span<const Share> shares(const Node& node) const { return part(shares_, node.shares); }
  [[nodiscard]] std::span<const Drift> drifts(const Node& node) const { return part(drifts_, node.drifts); }
  /// Returns the middle and the half sides of a node's box in mesh space, 2N numbers; `drift_box`: the same for the offsets of a drift.
  [[nodiscard]] const double* box(std::uint32_t index) const { return &boxes_[index * 2 * n_]; }
  /// For rounding(): N upper bounds of the coordinates of the vertices.
  [[nodiscard]] const double* size_in_box(std::uint32_t index) const { return &sizes_[index * n_]; }
  [[nodiscard]] const double* drift_box(std::uint32_t drift) const { return &drift_boxes_[drift * 2 * n_]; }

  /// Returns an upper bound of the stretch of joint_from_mesh.
  [[nodiscard]] double bind_norm(std::size_t slot) const { return bind_norms_[slot]; }
  /// Returns the length of the translation of joint_from_mesh.
  [[nodiscard]] double bind_distance(std::size_t slot) const { return bind_distances_[slot]; }

  // These take a vertex in the order of the tree.
  [[nodiscard]] const double* position(std::uint32_t vertex) const { return &positions_[vertex * n_]; }
  [[nodiscard]] std::span<const std::uint32_t> slots(std::uint32_t vertex) const { return part(slots_, influences_of(vertex)); }
  [[nodiscard]] std::span<const double> weights(std::uint32_t vertex) const { return part(weights_, influences_of(vertex)); }
  /// The sums of the absolute values of the weights that the kernels use and weights() sums up.
  [[nodiscard]] std::span<const double> weight_sizes(std::uint32_t vertex) const { return part(weight_sizes_, influences_of(vertex)); }
  [[nodiscard]] std::span<const std::uint32_t> shapes(std::uint32_t vertex) const { return part(shapes_, offsets_of(vertex)); }
  /// Returns N numbers for each of shapes().
  [[nodiscard]] const double* offsets(std::uint32_t vertex) const { return offsets_.data() + offset_first_[vertex] * n_; }

  /// `reach`: the largest coordinate of a vertex; with a range, with all its blends. `shape_reach`: that of a blend shape's offsets without
  /// a range.
  [[nodiscard]] double reach() const { return reach_; }
  [[nodiscard]] double shape_reach(std::size_t shape) const { return shape_reach_[shape]; }
  /// The result for a coordinate of a deformed vertex differs from the exact one by at most rounding() · Σ |weight| · (Σ |entry of the map|
  /// · size + |translation|) + last_rounding() · |result|, with size = |coordinate| + Σ |amount| · |offset|, and by what float loses below
  /// its smallest number (deform::Underflow).
  [[nodiscard]] double rounding() const { return rounding_; }
  [[nodiscard]] double last_rounding() const { return last_rounding_; }
  /// Returns whether the kernels always compute in double (Prepared::Packed::cancels).
  [[nodiscard]] bool in_double() const { return last_rounding_ != 0; }
  /// Returns the most that float may lose below its smallest number, in any coordinate. `sizes`: by slot, an upper bound of the sum of the
  /// absolute values of a row of the map; `reach`: of a coordinate, with blend shapes.
  [[nodiscard]] double underflow(std::span<const double> sizes, double reach) const;
  /// Returns an upper bound of the Σ |amount| · |coordinate of an offset| that is blended in float; if it is larger, the kernels compute in
  /// double (deform::needs_double).
  [[nodiscard]] double most_blended() const;

 private:
  template <class T>
  static std::span<const T> part(const std::vector<T>& list, Run run) {
    return std::span(list).subspan(run.first, run.size());
  }
  [[nodiscard]] Run influences_of(std::uint32_t vertex) const { return {influence_first_[vertex], influence_first_[vertex + 1]}; }
  [[nodiscard]] Run offsets_of(std::uint32_t vertex) const { return {offset_first_[vertex], offset_first_[vertex + 1]}; }

  void sort(const deform::Prepared& prepared);
  void copy(const deform::Prepared& prepared, const std::vector<bool>& shapes);
  void add_influence(std::uint32_t slot, double weight, double size);
  void measure(const std::optional<AmountRange>& range, std::size_t most_shapes);
  void build(std::span<const Affine> binds, const std::optional<AmountRange>& range);
  [[nodiscard]] Node begin_node(Run vertices, Run children) const;
  void add_leaf(Run vertices, std::span<const Affine> binds, const std::optional<AmountRange>& range);
  double blended_box(std::uint32_t vertex, const AmountRange& range, double* low, double* high, double* size) const;
  void add_shares(Node& leaf, std::span<const Affine> binds, std::span<const double> blended);
  void add_drifts(Node& leaf);
  void add_parent(Run children);
  void join_shares(Node& parent);
  void join_drifts(Node& parent);

  std::size_t n_;
  std::vector<std::uint32_t> order_;  ///< by position in the tree: the vertex of the prepared mesh
  std::vector<std::uint32_t> group_;  ///< by position in the tree: the slot with the largest weight
  std::vector<double> positions_;
  std::vector<std::uint32_t> influence_first_, slots_;
  std::vector<double> weights_, weight_sizes_;
  std::vector<std::uint32_t> offset_first_, shapes_;
  std::vector<double> offsets_;
  std::vector<Node> nodes_;
  std::vector<double> boxes_, sizes_, drift_boxes_;
  std::vector<Share> shares_;
  std::vector<Drift> drifts_;
  std::vector<std::uint32_t> roots_;
  std::vector<double> shape_reach_;
  std::vector<double> bind_norms_, bind_distances_;
  double reach_ = 0, rounding_ = 0, last_rounding_ = 0;
  deform::Prepared prepared_;
};

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "operations/bounds/clusters.hpp"
#include "operations/bounds/extent.hpp"
#include "operations/bounds/motion.hpp"

namespace sinew::operations {

/// Looks for the box of an instance in motion, or for the ball around a point: branch and bound over time and clusters of vertices.
///
/// Between two looks a vertex stays within some distance of the straight way between its two places (Growth::deviation), so that the box of
/// both places, larger by that distance, holds it at all times between. The same holds for the box of a cluster, and for a ball, which is
/// convex as well. Only what could lie outside of what vertices have really reached, by more than the slack, is looked at more closely: a
/// cluster by its parts, a time by its halves.
class Search {
 public:
  struct Goal {
    double slack = 0.01;               ///< of the diagonal of what vertices reach
    std::optional<AmountRange> range;  ///< as in the clusters
    std::vector<double> center = {};   ///< of a ball: extents have its radius as the high end of axis 0. Empty: a box is looked for
    double diagonal = 0;               ///< of a ball: what the slack is relative to
  };
  /// `reached`: what vertices are known to reach in this motion.
  Search(const Clusters& clusters, const Motion& motion, const Goal& goal, const Extent& reached);

  /// Looks at some pieces of the motion. Fails where a palette is not finite.
  [[nodiscard]] Result<> run(std::size_t first_piece, std::size_t last_piece);

  [[nodiscard]] const Extent& reached() const { return reached_; }
  /// Holds every vertex at every time of the pieces.
  [[nodiscard]] const Extent& bound() const { return bound_; }

 private:
  /// Between two looks.
  struct Interval {
    const Look* ends[2];
    Between growth;
    std::vector<double> rounding;  ///< of each slot: what is not rounded at either look already
    bool known = true;             ///< every bound is finite, or shorter times have finite ones
  };
  /// Of the slots of a cluster: how far a vertex may be from the straight way, and how much of that halving the time cannot take away.
  struct Error {
    double all = 0, stays = 0;
  };
  using Nodes = std::vector<std::uint32_t>;

  [[nodiscard]] Result<> refine(const Look& begin, const Look& end, Nodes nodes, unsigned depth);
  void prepare(Interval& interval);
  [[nodiscard]] bool within(const Extent& extent) const;
  /// A box as it is, or the ball around the centre that holds it.
  [[nodiscard]] Extent measured(const Extent& box) const;
  template <class D>
  void look_at(D n, const Interval& interval, Nodes nodes, bool can_halve, Nodes& left);
  template <class D>
  void bound_node(D n, const Interval& interval, std::uint32_t index, Extent& out);
  template <class D>
  [[nodiscard]] bool look_at_leaf(D n, const Interval& interval, const Clusters::Node& leaf, bool can_halve);
  template <class D>
  void reach(D n, const Look& look, std::uint32_t vertex, Extent& exact, Extent& rounded) const;
  void find_errors(const Interval& interval, const Clusters::Node& node);

  const Clusters& clusters_;
  const Motion& motion_;
  Goal goal_;
  Motion::Player player_;
  Extent reached_, bound_;
  double tolerance_ = 0;
  std::size_t axes_;          ///< of reached_ and bound_
  double relaxed_ = 1;        ///< factor of the slack: grows where halving takes too long
  std::size_t halvings_ = 0;  ///< since it was
  std::size_t most_halvings_ = 0;
  std::vector<Error> errors_;    ///< of each slot, for the cluster that is looked at
  std::vector<double> extents_;  ///< of each share: middle and half sides
  bool bounded_ = true;          ///< all of those are finite
  double gain_ = 0;              ///< what halving the time may take away of them
  double spread_ = 0;            ///< half the longest side of the cluster's box
};

}  // namespace sinew::operations

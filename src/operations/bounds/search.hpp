// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "math/extent.hpp"
#include "operations/bounds/clusters.hpp"
#include "operations/bounds/motion.hpp"
#include "operations/files/most_work.hpp"

namespace sinew::operations {

/// Searches the box of an instance in motion, or the ball around a point: branch and bound over time and clusters of vertices.
///
/// Between two looks, a vertex stays within some distance of the straight line between its two positions (Growth::deviation). So the box of
/// both positions, enlarged by that distance, contains it at all times between. The same holds for the box of a cluster, and for a ball,
/// which is convex too. The search refines only what could lie outside the reached space by more than the slack: a cluster into its parts,
/// a time into halves.
class Search {
 public:
  struct Goal {
    double slack = 0.01;               ///< relative to the diagonal of the reached box
    std::optional<AmountRange> range;  ///< as in the clusters
    std::vector<double> center = {};   ///< of a ball: extents have its radius as the high end of axis 0. Empty: search for a box
    double diagonal = 0;               ///< of a ball: the unit of the slack
  };
  /// `reached`: the space that vertices are known to reach in this motion.
  Search(const Clusters& clusters, const Motion& motion, RestPoses& poses, WorkMeter& work, const Goal& goal, const Extent& reached);

  /// Searches some pieces of the motion. Fails if a palette is not finite, or with the meter.
  [[nodiscard]] Result<> run(std::size_t first_piece, std::size_t last_piece);

  [[nodiscard]] const Extent& reached() const { return reached_; }
  /// Contains every vertex at every time of the pieces.
  [[nodiscard]] const Extent& bound() const { return bound_; }

 private:
  /// The time between two looks.
  struct Interval {
    const Look* ends[2];
    Between growth;
    std::vector<double> rounding;  ///< by slot: rounding that neither look already contains
    double underflow = 0;          ///< what float may lose at any time between, or at a look
    double most_blended = 0;       ///< Σ |amount| · |coordinate of an offset| is not larger in float
    bool known = true;             ///< every bound is finite, or shorter times have finite ones
  };
  /// The error of a cluster's slots: how far a vertex may be from the straight line, and the part that halving the time cannot reduce.
  struct Error {
    double all = 0, stays = 0;
  };
  using Nodes = std::vector<std::uint32_t>;

  [[nodiscard]] Result<> refine(const Look& begin, const Look& end, Nodes nodes, unsigned depth);
  void prepare(Interval& interval);
  [[nodiscard]] static double most_size(const Interval& interval, double size, double stored, double blended);
  [[nodiscard]] bool within(const Extent& extent) const;
  /// Returns a box unchanged, or the ball around the centre that contains it.
  [[nodiscard]] Extent measured(const Extent& box) const;
  template <class D>
  void look_at(D n, const Interval& interval, Nodes nodes, bool can_halve, Nodes& left);
  template <class D>
  void bound_node(D n, const Interval& interval, std::uint32_t index, Extent& out);
  template <class D>
  [[nodiscard]] bool look_at_leaf(D n, const Interval& interval, const Clusters::Node& leaf, bool can_halve);
  template <class D>
  void reach(D n, const Interval& interval, const Look& look, std::uint32_t vertex, Extent& exact, Extent& rounded) const;
  void find_errors(const Interval& interval, const Clusters::Node& node);

  const Clusters& clusters_;
  const Motion& motion_;
  WorkMeter& work_;
  Goal goal_;
  Motion::Player player_;
  Extent reached_, bound_;
  double tolerance_ = 0;
  std::size_t axes_;          ///< of reached_ and bound_
  double relaxed_ = 1;        ///< factor of the slack: grows if halving takes too long
  std::size_t halvings_ = 0;  ///< since the last growth
  std::size_t most_halvings_ = 0;
  std::vector<Error> errors_;    ///< by slot, for the current cluster
  std::vector<double> extents_;  ///< by share: middle and half sides
  std::vector<double> sizes_;    ///< by share: the sizes of the terms
  bool bounded_ = true;          ///< all of those are finite
  double gain_ = 0;              ///< the part of the errors that halving the time may remove
  double spread_ = 0;            ///< half the longest side of the cluster's box
};

}  // namespace sinew::operations

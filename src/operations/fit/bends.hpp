// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "operations/fit/surfaces.hpp"
#include "operations/weights/own_weights.hpp"

#include "sinew/model.hpp"

namespace sinew::operations::weights {

/// The influences of a place: numbers of joints of the body, ascending, and weights.
using JointRow = std::vector<std::pair<std::uint32_t, double>>;
using JointRows = std::vector<JointRow>;

/// Returns the limbs of the body that the points of clothes lie on, by the weights that a transfer replaces
/// (weights_on_body_bones).
[[nodiscard]] AllowedJoints limbs_of(const Model& body, const RiggedSurface& rigged, const RiggedSurface& clothes, const WeldedMesh& welded,
                                     const Model& model, std::span<const OwnWeights> replaced);

/// Returns the influences that points of clothes will have: their own on joints of the body if a mesh keeps its skin, else those that a
/// transfer gives them. `twin`: by node of the clothes, the node of the body.
[[nodiscard]] JointRows rows_on_body(const RiggedSurface& rigged, const RiggedSurface& clothes, const WeldedMesh& welded,
                                     const AllowedJoints& allowed, const Model& model, std::span<const Index> twin,
                                     std::span<const OwnWeights> replaced, unsigned threads);

/// A body and clothes with one joint bent at a time: each joint that moves a part of a place of the clothes, by 50° about each axis of the
/// world, both ways. Folds, where the body's surface shrinks to half or turns otherwise than its joints, do not count: nobody sees into
/// them.
class Bends {
 public:
  /// Keeps references to the body. `rows`: of the clothes.
  Bends(const Model& body, const RiggedSurface& rigged, const OuterSurface& outer, JointRows rows, unsigned threads);

  /// Lowers the height of each point of the clothes above its place on the body to the least in any bend.
  void lower_heights(std::span<const Vec> points, std::span<const OuterSurface::Place> places, std::span<double> heights) const;
  /// Lowers what `above` says to the least in any bend: how far the nearest place of the clothes lies above each point of the body, along
  /// the body's normal. `over`: by point of the body; nothing: no place of the clothes.
  void lower_above(std::span<const Vec> points, std::span<const Triangle> triangles, std::span<const std::optional<Nearest>> over,
                   std::span<double> above) const;

 private:
  class Bent;
  /// Lowers heights to the least that height(bent, place) returns for any bend. choose(bent, place): the least and the largest share that
  /// a joint has of the weights there.
  template <class Choose, class Height>
  void lower(std::span<const Vec> points, const Choose& choose, const Height& height, std::span<double> heights) const;

  const Model& body_;
  const RiggedSurface& rigged_;
  const OuterSurface& outer_;
  JointRows rows_;
  unsigned threads_;
  std::vector<Vec> pivots_;             ///< by joint
  std::vector<std::uint32_t> bending_;  ///< joints
};

}  // namespace sinew::operations::weights

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "animate/track.hpp"
#include "kernels/skin_simd.hpp"

#include "sinew/model.hpp"

namespace sinew::animate {

/// A clip of a three-dimensional model, prepared for sampling at many moments straight into the local maps of a list of nodes: what
/// `sample` and affine_of give, to rounding in double precision. Float tracks that step or are linear keep their place among the keys and
/// their keys in the kernel's order; others are sampled into a Pose first. Immutable; keeps references to the model.
class ClipPlan {
 public:
  /// `nodes`: none of them twice. Precondition: the clip has no defect.
  ClipPlan(const Model& model, const Clip& clip, std::span<const Index> nodes, const kernels::SimdKernel& kernel);

  /// What one thread works with. The results do not depend on what it was used for before.
  struct State {
    Pose pose;                               ///< its amounts are those of the last moment
    std::vector<kernels::JointKeys> joints;  ///< of the nodes, eight at a time
    std::vector<std::size_t> keys;           ///< the last key of each list of times; at first none
  };
  [[nodiscard]] State start() const;
  /// Fills the amounts of state.pose and the nodes' maps, with room for whole JointKeys.
  void sample(double seconds, State& state, double* maps) const;

 private:
  /// Where a part of a joint is in State::joints.
  struct Place {
    std::size_t group, lane;
    kernels::JointKeys::Part part;
  };
  /// A track whose rows the kernel takes as they are stored.
  struct Ready {
    Place place;
    bool steps;
    const std::byte* rows;
    std::size_t stride, keys;
  };
  struct Other {
    const Track* track;
    Place place;
  };
  struct Times {
    std::vector<double> seconds;
    std::vector<Ready> ready;
    std::vector<Other> others;
  };
  static void hold(const LocalTransform& local, Place place, State& state);

  const Model* model_;
  const kernels::SimdKernel* kernel_;
  std::vector<Times> times_;  ///< no two the same
  State start_;
  std::vector<std::pair<std::size_t, std::array<double, 16>>> fixed_;  ///< places of nodes with a basis, and their maps
};

}  // namespace sinew::animate

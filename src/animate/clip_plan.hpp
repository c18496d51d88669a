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

/// A clip of a three-dimensional model, prepared for sampling at many times directly into the local maps of a list of nodes. Results equal
/// those of `sample` and affine_of, up to rounding in double precision. Float tracks with step or linear interpolation remember their last
/// key and store keys in the kernel's order; others are sampled into a Pose first. Immutable; keeps references to the model.
class ClipPlan {
 public:
  /// `nodes`: no duplicates. Precondition: the clip has no defect.
  ClipPlan(const Model& model, const Clip& clip, std::span<const Index> nodes, const kernels::SimdKernel& kernel);

  /// Where one thread is in the clip. Results do not depend on its earlier use.
  struct Cursor {
    std::vector<kernels::JointKeys> joints;  ///< of the nodes, eight at a time
    std::vector<std::size_t> keys;           ///< the last key of each list of times; initially none
  };
  [[nodiscard]] const Cursor& start() const { return start_; }
  /// Computes the local maps of the nodes, with room for whole JointKeys, and the amounts of `pose`, which starts as model.rest(). The
  /// transforms in `pose` serve as memory.
  void sample(double seconds, Cursor& cursor, Pose& pose, std::span<double> maps) const;

 private:
  /// The place of a part of a joint in Cursor::joints.
  struct Place {
    std::size_t group, lane;
    kernels::JointKeys::Part part;
  };
  /// A track whose stored rows the kernel reads directly.
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
  static void hold(const LocalTransform& local, Place place, Cursor& cursor);

  const Model* model_;
  const kernels::SimdKernel* kernel_;
  std::vector<Times> times_;  ///< without duplicates
  Cursor start_;
  std::vector<std::pair<std::size_t, std::array<double, 16>>> fixed_;  ///< places of nodes with a basis, and their maps
  std::vector<std::pair<std::size_t, Index>> moved_;                   ///< places of nodes whose translation moves and whose basis stays
};

}  // namespace sinew::animate

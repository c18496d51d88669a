// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "deform/pose_reader.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::deform {

/// Many poses as arrays for a scene, each on a thread of its own (each_pose). Fails for the first pose that fails. Keeps
/// references to the scene, its model and the arrays. Preconditions: outputs have the sizes that the functions state.
class Batch {
 public:
  [[nodiscard]] static Result<Batch> create(const SceneDeformer& scene, const PoseArrays& poses);

  /// vertices() rows per channel for each pose, one pose after the other.
  [[nodiscard]] Result<> run(const Output& rows, unsigned threads) const;

  /// The number of amounts of a pose.
  [[nodiscard]] std::size_t amounts() const { return reader_.amounts(); }
  /// The number of maps in the palettes of all instances.
  [[nodiscard]] std::size_t maps() const { return first_map_.back(); }
  /// (poses, maps(), N+1, N+1): world_from_mesh of each slot, row by row.
  [[nodiscard]] Result<> palettes(std::span<double> out, unsigned threads) const;

  /// Gradients of a number whose gradient with respect to the positions, (poses, vertices, N), is given. All sums are in double precision
  /// and do not depend on the number of threads.
  [[nodiscard]] Result<> vjp(std::span<const float> gradient, const Gradients& out, unsigned threads) const;

 private:
  struct Posed {
    Pose pose;
    SceneDeformer::Scratch scratch;
  };
  struct Pullback;
  Batch(const SceneDeformer& scene, PoseReader reader);
  /// The memory of one thread.
  [[nodiscard]] Posed memory() const;
  /// Sets the amounts in own.pose and the maps of the nodes; local maps only if the arrays give them or parts of them.
  [[nodiscard]] Result<> set(std::size_t i, Posed& own) const;

  void pull_rest(std::size_t first, std::size_t count, std::span<const float> gradient, std::span<const double> palettes,
                 std::span<double> out, unsigned threads) const;

  const SceneDeformer* scene_;
  PoseReader reader_;
  std::vector<std::size_t> first_map_{0};  ///< by instance
};

}  // namespace sinew::deform

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew {

/// Finds a clip by name or index, as find_by_name.
[[nodiscard]] Result<Index> find_clip(std::string_view wanted, const Model& model);

namespace animate {

/// How a clip takes part in what a Player shows.
struct PlayedClip {
  Index clip = none;             ///< find_clip finds it by name
  double weight = 1;             ///< at least 0
  double speed = 1;              ///< seconds of the clip per second; negative: backwards
  double seconds = 0;            ///< the time in the clip
  bool loops = true;             ///< else it stays at the end that it reaches
  bool additive = false;         ///< adds its difference from its state at 0 seconds to the blend of the others
  std::vector<float> mask = {};  ///< by node: the part of the weight that counts there, from 0 to 1; empty: all of it everywhere
};

/// Plays clips of a model together, frame by frame.
///
/// For each property of a node, the clips that animate it share it by their weights (times their masks). If these sum to less than 1, the
/// stored state takes the rest; if to more, they are divided by their sum. Translations, scales and amounts of blend shapes are weighted
/// sums. Rotations of up to three dimensions are the normalised sum of rotors with aligned signs; in more dimensions, slerp (geometry.hpp)
/// takes one clip after the other. A clip alone, with a weight of at least 1, gives exactly what `sample` gives. Additive clips follow in
/// order: they add translations and amounts, multiply scales, and turn before the rotation of the blend.
///
/// After `create` nothing allocates in up to three dimensions, unless nodes follow others (constrain). Keeps a reference to the model. One
/// thread at a time may use it.
class Player {
 public:
  /// `root`: a node whose translation stays as stored; its movement is `root_motion` instead. None: no such node.
  /// Failure::usage: no such clip or node, a weight, speed or time that is negative or not finite where it must not be, or a mask of
  /// another size. Failure::input: a broken clip.
  [[nodiscard]] static Result<Player> create(const Model& model, std::vector<PlayedClip> clips, Index root = none);
  Player(Player&&) noexcept;
  Player& operator=(Player&&) noexcept;
  ~Player();

  [[nodiscard]] std::span<const PlayedClip> clips() const noexcept;
  /// These count from the next `advance`. Preconditions: finite numbers, a weight of at least 0, a time in the clip.
  void set_weight(std::size_t clip, double weight) noexcept;
  void set_speed(std::size_t clip, double speed) noexcept;
  void seek(std::size_t clip, double seconds) noexcept;

  /// Moves all clips on and computes the pose; 0: computes it only. Precondition: finite.
  [[nodiscard]] Result<> advance(double seconds);
  [[nodiscard]] const Pose& pose() const noexcept;
  /// Returns the world transform of one node in the pose.
  [[nodiscard]] Result<Affine> world(Index node) const;
  /// Does the same for a node by name or index, as find_by_name: a hand that holds a sword. Failure::usage: no such node. Looks through
  /// all names; in a loop over frames, find the index once.
  [[nodiscard]] Result<Affine> world(std::string_view node) const;
  /// Returns by how much the clips moved the root in the last `advance`, in the space of its parent: N numbers. A loop continues where it
  /// ends, so its jump back to the start does not count.
  [[nodiscard]] std::span<const double> root_motion() const noexcept;

 private:
  struct State;
  explicit Player(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace animate
}  // namespace sinew

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "operations/retarget/transfer.hpp"

namespace sinew::operations {

/// Makes the tracks of one clip. Where a bone and what it hangs on correspond one to one, keys are converted; elsewhere the result is
/// sampled at the keys that contribute and between them, until interpolation follows it.
class Curves {
 public:
  /// `hips`: the bone that moves, or npos; `factor`: of its motion.
  Curves(const Transfer& transfer, const Clip& clip, std::size_t hips, double factor);

  [[nodiscard]] std::vector<Track> tracks();
  /// Adds the names of bones whose scale, or motion against their parents, the target does not get.
  void list_ignored(std::set<std::string>& scaled, std::set<std::string>& shifted) const;

 private:
  struct Now {
    mutable std::vector<std::optional<Affine>> turns;  ///< of the bones of the target, in the world; made by `turn` when asked for
    std::vector<Affine> world;                         ///< of every bone of the motion
  };
  /// What moves a curve.
  struct Contributions {
    std::vector<const Track*> tracks;
  };

  [[nodiscard]] const Now& at(double seconds);
  [[nodiscard]] const Affine& turn(std::size_t bone, const Now& now) const;
  [[nodiscard]] Affine local_turn(std::size_t bone, const Now& now) const;
  [[nodiscard]] Affine parent_world(std::size_t bone, const Now& now) const;
  [[nodiscard]] std::vector<double> hips_place(const Now& now) const;
  void add_chain(Index node, bool places, Contributions& to) const;
  [[nodiscard]] bool is_direct(std::size_t bone) const;
  void add_rotation(std::size_t bone, std::vector<Track>& out);
  [[nodiscard]] Track direct_rotation(std::size_t bone, const Track& from) const;
  void add_hips(std::vector<Track>& out);
  void add_moved(std::size_t bone, const Track& from, std::vector<Track>& out) const;
  [[nodiscard]] bool root_moves() const;

  const Transfer& transfer_;
  const Clip& clip_;
  std::size_t hips_;
  double factor_;
  std::size_t n_;
  std::vector<std::vector<const Track*>> by_node_;  ///< of the motion
  std::map<double, Now> known_;
};

/// Makes the clip as long as it was: the first track gets a last key.
void keep_duration(std::vector<Track>& tracks, double duration);

}  // namespace sinew::operations

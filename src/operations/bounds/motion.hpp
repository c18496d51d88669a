// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "deform/rig.hpp"
#include "operations/bounds/growth.hpp"
#include "operations/bounds/track_growth.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {

/// What moves an instance at one moment.
struct Look {
  double seconds = 0;
  deform::Palette palette;
  std::vector<double> amounts;  ///< one per shape
};

/// How an instance moves between two looks: of each joint slot the map world_from_joint, of each shape the amount.
struct Between {
  std::vector<MapGrowth> slots;
  std::vector<Growth> amounts;
};

/// One instance in a clip, or in the file's own pose: the clip's time is cut at the keys of all tracks that matter, so that everything is
/// smooth between two cuts. A moment at a cut is met twice: as the end of the time before it, where tracks that step still have their old
/// value, and as the beginning of the next one.
class Motion {
 public:
  /// `clip` null: the file's own pose. The rig is of this instance alone. All are kept by reference.
  Motion(const Model& model, const Clip* clip, const Instance& instance, const deform::Rig& rig);

  /// From one cut to the next. A motion that is still has one, of no length.
  struct Piece {
    double begin = 0, end = 0;
  };
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  [[nodiscard]] bool still() const { return tracks_.empty(); }

  /// Works on one piece at a time. Not for several threads.
  class Player {
   public:
    explicit Player(const Motion& motion);
    void enter(std::size_t piece);
    /// Fails as deform::palette does.
    [[nodiscard]] Result<> look(double seconds, Look& out);
    void between(double begin, double end, Between& out);

   private:
    [[nodiscard]] MapGrowth local(std::size_t step, double begin, double end) const;
    [[nodiscard]] MapGrowth moved_with_node(std::size_t slot) const;

    const Motion* motion_;
    std::vector<Playing> playing_;  ///< as Motion::tracks_
    Pose pose_;
    AlignedVector<double> world_;
    std::vector<MapGrowth> local_, grown_;  ///< of each step: its own, and that in the world
    double begin_ = 0, end_ = 0;            ///< of those
  };

 private:
  struct Part {
    const Track* track;
    std::uint32_t times;  ///< of times_
  };
  /// The tracks of a step by path: translation, rotation, scale; or none.
  struct Animated {
    std::uint32_t parts[3];
  };
  static constexpr std::uint32_t no_part = static_cast<std::uint32_t>(-1);

  void collect(const Clip& clip);
  void cut();
  void measure_stored();
  [[nodiscard]] bool moved_with_node() const;
  [[nodiscard]] std::size_t shapes() const;

  const Model* model_;
  const Instance* instance_;
  const deform::Rig* rig_;
  std::vector<Part> tracks_;
  std::vector<std::vector<double>> times_;
  std::vector<Animated> animated_;    ///< of each step
  std::vector<MapGrowth> stored_;     ///< of each step: what its own transform is without tracks
  std::vector<double> stored_scale_;  ///< of each step: the largest factor of its scale
  std::vector<double> stored_rotation_;
  std::uint32_t amounts_ = no_part;  ///< the track of the instance's amounts
  std::vector<Piece> pieces_;
};

}  // namespace sinew::operations

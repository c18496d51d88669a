// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "deform/rig.hpp"
#include "operations/bounds/growth.hpp"
#include "operations/bounds/track_growth.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {

/// The inputs that move an instance at one time.
struct Look {
  double seconds = 0;
  deform::Palette palette;
  std::vector<double> amounts;  ///< one per shape
};

/// The motion of an instance between two looks: the map world_from_joint of each joint slot, the amount of each shape.
struct Between {
  std::vector<MapGrowth> slots;
  std::vector<Growth> amounts;
};

/// Copies of the rest pose, to change and to give back: making one for each of many instances would take the square of their number.
class RestPoses {
 public:
  explicit RestPoses(const Model& model) : rest_(model.rest_pose) {}
  [[nodiscard]] Pose take();
  /// `pose`: equal to the rest pose again.
  void give(Pose&& pose);
  [[nodiscard]] const Pose& rest() const { return rest_; }

 private:
  const Pose& rest_;
  std::mutex mutex_;
  std::vector<Pose> spare_;
};

/// The tracks of a clip by node, in their order.
using TracksByNode = std::unordered_map<Index, std::vector<const Track*>>;
[[nodiscard]] TracksByNode tracks_by_node(const Clip& clip);

/// One instance in a clip or in the stored pose. The clip's time is cut at the keys of all relevant tracks, so that everything is smooth
/// between two cuts. A cut belongs to two pieces: at the end of the first, step tracks still have their old value; at the beginning of the
/// second they have the new one.
class Motion {
 public:
  /// `clip` empty: the stored pose. The rig belongs to this instance alone. All arguments but `clip` are kept by reference.
  Motion(const Model& model, const TracksByNode& clip, const Instance& instance, const deform::Rig& rig);

  /// The time from one cut to the next. A still motion has one piece of length 0.
  struct Piece {
    double begin = 0, end = 0;
  };
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  [[nodiscard]] bool still() const { return tracks_.empty(); }
  /// Returns the number of nodes that move the instance.
  [[nodiscard]] std::size_t steps() const { return animated_.size(); }

  /// Evaluates one piece at a time. Not safe for several threads.
  class Player {
   public:
    Player(const Motion& motion, RestPoses& poses);
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;
    ~Player();
    void enter(std::size_t piece);
    /// Fails like deform::palette.
    [[nodiscard]] Result<> look(double seconds, Look& out);
    void between(double begin, double end, Between& out);

   private:
    [[nodiscard]] MapGrowth local(std::size_t step, double begin, double end) const;
    [[nodiscard]] MapGrowth moved_with_node(std::size_t slot) const;

    const Motion* motion_;
    std::vector<Playing> playing_;  ///< as Motion::tracks_
    RestPoses& poses_;
    Pose pose_;  ///< one of those
    AlignedVector<double> locals_, world_;
    std::vector<MapGrowth> local_, grown_;  ///< by step: the local map, and the map in world space
    double begin_ = 0, end_ = 0;            ///< the time of those
  };

 private:
  struct Part {
    const Track* track;
    std::uint32_t times;  ///< index in times_
  };
  /// The tracks of a step by path (translation, rotation, scale), or none.
  struct Animated {
    std::uint32_t parts[3];
  };
  static constexpr std::uint32_t no_part = static_cast<std::uint32_t>(-1);

  void collect(const TracksByNode& clip);
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
  std::vector<MapGrowth> stored_;     ///< by step: the local transform without tracks
  std::vector<double> stored_scale_;  ///< by step: the largest scale factor
  std::vector<double> stored_rotation_;
  std::uint32_t amounts_ = no_part;  ///< the track of the instance's amounts
  std::vector<Piece> pieces_;
};

}  // namespace sinew::operations

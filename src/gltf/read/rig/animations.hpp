// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "gltf/read/accessors.hpp"

namespace sinew::gltf {

/// Components of a value that a channel moves.
[[nodiscard]] constexpr std::size_t path_width(TrackPath path) {
  return path == TrackPath::rotation ? 4 : path == TrackPath::amounts ? 1 : 3;
}

/// Reads the animations into the model's clips. Nodes and meshes have been read.
class Animations {
 public:
  Animations(Reader& reader, Accessors& accessors);

 private:
  /// A sampler of the clip being read; it is looked at when first asked for.
  struct Sampler {
    JsonValue value;
    std::optional<SamplerObject> object;
    Checked<Index> input = none, output = none;  ///< accessors
    std::uint64_t keys = 0;
    Checked<Array> times;  ///< empty: nothing is moved, for a reason that is known
  };
  /// What a channel says, before its samples are looked at.
  struct Channel {
    JsonValue value;
    JsonValue at;  ///< its sampler: where it is said that the values do not fit what is moved
    JsonValue target;
    Index node = none;
    std::optional<TrackPath> path;  ///< nothing: to be ignored
    Index sampler = none;
  };
  static constexpr std::size_t paths = 4;  ///< TrackPath

  [[nodiscard]] Checked<> read_clip(const AnimationObject& object, Clip& clip);
  void add(Clip& clip, Track track);
  [[nodiscard]] const Sampler& sampler(Index index);
  [[nodiscard]] Checked<Array> read_times(const SamplerObject& sampler, Index accessor);
  [[nodiscard]] Checked<> check_times(JsonValue at, Index accessor, const Array& times);
  [[nodiscard]] Checked<Channel> read_channel(JsonValue value);
  void check_duplicates(const std::vector<JsonValue>& channels);
  [[nodiscard]] Checked<std::optional<Track>> read_track(const Channel& channel, double& duration);
  [[nodiscard]] std::uint64_t values_per_key(const Channel& channel, Interpolation interpolation);
  [[nodiscard]] Checked<> check_values(const Channel& channel, const AccessorFormat& format, std::uint64_t count);
  [[nodiscard]] Checked<Array> read_values(Index accessor, std::uint64_t count);

  Reader& reader_;
  Accessors& accessors_;
  std::vector<Sampler> samplers_;                 ///< of the clip being read
  std::vector<std::optional<Checked<>>> sound_;   ///< by accessor of times: they can be used
  std::vector<std::optional<Checked<>>> finite_;  ///< by accessor of values
  std::vector<std::size_t> places_;               ///< by node and path: the last track of it in a clip
};

}  // namespace sinew::gltf

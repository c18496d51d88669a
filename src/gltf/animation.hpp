// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include "gltf/accessor.hpp"

namespace sinew::gltf {

/// Reads the animations into the model's clips. Nodes and meshes have been read.
class Animations {
 public:
  Animations(Reading& reading, Accessors& accessors);

 private:
  /// What a channel says, before its samples are looked at.
  struct Channel {
    JsonValue value;
    JsonValue target;
    Index node = none;
    TrackPath path = TrackPath::translation;
    Index sampler = none;
  };
  using Targets = std::map<std::pair<Index, TrackPath>, std::pair<Index, std::size_t>>;  ///< to the number of the channel and its track

  [[nodiscard]] Checked<> read_clip(const AnimationObject& object, Clip& clip);
  [[nodiscard]] Checked<std::optional<Channel>> read_channel(JsonValue value, std::size_t samplers);
  [[nodiscard]] Checked<std::optional<Track>> read_track(const Channel& channel, const SamplerObject& sampler, double& duration);
  [[nodiscard]] Checked<Array> read_times(JsonValue at, Index accessor);
  [[nodiscard]] Checked<> check_times(const Array& times, JsonValue accessor);
  [[nodiscard]] Checked<Array> read_values(JsonValue at, Index accessor, const Channel& channel, std::uint64_t count);
  void add(Clip& clip, Targets& targets, const Channel& channel, Index number, Track track);

  Reading& reading_;
  Accessors& accessors_;
  std::map<Index, Checked<Array>> times_;  ///< by accessor: channels share them
  std::map<Index, Checked<>> finite_;      ///< by accessor of values
};

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "base/work.hpp"
#include "gltf/extensions/KHR_animation_pointer.hpp"
#include "gltf/read/accessors.hpp"
#include "gltf/read/rig/amount_channels.hpp"

namespace sinew::gltf {

[[nodiscard]] constexpr std::size_t path_width(TrackPath path) {
  return path == TrackPath::rotation ? 4 : path == TrackPath::amounts ? 1 : 3;
}

/// Reads the animations into the model's clips. Precondition: nodes and meshes are read.
class Animations {
 public:
  Animations(Reader& reader, Accessors& accessors);

 private:
  /// A sampler of the current clip, read on first use.
  struct Sampler {
    JsonValue value;
    std::optional<SamplerObject> object;
    Checked<Index> input = none, output = none;  ///< accessors
    std::uint64_t keys = 0;
    Checked<Array> times;  ///< empty: no effect, and the reason is already reported
  };
  /// A channel without its samples.
  struct Channel {
    JsonValue value;
    JsonValue at;  ///< the sampler; findings about its values are reported here
    JsonValue target;
    std::optional<TrackPath> path;  ///< nothing: it moves no vertex
    Index sampler = none;           ///< none: ignore the channel
    Index node = none;
    Index mesh = none;         ///< of amounts: that of the node, or without a node the mesh whose nodes it moves
    Index shape = none;        ///< of amounts: only this one
    bool shows = false;        ///< it sets the visibility of the node
    bool by_pointer = false;   ///< KHR_animation_pointer: no path, and other types of values
    bool keeps_basis = false;  ///< Track::keeps_basis
  };
  static constexpr std::size_t paths = 4;  ///< TrackPath

  [[nodiscard]] Checked<> read_clip(const AnimationObject& object, Clip& clip);
  [[nodiscard]] bool moves_single_amounts(const std::vector<JsonValue>& channels);
  [[nodiscard]] Checked<> read_into(Clip& clip, const Channel& channel);
  void read_visibility(Clip& clip, const Channel& channel);
  void add(Clip& clip, Track track);
  [[nodiscard]] const Sampler& sampler(Index index);
  [[nodiscard]] Checked<Array> read_times(const SamplerObject& sampler, Index accessor);
  [[nodiscard]] Checked<> check_times(JsonValue at, Index accessor, const Array& times);
  [[nodiscard]] Checked<Channel> read_channel(JsonValue value);
  [[nodiscard]] Checked<Channel> read_pointer_channel(JsonValue value, JsonValue pointer);
  [[nodiscard]] Checked<> take_sampler(const ChannelObject& object, Channel& channel);
  void check_duplicates(const std::vector<JsonValue>& channels);
  [[nodiscard]] Checked<std::optional<Track>> read_track(const Channel& channel);
  [[nodiscard]] std::uint64_t values_per_key(const Channel& channel, Interpolation interpolation);
  [[nodiscard]] Checked<> check_values(const Channel& channel, const AccessorFormat& format, std::uint64_t count);
  [[nodiscard]] Checked<Array> read_values(Index accessor, std::uint64_t count);

  Reader& reader_;
  Accessors& accessors_;
  WorkMeter work_;
  std::vector<Sampler> samplers_;                 ///< of the current clip
  std::vector<std::optional<Checked<>>> sound_;   ///< by accessor of times: whether they can be used
  std::vector<std::optional<Checked<>>> finite_;  ///< by accessor of values
  std::vector<std::size_t> places_;               ///< by node and path: the last track of it in a clip
  bool join_ = false;                             ///< of the current clip: amounts are joined at its end
  std::vector<AmountChannel> amounts_;            ///< those that are joined
};

}  // namespace sinew::gltf

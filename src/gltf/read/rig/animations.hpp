// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "gltf/read/accessors.hpp"

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
    Index node = none;
    std::optional<TrackPath> path;  ///< nothing: ignore the channel
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
  std::vector<Sampler> samplers_;                 ///< of the current clip
  std::vector<std::optional<Checked<>>> sound_;   ///< by accessor of times: whether they can be used
  std::vector<std::optional<Checked<>>> finite_;  ///< by accessor of values
  std::vector<std::size_t> places_;               ///< by node and path: the last track of it in a clip
};

}  // namespace sinew::gltf

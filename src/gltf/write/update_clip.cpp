// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/message.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/KHR_animation_pointer.hpp"
#include "gltf/schema/source.hpp"
#include "gltf/schema/tables.hpp"
#include "gltf/write/update_steps.hpp"
#include "model/key_times.hpp"

#include "sinew/geometry.hpp"

namespace sinew::gltf {
namespace {

const Track* find_track(const Clip& clip, const Track& like) {
  const auto found =
      std::ranges::find_if(clip.tracks, [&](const Track& track) { return track.node == like.node && track.path == like.path; });
  return found == clip.tracks.end() ? nullptr : &*found;
}

/// Converts rotors to quaternions. Values are rotations and get unit length; tangents do not.
Array quaternions_of(const Track& track) {
  const std::size_t width = track.values.width(), rows = track.values.size();
  const std::vector<double> rotors = track.values.read<double>();
  std::vector<float> quaternions;
  quaternions.reserve(rows * 4);
  for (std::size_t row = 0; row < rows; ++row) {
    std::array<double, 4> rotor{};
    std::copy_n(rotors.begin() + static_cast<std::ptrdiff_t>(row * width), std::min<std::size_t>(width, 4), rotor.begin());
    const bool tangent = track.interpolation == Interpolation::cubic_spline && row % 3 != 1;
    if (!tangent) static_cast<void>(normalize_rotor(rotor));
    for (const double value : quaternion_from_rotor(rotor)) quaternions.push_back(static_cast<float>(value + 0.0));  // avoids "-0"
  }
  return Array::own(std::move(quaternions), 4);
}

/// Returns whether glTF can store the values of the track unchanged (glTF, Animations: float, or normalised integers except for lengths).
bool is_storable(const Track& track) {
  const Array& values = track.values;
  if (values.holds<float>()) return true;
  const bool small = byte_size(values.type()) <= 2 && !is_float(values.type());
  return small && values.normalized() && (track.path == TrackPath::rotation || track.path == TrackPath::amounts);
}

Array values_of(const Track& track) {
  if (track.path == TrackPath::rotation && !track.quaternions) return quaternions_of(track);
  return is_storable(track) ? track.values : Array::own(track.values.read<float>(), track.values.width());
}

class ClipUpdate {
 public:
  /// `old`: the animation in the original file, or missing.
  ClipUpdate(Update& update, std::size_t place, JsonValue old, const Clip& before, const Clip& after)
      : update_(update), place_(place), old_(list_of(old["channels"])), before_(before), after_(after) {
    for (const JsonValue channel : old_) {
      const JsonValue pointer = pointer_of_target(channel["target"]);
      pointers_.push_back(pointer ? pointer.string() : std::string());
    }
  }

  void run() {
    if (after_.name != before_.name) set_name(edit(), after_.name);
    for (const Track& track : before_.tracks)
      if (find_track(after_, track) == nullptr) remove_track(track);
    for (const Track& track : after_.tracks) update_track(track);
  }

 private:
  [[nodiscard]] JsonEdit& edit() const { return update_.editor.element("animations", place_); }

  /// Returns the index of the channel from which a track was read.
  [[nodiscard]] std::size_t channel_of(const Track& track) const {
    return static_cast<std::size_t>(std::ranges::find(old_, track.source, source_of) - old_.begin());
  }

  // A channel without a node has no effect, and the other channels keep their indices.
  void disable_channel(std::size_t number) {
    JsonEdit& channels = list_in(edit(), "channels");
    if (number >= channels.size()) return;
    JsonEdit& target = object_in(channels.at(number), "target");
    target.erase("node");
    if (const JsonEdit* const path = target.find("path"); path == nullptr || path->text() != "\"pointer\"") return;
    target.erase("extensions");
    target.set("path", JsonEdit::string(channel_paths[static_cast<std::size_t>(TrackPath::amounts)]));
  }

  void remove_track(const Track& track) {
    if (!is_joined(track)) return disable_channel(channel_of(track));
    disable_amounts(track.node);
    if (!moves_mesh(channel_of(track))) return;
    Track still = track;  // other nodes of the mesh still move
    still.interpolation = Interpolation::step;
    still.times = Array::own(std::vector<float>{0}, 1);
    still.values = Array::own(std::vector<double>(update_.after.rest_pose.amounts[track.node]), 1);
    still.source = SourceId::nowhere;
    if (!still.values.empty()) add_channel(still);
  }

  [[nodiscard]] bool moves_mesh(std::size_t channel) const {
    return channel < pointers_.size() && pointers_[channel].starts_with("/meshes/");
  }
  static std::string amounts_of(Index node) { return format_text("/nodes/{}/weights", node); }

  /// Returns whether a track is not the content of one channel: it sets single amounts, or those of all nodes of a mesh.
  [[nodiscard]] bool is_joined(const Track& track) const {
    if (track.path != TrackPath::amounts || track.source == SourceId::nowhere) return false;
    if (moves_mesh(channel_of(track))) return true;
    const std::string single = amounts_of(track.node) + "/";
    return std::ranges::any_of(pointers_, [&](const std::string& pointer) { return pointer.starts_with(single); });
  }

  void disable_amounts(Index node) {
    const std::string all = amounts_of(node);
    for (std::size_t channel = 0; channel < old_.size(); ++channel) {
      const JsonValue target = old_[channel]["target"];
      const bool ordinary = whole_number(target["node"]) == node && target["path"].equals("weights");
      if (ordinary || pointers_[channel] == all || pointers_[channel].starts_with(all + "/")) disable_channel(channel);
    }
  }

  void update_track(const Track& stored) {
    const Track* before = find_track(before_, stored);
    if (before != nullptr && same(*before, stored)) return;
    if (stored.times.empty())
      return update_.editor.reporter().lost(
          format_text("/animations/{}", place_),
          format_text("the {} of node {} is lost: it has no keys", channel_paths[static_cast<std::size_t>(stored.path)], stored.node));
    const Track track = has_equal_times(stored, true) ? with_increasing_times(stored) : stored;
    const bool joined = before != nullptr && is_joined(*before);
    if (joined) disable_amounts(track.node);
    const std::size_t number = before == nullptr || joined ? old_.size() : channel_of(*before);
    if (number == old_.size()) return add_channel(track);
    JsonEdit sampler = sampler_of(track);
    JsonEdit& samplers = list_in(edit(), "samplers");
    if (const auto old = last_use(number); old && *old < samplers.size()) {
      samplers.at(*old) = std::move(sampler);
      return;
    }
    samplers.push_back(std::move(sampler));
    list_in(edit(), "channels").at(number).set("sampler", JsonEdit::integer(samplers.size() - 1));
  }

  [[nodiscard]] JsonEdit sampler_of(const Track& track) {
    JsonEdit sampler = JsonEdit::object();
    sampler.set("input", JsonEdit::integer(update_.editor.add(track.times, AccessorUse::times)));
    if (track.interpolation != Interpolation::linear)
      sampler.set("interpolation", JsonEdit::string(interpolations[static_cast<std::size_t>(track.interpolation)]));
    sampler.set("output", JsonEdit::integer(update_.editor.add(values_of(track), AccessorUse::data)));
    return sampler;
  }

  void add_channel(const Track& track) {
    JsonEdit& channel = list_in(edit(), "channels").push_back(JsonEdit::object());
    channel.set("sampler", JsonEdit::integer(length(edit().find("samplers"))));
    JsonEdit& target = channel.set("target", JsonEdit::object());
    target.set("node", JsonEdit::integer(track.node));
    target.set("path", JsonEdit::string(channel_paths[static_cast<std::size_t>(track.path)]));
    list_in(edit(), "samplers").push_back(sampler_of(track));
  }

  /// Counts a channel of the file that gets new data. Returns its sampler if no other channel needs the old data.
  [[nodiscard]] std::optional<std::uint64_t> last_use(std::size_t channel) {
    if (channel >= old_.size()) return std::nullopt;
    const auto number_of = [](JsonValue value) { return whole_number(value["sampler"]); };
    const auto sampler = number_of(old_[channel]);
    if (!sampler) return std::nullopt;
    if (uses_.empty())
      for (const JsonValue value : old_)
        if (const auto used = number_of(value)) ++uses_[*used];
    return --uses_[*sampler] == 0 ? sampler : std::nullopt;
  }

  Update& update_;
  std::size_t place_;
  std::vector<JsonValue> old_;         ///< the channels of the file
  std::vector<std::string> pointers_;  ///< of these channels; empty: none
  const Clip& before_;
  const Clip& after_;
  std::map<std::uint64_t, std::size_t> uses_;  ///< by sampler: the channels of the file that need its data
};

}  // namespace

void update_clips(Update& update) {
  const std::vector<JsonValue> old = update.editor.old_list("animations");
  std::size_t place = 0;
  for (std::size_t i = 0; i < update.after.clips.size(); ++i) {
    const Clip& after = update.after.clips[i];
    if (i >= update.before.clips.size() && after.tracks.empty()) {
      update.editor.reporter().lost(format_text("/animations/{}", place),
                                    format_text("clip {} \"{}\" is lost: it has no effect", i, after.name));
      continue;
    }
    ClipUpdate(update, place, at_or_empty(old, place), at_or_empty(update.before.clips, i), after).run();
    ++place;
  }
}

}  // namespace sinew::gltf

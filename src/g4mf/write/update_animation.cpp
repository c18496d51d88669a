// SPDX-License-Identifier: MIT
#include <algorithm>

#include "g4mf/extensions/SINEW_animation.hpp"
#include "g4mf/write/stored_pose.hpp"
#include "g4mf/write/updater.hpp"
#include "model/key_times.hpp"

#include "sinew/geometry.hpp"

namespace sinew::g4mf {

namespace {

Array values_of(const Track& track) {
  if (track.path != TrackPath::rotation || !track.quaternions) return floats(track.values);
  const std::vector<double> quaternions = track.values.read<double>();
  std::vector<float> rotors;
  rotors.reserve(quaternions.size());
  for (std::size_t i = 0; i < quaternions.size(); i += 4)
    for (const double x : rotor_from_quaternion(std::span(quaternions).subspan(i).first<4>())) rotors.push_back(static_cast<float>(x));
  return Array::own(std::move(rotors), 4);
}

class AnimationUpdate {
 public:
  explicit AnimationUpdate(Updater& updater) : updater_(updater), before_(updater.before()), after_(updater.after()) {}

  Result<> run() {
    const bool same_clips = same(before_.clips, after_.clips);
    const bool same_pose = updater_.same_pose();
    if (same_clips && same_pose && !hides_new_turn()) return {};
    JsonEdit object = stored_object();
    if (!same_clips)
      if (auto done = put_clips(object); !done) return done;
    put_pose(object);
    JsonEdit& root = updater_.editor().root();
    if (object.size() == 0) {
      if (JsonEdit* const extensions = root.find("extensions")) extensions->erase(animation::extension);
      return {};
    }
    object_in(root, "extensions").set(animation::extension, std::move(object));
    add_name(*root.find("asset"), "extensionsUsed", animation::extension);
    return {};
  }

 private:
  static bool hides_turn(const LocalTransform& local) {
    return !local.rotor.empty() && std::ranges::find(local.scale, 0.0) != local.scale.end();
  }

  bool hides_new_turn() const {
    const auto &before = before_.rest_pose.locals, &after = after_.rest_pose.locals;
    for (std::size_t i = 0; i < after.size(); ++i)
      if (hides_turn(after[i]) && (i >= before.size() || before[i] != after[i])) return true;
    return false;
  }

  JsonEdit stored_object() {
    JsonEdit* const extensions = updater_.editor().root().find("extensions");
    JsonEdit* const stored = extensions == nullptr ? nullptr : extensions->find(animation::extension);
    return stored != nullptr && stored->is(JsonKind::object) ? *stored : JsonEdit::object();
  }

  Result<> put_clips(JsonEdit& object) {
    object.erase("clips");
    if (after_.clips.empty()) return {};
    JsonEdit clips = JsonEdit::array();
    for (std::size_t i = 0; i < after_.clips.size(); ++i) {
      const Clip& clip = after_.clips[i];
      const Clip* const old = find_at(before_.clips, i);
      JsonEdit item = JsonEdit::object();
      if (old != nullptr && old->name == clip.name && !clip.name.empty())
        item.set("name", JsonEdit::string(clip.name));
      else
        updater_.put_name(item, nullptr, clip);
      JsonEdit tracks = JsonEdit::array();
      for (const Track& track : clip.tracks) {
        auto written = track_item(track);
        if (!written) return Unexpected(std::move(written.error()));
        tracks.push_back(std::move(*written));
      }
      item.set("tracks", std::move(tracks));
      clips.push_back(std::move(item));
    }
    object.set("clips", std::move(clips));
    return {};
  }

  Result<JsonEdit> track_item(const Track& stored) {
    const bool rounded = stored.times.type() != ComponentType::float64;
    const Track track = has_equal_times(stored, rounded) ? with_increasing_times(stored) : stored;
    JsonEdit item = JsonEdit::object();
    item.set("node", JsonEdit::integer(track.node));
    item.set("path", JsonEdit::string(animation::paths[static_cast<std::size_t>(track.path)]));
    if (track.interpolation != Interpolation::linear)
      item.set("interpolation", JsonEdit::string(animation::interpolations[static_cast<std::size_t>(track.interpolation)]));
    if (auto done = updater_.put(item, "times", floats(track.times)); !done) return Unexpected(std::move(done.error()));
    if (auto done = updater_.put(item, "values", values_of(track)); !done) return Unexpected(std::move(done.error()));
    return item;
  }

  // Writes nodes whose transform is not the stored one, and nodes stored as a basis that does not tell their parts: animated ones, and
  // turned ones with a scale of 0.
  void put_pose(JsonEdit& object) {
    std::vector<bool> animated(after_.nodes.size());
    for (const Clip& clip : after_.clips)
      for (const Track& track : clip.tracks)
        if (track.path != TrackPath::amounts && track.node < animated.size()) animated[track.node] = true;
    object.erase("pose");
    JsonEdit pose = JsonEdit::array();
    for (Index i = 0; i < after_.nodes.size(); ++i) {
      const LocalTransform& local = after_.rest_pose.locals[i];
      const LocalTransform form = stored_form(after_.dimension, local);
      const bool in_parts = local.basis.empty() && !form.basis.empty() && (animated[i] || hides_turn(local));
      if (form == stored_form(after_.dimension, updater_.stored(i)) && !in_parts) continue;
      JsonEdit item = JsonEdit::object();
      item.set("node", JsonEdit::integer(i));
      set_numbers(item, "position", local.translation);
      set_numbers(item, "rotor", local.rotor);
      set_numbers(item, "scale", local.scale);
      set_numbers(item, "basis", local.basis);
      pose.push_back(std::move(item));
    }
    if (pose.size() != 0) object.set("pose", std::move(pose));
  }

  Updater& updater_;
  const Model& before_;
  const Model& after_;
};

}  // namespace

Result<> update_animation(Updater& updater) { return AnimationUpdate(updater).run(); }

}  // namespace sinew::g4mf

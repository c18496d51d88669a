// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "g4mf/extensions/SINEW_animation.hpp"
#include "g4mf/read/mesh/meshes.hpp"
#include "g4mf/read/rig/nodes.hpp"
#include "model/relative.hpp"

#include "sinew/geometry.hpp"

namespace sinew::g4mf::animation {

namespace {

class AnimationReader {
 public:
  AnimationReader(Reader& reader, Accessors& accessors) : reader_(reader), accessors_(accessors), model_(reader.model()) {}

  void read(JsonValue value) {
    const auto object = reader_.object<RootObject>(value);
    for (const JsonValue clip : object["clips"].elements()) read_clip(clip);
    if (object["pose"].size() != 0) read_pose(object["pose"]);
  }

 private:
  [[nodiscard]] std::size_t dimension() const { return model_.dimension; }

  Refused refuse(JsonValue at, std::string_view found, std::string_view expected) {
    return reader_.refuse("G4MF_JSON_TYPE_MISMATCH"_code, at, found, expected);
  }

  void read_clip(JsonValue value) {
    Clip& clip = model_.clips.emplace_back();
    const auto object = reader_.object<ClipObject>(value);
    identify(clip, value);
    if (object.defect()) Reader::mark(clip, reader_.refuse(object).value());
    for (const JsonValue element : object["tracks"].elements()) {
      auto track = read_track(element);
      if (!track) {
        Reader::mark(clip, track.error());
        continue;
      }
      double first = 0, last = 0;
      track->times.read(0, 1, &first);
      track->times.read(track->times.size() - 1, 1, &last);
      clip.start = clip.channels == 0 ? first : std::min(clip.start, first);
      clip.duration = std::max(clip.duration, last);
      clip.tracks.push_back(std::move(*track));
      ++clip.channels;
    }
  }

  Checked<Track> read_track(JsonValue value) {
    const auto object = reader_.object<TrackObject>(value);
    if (object.defect()) return reader_.refuse(object);
    const auto node = reader_.resolve(object, "node");
    if (!node) return Refused(node.error());
    Track track;
    track.source = source_of(value);
    track.node = *node;
    track.path = static_cast<TrackPath>(object.word("path"));
    track.interpolation = static_cast<Interpolation>(object.word("interpolation"));
    auto times = read_times(object);
    if (!times) return Refused(times.error());
    track.times = std::move(*times);
    auto values = read_values(object, track);
    if (!values) return Refused(values.error());
    track.values = std::move(*values);
    return track;
  }

  Checked<Array> read_times(const TrackObject& object) {
    auto times = accessors_.array(object, "times", {AccessorRequirement::Type::floating, 1});
    if (!times) return times;
    const std::vector<double> seconds = times->read<double>();
    const auto finite = [](double x) { return std::isfinite(x); };
    if (seconds.empty() || !std::ranges::all_of(seconds, finite) || !std::ranges::is_sorted(seconds))
      return refuse(object["times"], format_text("{} times", seconds.size()), "times that increase, one at least");
    std::size_t equal = 0;
    for (std::size_t key = 1; key < seconds.size(); ++key) equal += seconds[key] == seconds[key - 1] ? 1 : 0;
    if (equal != 0) reader_.report("SINEW_KEY_TIMES_EQUAL"_code, object["times"], format_text("{} of {} keys", equal, seconds.size()));
    return times;
  }

  Checked<Array> read_values(const TrackObject& object, Track& track) {
    const JsonValue at = object["values"];
    auto values = accessors_.array(object, "values", {AccessorRequirement::Type::floating, 0});
    if (!values) return values;
    std::size_t rows = track.times.size() * (track.interpolation == Interpolation::cubic_spline ? 3 : 1), width = dimension();
    if (track.path == TrackPath::amounts) {
      const Index mesh = model_.nodes[track.node].mesh;
      rows *= mesh < model_.meshes.size() ? model_.meshes[mesh].shapes.size() : 0;
      width = 1;
    }
    const bool rotors = track.path == TrackPath::rotation;
    const bool fits = rotors ? is_rotor_length(dimension(), values->width()) : values->width() == width;
    if (!fits || values->size() != rows || rows == 0)
      return refuse(at, format_text("{} of {}", values->size(), Accessors::text(*values)),
                    rotors ? format_text("{} rotors", rows) : format_text("{} of {} floating point numbers", rows, width));
    const std::vector<double> numbers = values->read<double>();
    if (!std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); }))
      return refuse(at, "numbers that are not finite", "finite numbers");
    if (!rotors) return values;
    return dimension() == 3 ? as_quaternions(at, numbers, track) : with_width(reader_, at, *values, rotor_size(dimension()));
  }

  // In three dimensions rotors are interpolated like glTF's quaternions.
  Checked<Array> as_quaternions(JsonValue at, const std::vector<double>& numbers, Track& track) {
    if (auto taken = reader_.take(at, numbers.size(), sizeof(float)); !taken) return Refused(taken.error());
    track.quaternions = true;
    std::vector<float> values;
    values.reserve(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); i += 4)
      for (const double x : quaternion_from_rotor(std::span(numbers).subspan(i).first<4>())) values.push_back(static_cast<float>(x));
    return reader_.own(std::move(values), 4);
  }

  void read_pose(JsonValue list) {
    const Pose stored = model_.rest_pose;
    const std::vector<Affine> worlds = need(world_transforms(model_, stored));
    std::vector<bool> posed(model_.nodes.size());
    for (const JsonValue value : list.elements()) {
      const auto object = reader_.object<PoseObject>(value);
      if (object.defect()) continue;
      const auto node = reader_.resolve(object, "node");
      if (!node) continue;
      auto local = read_local(object);
      if (!local) {
        Reader::mark(model_.nodes[*node], local.error());
        continue;
      }
      model_.rest_pose.locals[*node] = std::move(*local);
      posed[*node] = true;
    }
    for (Index skeleton = 0; skeleton < model_.skeletons.size(); ++skeleton) bind(skeleton, posed, stored, worlds);
  }

  Checked<LocalTransform> read_local(const PoseObject& object) {
    const std::size_t n = dimension();
    LocalTransform local;
    const auto take = [&](PoseObject::Row row, auto& numbers, std::size_t size) {
      const auto given = object.numbers(row);
      if (!object.has(row)) return true;
      if (row == "rotor" ? !is_rotor_length(n, given.size()) : given.size() != size) return false;
      numbers.assign(std::span<const double>(given));
      return true;
    };
    if (!take("position", local.translation, n) || !take("rotor", local.rotor, 0) || !take("scale", local.scale, n) ||
        !take("basis", local.basis, n * n))
      return refuse(object.value(), "lists of another length", format_text("a transform of {} dimensions", n));
    return local;
  }

  // If a pose moves a bone of a skeleton, its meshes stay bound to the stored transforms.
  void bind(Index index, const std::vector<bool>& posed, const Pose& stored, std::span<const Affine> worlds) {
    Skeleton& skeleton = model_.skeletons[index];
    const auto moved = [&](Index joint) {
      for (Index up = joint; up != none && up != skeleton.node; up = model_.nodes[up].parent)
        if (posed[up]) return true;
      return false;
    };
    if (skeleton.defect != none || std::ranges::none_of(skeleton.joints, moved)) return;
    for (const Index joint : skeleton.joints) {
      auto joint_from_skeleton =
          joint == none ? std::optional(Affine(dimension())) : relative_transform(model_, stored, worlds, joint, skeleton.node);
      if (!joint_from_skeleton) {
        Reader::mark(skeleton,
                     refuse(reader_.value(model_.nodes[joint]), "a bone without inverse", "one, since the file has a pose").value());
        continue;
      }
      skeleton.joint_from_mesh.push_back(*std::move(joint_from_skeleton));
    }
    for (const Node& node : model_.nodes) {
      if (node.skin == none || node.parent != skeleton.node || node.mesh == none) continue;
      Skin& skin = model_.skins[node.skin];
      skin.defect = skeleton.defect;
      if (skeleton.defect != none) continue;
      const auto place = affine_of(dimension(), model_.rest_pose.locals[static_cast<std::size_t>(&node - model_.nodes.data())]);
      skin.bind = Skin::Bind::matrices;
      skin.joint_from_mesh.clear();
      for (const Affine& joint_from_skeleton : skeleton.joint_from_mesh) skin.joint_from_mesh.push_back(joint_from_skeleton * place);
    }
  }

  Reader& reader_;
  Accessors& accessors_;
  Model& model_;
};

}  // namespace

void read_animation(Reader& reader, Accessors& accessors) {
  const JsonValue value = reader.root().value()["extensions"][extension];
  if (value.is(JsonKind::object)) AnimationReader(reader, accessors).read(value);
}

}  // namespace sinew::g4mf::animation

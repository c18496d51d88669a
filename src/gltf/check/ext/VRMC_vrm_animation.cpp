// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "base/guard.hpp"
#include "gltf/check/ext/VRM.hpp"

namespace sinew::gltf::vrm {

namespace {

constexpr double least_hips_height = 1e-3, scale_tolerance = 1e-3;

/// Checks the object of VRM Animation and the channels of the nodes that it names.
class MotionCheck {
 public:
  MotionCheck(Checker& checker, JsonValue motion, const Humanoid& humanoid)
      : checker_(checker), motion_(motion), humanoid_(humanoid), model_(checker.model()) {}

  void run() {
    if (const JsonValue at = motion_["humanoid"]) check_humanoid(checker_, humanoid_, at);
    for (const Humanoid::Bone& bone : humanoid_.bones) bones_.emplace(bone.node, bone.kind->name);
    const JsonValue expressions = motion_["expressions"];
    read_expressions(expressions["preset"], true);
    read_expressions(expressions["custom"], false);
    gaze_ = checker_.root().plain_index(motion_["lookAt"]["node"], Reference::node);
    if (model_.clips.empty()) checker_.report("VRMA_NO_ANIMATION"_code, motion_);
    for (const Clip& clip : model_.clips)
      for (const Track& track : clip.tracks) check_track(track);
    check_rest();
  }

 private:
  void read_expressions(JsonValue list, bool preset) {
    for (const JsonMember member : list.members()) {
      const std::string name = member.key.string();
      const bool looks = std::ranges::find(look_presets, name) != std::end(look_presets);
      if (preset && looks)
        checker_.report("VRMA_EXPRESSION_LOOK"_code, member.value, name);
      else if (preset && !is_preset(name))
        checker_.report("VRM_EXPRESSION_PRESET_UNKNOWN"_code, member.value, '"' + name + '"');
      if (!preset && is_preset(name)) checker_.report("VRM_EXPRESSION_CUSTOM_IS_PRESET"_code, member.value, '"' + name + '"');
      const Index node = checker_.root().plain_index(member.value["node"], Reference::node);
      if (node != none) expressions_.emplace(node, name);
    }
  }

  void check_track(const Track& track) {
    const JsonValue at(checker_.document().json(), static_cast<std::uint32_t>(track.source));
    if (const auto bone = bones_.find(track.node); bone != bones_.end()) {
      const std::string_view name = bone->second;
      if (name == "leftEye" || name == "rightEye") checker_.report("VRMA_BONE_EYE"_code, at, name);
      if (track.path == TrackPath::translation && name != "hips") checker_.report("VRMA_BONE_TRANSLATION"_code, at, name);
      if (track.path == TrackPath::scale) checker_.report("VRMA_BONE_SCALE"_code, at, name);
    }
    if (const auto expression = expressions_.find(track.node); expression != expressions_.end()) {
      const std::string name = '"' + expression->second + '"';
      if (track.path == TrackPath::translation)
        check_amounts(track, at, name);
      else
        checker_.report("VRMA_EXPRESSION_PATH"_code, at, path_of(track.path), name);
    }
    if (track.node == gaze_ && track.path != TrackPath::rotation) checker_.report("VRMA_LOOKAT_PATH"_code, at, path_of(track.path));
  }

  void check_amounts(const Track& track, JsonValue at, const std::string& name) {
    const std::vector<double> values = track.values.read<double>();
    const std::size_t step = track.interpolation == Interpolation::cubic_spline ? 9 : 3;
    double worst = 0;
    for (std::size_t i = step == 9 ? 3 : 0; i < values.size(); i += step)
      if (std::abs(values[i] - 0.5) > std::abs(worst - 0.5)) worst = values[i];
    constexpr double rounding = 1e-6;
    if (worst < -rounding || worst > 1 + rounding) checker_.report("VRMA_EXPRESSION_RANGE"_code, at, name, worst);
  }

  // At rest: the height of the hips, and scales of bones and of what is above them.
  void check_rest() {
    if (const Humanoid::Bone* const hips = humanoid_.find("hips")) {
      const std::vector<Affine> world = need(world_transforms(model_, model_.rest_pose));
      const double height = world[hips->node].translation(1);
      if (!(height > least_hips_height)) checker_.report("VRMA_HIPS_HEIGHT"_code, hips->at, height);
    }
    std::set<Index> seen;
    for (const Humanoid::Bone& bone : humanoid_.bones)
      for (Index node = bone.node; node != none && seen.insert(node).second; node = model_.nodes[node].parent) {
        const std::array<double, 3> scale = scale_of(model_.rest_pose.locals[node]);
        if (std::ranges::none_of(scale, [](double factor) { return !(std::abs(factor - 1) <= scale_tolerance); })) continue;
        const JsonValue at(checker_.document().json(), static_cast<std::uint32_t>(model_.nodes[node].source));
        checker_.report("VRMA_NODE_SCALE"_code, at, node, scale[0], scale[1], scale[2]);
      }
  }

  static std::string_view path_of(TrackPath path) {
    constexpr std::string_view names[] = {"translation", "rotation", "scale", "weights"};
    return names[static_cast<std::size_t>(path)];
  }

  Checker& checker_;
  JsonValue motion_;
  const Humanoid& humanoid_;
  const Model& model_;
  std::map<Index, std::string_view> bones_;   ///< by node
  std::map<Index, std::string> expressions_;  ///< by node
  Index gaze_ = none;
};

}  // namespace

void check_motion(Checker& checker, JsonValue motion, const Humanoid& humanoid) { MotionCheck(checker, motion, humanoid).run(); }

}  // namespace sinew::gltf::vrm

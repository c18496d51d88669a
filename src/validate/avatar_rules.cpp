// SPDX-License-Identifier: MIT
#include "validate/avatar_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "base/catalogue_avatar.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "gltf/check/ext/VRM.hpp"
#include "model/deformable.hpp"

#include "sinew/deform.hpp"

namespace sinew::validate::avatar_rules {

using avatars::operator""_code;
using document::JsonMember;
using document::JsonValue;
using gltf::vrm::Humanoid;

namespace {

constexpr double facing_tolerance = 30, limb_tolerance = 15, finger_tolerance = 25, thumb_tolerance = 30;  // degrees
constexpr double size_tolerance = 0.02;                                                                    // of the height
constexpr double least_hips_height = 1e-3;
constexpr double least_motion = 1e-6;  // of the height

using Vector = std::array<double, 3>;

Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double length(const Vector& v) { return std::hypot(v[0], v[1], v[2]); }

// In degrees; nothing if a vector has no direction.
std::optional<double> angle(const Vector& a, const Vector& b) {
  const double size = length(a) * length(b);
  if (!(size > 0) || !std::isfinite(size)) return std::nullopt;
  const double cosine = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / size;
  return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
}

/// Measures the rest pose of an avatar.
class PoseCheck {
 public:
  PoseCheck(const Model& model, const Humanoid& humanoid, FindingSink& sink)
      : humanoid_(humanoid), sink_(sink), forward_(humanoid.old ? -1 : 1), world_(need(world_transforms(model, model.rest_pose))) {
    measure_vertices(model);
    if (high_ < low_)
      for (const Humanoid::Bone& bone : humanoid.bones) take(world_[bone.node].translation(1));
  }

  /// The extent of the vertices along Y, or of the bones if there are none.
  [[nodiscard]] double height() const { return std::max(high_ - low_, 0.0); }

  void run() {
    check_facing();
    check_sides();
    for (const std::string side : {"left", "right"}) check_limbs(side);
    check_limb("VRM_POSE_LEGS"_code, "spine", "head", {0, 1, 0}, "+Y");
    if (!humanoid_.old)
      for (const std::string side : {"left", "right"}) check_fingers(side);
    check_symmetry();
    if (has_vertices_ && std::abs(low_) > size_tolerance * height())
      sink_.add(finding("VRM_POSE_GROUND"_code, humanoid_.at.place(), low_, 100 * std::abs(low_) / height()));
    if (const Humanoid::Bone* const hips = humanoid_.find("hips"))
      if (const double at = place(*hips)[1]; !(at > least_hips_height))
        sink_.add(finding("VRM_POSE_HIPS_HEIGHT"_code, hips->at.place(), at));
  }

 private:
  void take(double y) {
    low_ = std::min(low_, y);
    high_ = std::max(high_, y);
  }

  void measure_vertices(const Model& model) {
    if (!is_deformable(model)) return;
    auto scene = deform::SceneDeformer::create(model, need(instances(model)), {});
    if (!scene || scene->vertices() == 0) return;
    std::vector<float> rows(scene->vertices() * 3);
    if (!scene->run(model.rest_pose, {{rows.data(), scene->vertices(), 3}, {}, {}}, 0)) return;
    has_vertices_ = true;
    for (std::size_t row = 1; row < rows.size(); row += 3) take(static_cast<double>(rows[row]));
  }

  [[nodiscard]] Vector place(const Humanoid::Bone& bone) const {
    const Affine& map = world_[bone.node];
    return {map.translation(0), map.translation(1), map.translation(2)};
  }
  [[nodiscard]] std::string_view name(const Humanoid::Bone& bone) const { return humanoid_.name_of(*bone.kind); }
  // The X of the left side.
  [[nodiscard]] double left() const { return forward_; }

  // Calls use(left bone, right bone) for each pair.
  template <class Use>
  void for_each_pair(const Use& use) const {
    for (const Humanoid::Bone& bone : humanoid_.bones) {
      if (!bone.kind->name.starts_with("left")) continue;
      if (const Humanoid::Bone* const other = humanoid_.find("right" + std::string(bone.kind->name.substr(4)))) use(bone, *other);
    }
  }

  void check_facing() {
    Vector across = {};
    for_each_pair([&](const Humanoid::Bone& a, const Humanoid::Bone& b) {
      if (a.kind->name != "leftUpperLeg" && a.kind->name != "leftUpperArm") return;
      const Vector way = place(a) - place(b);
      for (std::size_t axis = 0; axis < 3; ++axis) across[axis] += way[axis];
    });
    const auto off = angle({-across[2], 0, across[0]}, {0, 0, forward_});  // across x up
    if (off && *off > facing_tolerance) sink_.add(finding("VRM_POSE_FACING"_code, humanoid_.at.place(), *off, forward_ > 0 ? "+Z" : "-Z"));
  }

  void check_sides() {
    for_each_pair([&](const Humanoid::Bone& a, const Humanoid::Bone& b) {
      const double x = place(a)[0], other = place(b)[0];
      if ((x - other) * left() < -1e-4 * height())
        sink_.add(finding("VRM_POSE_LEFT_RIGHT"_code, a.at.place(), x, other, left() > 0 ? "larger" : "smaller"));
    });
  }

  using LimbCode = CodeFor<std::string_view, std::string_view, double, std::string_view>;
  void check_limb(LimbCode code, const std::string& from, const std::string& to, const Vector& way, std::string_view axis) {
    const Humanoid::Bone* const start = humanoid_.find(from);
    const Humanoid::Bone* const end = humanoid_.find(to);
    if (start == nullptr || end == nullptr) return;
    const auto off = angle(place(*end) - place(*start), way);
    if (off && *off > limb_tolerance) sink_.add(finding(Code(code), start->at.place(), name(*start), name(*end), *off, axis));
  }

  void check_limbs(const std::string& side) {
    const double x = side == "left" ? left() : -left();
    const std::string_view axis = x > 0 ? "+X" : "-X";
    check_limb("VRM_POSE_ARMS"_code, side + "UpperArm", side + "LowerArm", {x, 0, 0}, axis);
    check_limb("VRM_POSE_ARMS"_code, side + "LowerArm", side + "Hand", {x, 0, 0}, axis);
    check_limb("VRM_POSE_LEGS"_code, side + "UpperLeg", side + "LowerLeg", {0, -1, 0}, "-Y");
    check_limb("VRM_POSE_LEGS"_code, side + "LowerLeg", side + "Foot", {0, -1, 0}, "-Y");
  }

  void check_fingers(const std::string& side) {
    const double x = side == "left" ? left() : -left();
    for (const std::string finger : {"Thumb", "Index", "Middle", "Ring", "Little"}) {
      const bool thumb = finger == "Thumb";
      const std::array<std::string, 3> parts = {thumb ? "Metacarpal" : "Proximal", thumb ? "Proximal" : "Intermediate", "Distal"};
      const Vector way = {x, 0, thumb ? 1.0 : 0.0};
      for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
        const Humanoid::Bone* const start = humanoid_.find(side + finger + parts[part]);
        const Humanoid::Bone* const end = humanoid_.find(side + finger + parts[part + 1]);
        const auto off = start == nullptr || end == nullptr ? std::nullopt : angle(place(*end) - place(*start), way);
        const double most = thumb ? thumb_tolerance : finger_tolerance;
        if (off && *off > most)
          sink_.add(finding("VRM_POSE_FINGERS"_code, start->at.place(), name(*start), name(*end), *off,
                            thumb ? (x > 0 ? "the middle of +X and +Z" : "the middle of -X and +Z") : (x > 0 ? "+X" : "-X"),
                            static_cast<int>(most)));
      }
    }
  }

  void check_symmetry() {
    std::size_t pairs = 0, uneven = 0;
    double worst = 0;
    const Humanoid::Bone* at = nullptr;
    for_each_pair([&](const Humanoid::Bone& a, const Humanoid::Bone& b) {
      const Vector left = place(a), right = place(b);
      const double off = length({left[0] + right[0], left[1] - right[1], left[2] - right[2]});
      ++pairs;
      if (!(off > size_tolerance * height())) return;
      ++uneven;
      if (off > worst) worst = off, at = &a;
    });
    if (at == nullptr) return;
    const double share = height() > 0 ? 100 * worst / height() : std::numeric_limits<double>::infinity();
    sink_.add(finding("VRM_POSE_SYMMETRY"_code, at->at.place(), uneven, pairs, name(*at), worst, share));
  }

  const Humanoid& humanoid_;
  FindingSink& sink_;
  double forward_;  ///< the Z of the direction that the avatar looks at
  std::vector<Affine> world_;
  bool has_vertices_ = false;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

/// Finds expressions whose binds move no vertex.
class ExpressionCheck {
 public:
  ExpressionCheck(const Model& model, double height, FindingSink& sink) : model_(model), least_(least_motion * height), sink_(sink) {}

  void run(JsonValue expressions, bool old) {
    if (old) {
      for (const JsonValue group : expressions["blendShapeGroups"].elements())
        if (group["materialValues"].size() == 0) check(group, group["name"].string(), group["binds"], old);
      return;
    }
    for (const std::string_view list : {"preset", "custom"})
      for (const JsonMember member : expressions[list].members())
        if (member.value["materialColorBinds"].size() == 0 && member.value["textureTransformBinds"].size() == 0)
          check(member.value, member.key.string(), member.value["morphTargetBinds"], old);
  }

 private:
  // Says nothing about binds that refer to nothing: other rules report them.
  void check(JsonValue expression, const std::string& name, JsonValue binds, bool old) {
    double most = 0;
    for (const JsonValue bind : binds.elements()) {
      const auto index = document::whole_number(bind[old ? "mesh" : "node"]);
      const auto shape = document::whole_number(bind["index"]);
      const Index mesh = !index ? none : old ? static_cast<Index>(std::min<std::uint64_t>(*index, none)) : mesh_of(*index);
      if (!shape || mesh >= model_.meshes.size() || model_.meshes[mesh].defect != none || *shape >= model_.meshes[mesh].shapes.size())
        return;
      const double weight = old ? bind["weight"].number().value_or(100) / 100 : bind["weight"].number().value_or(1);
      most = std::max(most, std::abs(weight) * reach(mesh, static_cast<Index>(*shape)));
    }
    if (binds.size() > 0 && !(most > least_))
      sink_.add(finding("VRM_EXPRESSION_MOVES_NOTHING"_code, expression.place(), '"' + name + '"', binds.size(), most));
  }

  [[nodiscard]] Index mesh_of(std::uint64_t node) const { return node < model_.nodes.size() ? model_.nodes[node].mesh : none; }

  /// Returns the longest offset of a vertex.
  double reach(Index mesh, Index shape) {
    const auto [known, is_new] = reach_.try_emplace(std::pair(mesh, shape), 0);
    if (!is_new) return known->second;
    for (const VertexBlock& block : model_.meshes[mesh].blocks) {
      const Attribute* const positions = find_attribute(block.attributes, Semantic::position);
      if (positions == nullptr) continue;
      for (const Offsets& offsets : positions->offsets) {
        if (offsets.shape != shape) continue;
        const std::vector<double> rows = offsets.values.read<double>();
        for (std::size_t row = 0; row + 2 < rows.size(); row += 3)
          known->second = std::max(known->second, length({rows[row], rows[row + 1], rows[row + 2]}));
      }
    }
    return known->second;
  }

  const Model& model_;
  double least_;
  FindingSink& sink_;
  std::map<std::pair<Index, Index>, double> reach_;
};

}  // namespace

void check(const Model& model, const document::Document& document, FindingSink& sink) {
  const JsonValue root = document.json().root();
  if (model.dimension != 3 || !root["extensions"]) return;
  const Humanoid humanoid = gltf::vrm::humanoid_in(root, model.nodes.size());
  if (!humanoid.at) return;
  PoseCheck pose(model, humanoid, sink);
  pose.run();
  ExpressionCheck(model, pose.height(), sink).run(gltf::vrm::expressions_in(root, humanoid.old), humanoid.old);
}

}  // namespace sinew::validate::avatar_rules

namespace sinew::validate {

void check_avatar(const Model& model, const document::Document& document, FindingSink& sink) { avatar_rules::check(model, document, sink); }

}  // namespace sinew::validate

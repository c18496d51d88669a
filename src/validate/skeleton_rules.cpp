// SPDX-License-Identifier: MIT
#include "validate/skeleton_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "base/catalogue_model.hpp"
#include "base/message.hpp"
#include "document/container/capped_sink.hpp"
#include "document/json/json.hpp"
#include "model/place.hpp"
#include "validate/model_rules.hpp"
#include "validate/skeleton_view.hpp"

namespace sinew::validate {

namespace {

using document::JsonValue;

// Tolerance for positions that an authoring tool computes in float32, relative to the skeleton's size.
constexpr double offset_tolerance = 1e-4;

struct Traits {
  std::string_view name;       // of the dialect, in messages
  std::string_view extension;  // the glTF extension that declares the dialect
  bool root_is_bone;           // the topmost bone identifies the skeleton; otherwise the node above its bones does
};
constexpr Traits traits_table[] = {
    {"staik", "STAIK_skeletons", true},
    {"skin-strict", "KHR_skin_strict", true},
    {"skeleton-bone", "KHR_skeleton_bone", false},
    {"g4mf", "", false},
};
constexpr std::size_t dialects = std::size(traits_table);

std::string describe(Index node) { return node == none ? std::string("a node above all bones") : format_text("node {}", node); }

class Check {
 public:
  Check(const Model& model, const document::Document& document, SkeletonDialect dialect, FindingSink& sink)
      : model_(model), document_(document), dialect_(dialect), sink_(sink), view_(view_skeletons(model)) {
    for (Index clip = 0; clip < model.clips.size(); ++clip)
      for (const Track& track : model.clips[clip].tracks)
        if (track.path == TrackPath::translation && track.node != none) moving_clips_.try_emplace(track.node, clip);
  }
  void run();

 private:
  struct Rule {
    void (Check::*check)(const Rig& rig);
    std::array<std::optional<Severity>, dialects> severity;  // by dialect; empty: no such rule
  };
  static const Rule rules[];

  void named(const Rig& rig);
  void names_root(const Rig& rig);
  void root_is_no_bone(const Rig& rig);
  void one_top(const Rig& rig);
  void no_gap(const Rig& rig);
  void tops_below_frame(const Rig& rig);
  void one_skin_per_joint(const Rig& rig);
  void one_root_per_joint(const Rig& rig);
  void one_skin(const Rig& rig);
  void mesh_below_root(const Rig& rig);
  void no_content(const Rig& rig);
  void no_component(const Rig& rig);
  void marked(const Rig& rig);
  void joint_order(const Rig& rig);
  void bind_given(const Rig& rig);
  void has_root(const Rig& rig);
  void connected(const Rig& rig);
  void connected_still(const Rig& rig);
  void connected_top(const Rig& rig);
  void check_required();

  [[nodiscard]] const Traits& traits() const { return traits_table[static_cast<std::size_t>(dialect_)]; }
  [[nodiscard]] bool skins_list_joints() const { return !model_.binds_by_stored_pose(); }
  // Returns the node that skins of the rig should refer to: its only topmost bone, or the node above its bones. Nothing if there is none.
  [[nodiscard]] std::optional<Index> expected_root(const Rig& rig) const {
    if (!traits().root_is_bone) return rig.frame;
    return rig.tops.size() == 1 ? std::optional(rig.tops.front()) : std::nullopt;
  }
  // Returns the node that the first of its skins with such a reference refers to.
  [[nodiscard]] Index named_root(const Rig& rig) const {
    for (const Index skin : rig.skins)
      if (model_.skins[skin].root_hint != none) return model_.skins[skin].root_hint;
    return none;
  }
  [[nodiscard]] bool is_bone(const Rig& rig, Index node) const { return std::ranges::binary_search(rig.bones, node); }
  [[nodiscard]] JsonValue value_of(Index node) const { return {document_.json(), static_cast<std::uint32_t>(model_.nodes[node].source)}; }
  // The model does not contain this property, because only these rules need it. Reading checked that it is a boolean.
  [[nodiscard]] bool is_connected(Index node) const {
    return value_of(node)["extensions"]["KHR_skeleton_bone"]["connected"].boolean().value_or(false);
  }
  [[nodiscard]] std::string pointer(const Entity& entity) const { return pointer_of(model_, entity.source); }

  template <class... Args>
  void report(CodeFor<std::string_view, std::type_identity_t<Args>...> code, std::string at, const Args&... args) {
    if (sink_.full()) return sink_.drop();
    Finding found = finding(code, std::move(at), traits().name, args...);
    found.severity = severity_;
    sink_.add(std::move(found));
  }

  const Model& model_;
  const document::Document& document_;
  SkeletonDialect dialect_;
  document::CappedSink sink_;
  SkeletonView view_;
  std::map<Index, Index> moving_clips_;    // by node: the first animation that moves it
  Severity severity_ = Severity::warning;  // of the current rule
};

// A requirement of a dialect is a warning, a recommendation is an information.
constexpr auto must = Severity::warning;
constexpr auto should = Severity::information;
constexpr auto hint = Severity::hint;
constexpr auto no = std::optional<Severity>();

// Dialects in the order of traits_table.
const Check::Rule Check::rules[] = {
    {&Check::named, {must, must, must, no}},
    {&Check::names_root, {must, must, must, no}},
    {&Check::root_is_no_bone, {no, no, must, must}},
    {&Check::one_top, {must, must, no, no}},
    {&Check::no_gap, {must, must, must, must}},
    {&Check::tops_below_frame, {no, no, must, must}},
    {&Check::one_skin_per_joint, {no, must, no, no}},
    {&Check::one_root_per_joint, {no, no, must, no}},
    {&Check::one_skin, {no, no, hint, no}},
    {&Check::mesh_below_root, {no, no, must, must}},
    {&Check::no_content, {hint, must, must, must}},
    {&Check::no_component, {no, must, should, no}},
    {&Check::marked, {must, no, no, no}},
    {&Check::joint_order, {no, no, no, should}},
    {&Check::bind_given, {must, no, no, must}},
    {&Check::has_root, {no, no, should, no}},
    {&Check::connected, {no, no, must, no}},
    {&Check::connected_still, {no, no, should, no}},
    {&Check::connected_top, {no, no, hint, no}},
};

void Check::run() {
  check_required();
  for (const Rig& rig : view_.rigs)
    for (const Rule& rule : rules) {
      const auto severity = rule.severity[static_cast<std::size_t>(dialect_)];
      if (!severity) continue;
      severity_ = *severity;
      (this->*rule.check)(rig);
    }
}

void Check::check_required() {
  const auto place = std::ranges::find(model_.extensions_required, traits().extension);
  if (traits().extension.empty() || place == model_.extensions_required.end()) return;
  severity_ = dialect_ == SkeletonDialect::skin_strict ? must : should;
  report("SINEW_SKELETON_REQUIRED"_code, format_text("/extensionsRequired/{}", place - model_.extensions_required.begin()));
}

void Check::named(const Rig& rig) {
  if (!skins_list_joints()) return;
  for (const Index skin : rig.skins)
    if (model_.skins[skin].root_hint == none)
      report("SINEW_SKELETON_NOT_NAMED"_code, pointer(model_.skins[skin]), describe(expected_root(rig).value_or(none)));
}

void Check::names_root(const Rig& rig) {
  const auto expected = expected_root(rig);
  if (!expected) return;  // several tops, or gaps: another rule reports them
  for (const Index skin : rig.skins) {
    const Index named = model_.skins[skin].root_hint;
    if (named == none || named == *expected) continue;
    if (!traits().root_is_bone && is_bone(rig, named)) continue;  // the rule about roots that are bones reports it
    report("SINEW_SKELETON_OTHER_NODE"_code, pointer(model_.skins[skin]) + "/skeleton", named, describe(*expected));
  }
}

void Check::root_is_no_bone(const Rig& rig) {
  const Index named = named_root(rig);
  if (named != none && is_bone(rig, named)) report("SINEW_SKELETON_ROOT_IS_BONE"_code, pointer(model_.nodes[named]), named);
}

void Check::one_top(const Rig& rig) {
  if (rig.tops.size() > 1)
    report("SINEW_SKELETON_SEVERAL_TOPS"_code, pointer(model_.nodes[rig.tops[1]]), rig.tops.size(), join_text(rig.tops, ", "));
}

void Check::no_gap(const Rig& rig) {
  for (const Gap& gap : rig.gaps) report("SINEW_SKELETON_GAP"_code, pointer(model_.nodes[gap.node]), gap.node, gap.below);
}

// The chain of bones must reach the root: a node between a topmost bone and the root is a gap too.
void Check::tops_below_frame(const Rig& rig) {
  for (const Index top : rig.tops)
    if (const Index parent = model_.nodes[top].parent; parent != rig.frame)
      report("SINEW_SKELETON_GAP"_code, pointer(model_.nodes[parent]), parent, top);
}

void Check::one_skin_per_joint(const Rig& rig) {
  if (rig.skins.size() < 2) return;
  std::map<Index, Index> owners;  // by joint: the first skin with it
  for (const Index skin : rig.skins)
    for (const Index node : model_.skins[skin].slots) {
      const auto [owner, is_new] = owners.try_emplace(node, skin);
      if (node != none && !is_new && owner->second != skin)
        report("SINEW_SKELETON_BONE_SHARED"_code, pointer(model_.nodes[node]), format_text("skin {}", owner->second),
               format_text("skin {}", skin));
    }
}

void Check::one_root_per_joint(const Rig& rig) {
  Index first = none;
  for (const Index skin : rig.skins) {
    if (model_.skins[skin].root_hint == none) continue;
    if (first == none) first = skin;
    if (model_.skins[skin].root_hint != model_.skins[first].root_hint)
      report("SINEW_SKELETON_ROOTS_DIFFER"_code, pointer(model_.skins[skin]) + "/skeleton", first, describe(model_.skins[first].root_hint),
             describe(model_.skins[skin].root_hint));
  }
}

void Check::one_skin(const Rig& rig) {
  if (skins_list_joints() && rig.skins.size() > 1)
    report("SINEW_SKELETON_SEVERAL_SKINS"_code, pointer(model_.skins[rig.skins[1]]), rig.skins.size());
}

void Check::mesh_below_root(const Rig& rig) {
  const Index named = named_root(rig);
  const Index root = named != none && !is_bone(rig, named) ? named : rig.frame;
  for (const Index mesh : rig.meshes)
    if (root == none || model_.nodes[mesh].parent != root)
      report("SINEW_SKELETON_MESH_PLACE"_code, pointer(model_.nodes[mesh]), describe(root));
}

// The properties of both formats that give a node another role besides a bone.
void Check::no_content(const Rig& rig) {
  constexpr std::string_view keys[] = {"mesh", "camera", "skin", "light", "model", "physics"};
  for (const Index bone : rig.bones) {
    const JsonValue value = value_of(bone);
    std::string_view content;
    for (const std::string_view key : keys)
      if (content.empty() && value[key]) content = key;
    if (content.empty() && value["extensions"]["KHR_lights_punctual"]) content = "KHR_lights_punctual";
    if (!content.empty()) report("SINEW_SKELETON_BONE_CONTENT"_code, pointer(model_.nodes[bone]), content);
  }
}

// Extensions that give a node another role besides a transform.
void Check::no_component(const Rig& rig) {
  constexpr std::string_view extensions[] = {"EXT_mesh_gpu_instancing", "KHR_audio_emitter", "KHR_physics_rigid_bodies",
                                             "EXT_lights_image_based"};
  for (const Index bone : rig.bones)
    for (const std::string_view extension : extensions)
      if (value_of(bone)["extensions"][extension]) report("SINEW_SKELETON_BONE_CONTENT"_code, pointer(model_.nodes[bone]), extension);
}

void Check::marked(const Rig& rig) {
  if (!skins_list_joints() || rig.is_listed) return;
  report("SINEW_SKELETON_NOT_MARKED"_code, pointer(model_.nodes[rig.bones.front()]), rig.bones.size(), rig.bones.front());
}

void Check::joint_order(const Rig& rig) {
  for (const Index index : rig.skins) {
    const Skin& skin = model_.skins[index];
    const auto later = std::ranges::adjacent_find(skin.slots, [](Index a, Index b) { return b < a; });
    if (later == skin.slots.end()) continue;
    const auto slot = later + 1 - skin.slots.begin();
    report("SINEW_SKELETON_JOINT_ORDER"_code, format_text("{}/joints/{}", pointer(skin), slot), slot, later[1], later[0]);
  }
}

void Check::bind_given(const Rig& rig) {
  for (const Index skin : rig.skins)
    if (model_.skins[skin].bind == Skin::Bind::identity) report("SINEW_SKELETON_BIND_IMPLIED"_code, pointer(model_.skins[skin]));
}

void Check::has_root(const Rig& rig) {
  if (skins_list_joints() && rig.skins.empty())
    report("SINEW_SKELETON_WITHOUT_ROOT"_code, pointer(model_.nodes[rig.tops.front()]), rig.bones.size());
}

void Check::connected(const Rig& rig) {
  for (const Index index : rig.bones) {
    const Node& node = model_.nodes[index];
    if (!is_connected(index) || node.parent == none || !is_bone(rig, node.parent)) continue;
    const auto& parent = model_.nodes[node.parent].bone;
    if (!parent || !parent->length) {
      report("SINEW_SKELETON_CONNECTED_NO_LENGTH"_code, pointer(node), node.parent);
      continue;
    }
    const Affine local = affine_of(model_.dimension, model_.rest_pose.locals[index]);
    const double x = local.translation(0), y = local.translation(1), z = local.translation(2), length = *parent->length;
    const double most = std::max({std::abs(x), std::abs(z), std::abs(y - length)});
    if (!(most <= offset_tolerance * std::max(length, std::abs(y))))
      report("SINEW_SKELETON_CONNECTED_OFFSET"_code, pointer(node), x, y, z, length);
  }
}

void Check::connected_still(const Rig& rig) {
  for (const Index bone : rig.bones) {
    const auto clip = moving_clips_.find(bone);
    const Index parent = model_.nodes[bone].parent;
    if (clip != moving_clips_.end() && is_connected(bone) && parent != none && is_bone(rig, parent))
      report("SINEW_SKELETON_CONNECTED_ANIMATED"_code, pointer(model_.nodes[bone]), clip->second);
  }
}

void Check::connected_top(const Rig& rig) {
  for (const Index top : rig.tops)
    if (is_connected(top)) report("SINEW_SKELETON_CONNECTED_TOP"_code, pointer(model_.nodes[top]));
}

bool uses(const Model& model, SkeletonDialect dialect) {
  const std::string_view extension = traits_table[static_cast<std::size_t>(dialect)].extension;
  return std::ranges::find(model.extensions_used, extension) != model.extensions_used.end();
}

}  // namespace

std::vector<SkeletonDialect> declared_dialects(const Model& model) {
  std::vector<SkeletonDialect> declared;
  for (const SkeletonDialect dialect : {SkeletonDialect::skin_strict, SkeletonDialect::skeleton_bone})
    if (!model.binds_by_stored_pose() && uses(model, dialect)) declared.push_back(dialect);
  return declared;
}

void check_skeletons(const Model& model, const document::Document& document, SkeletonDialect dialect, FindingSink& sink) {
  const bool checked =
      model.binds_by_stored_pose() ? dialect == SkeletonDialect::g4mf : dialect == SkeletonDialect::staik && uses(model, dialect);
  if (!checked) Check(model, document, dialect, sink).run();
}

}  // namespace sinew::validate

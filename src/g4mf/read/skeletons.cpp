// SPDX-License-Identifier: MIT
#include "g4mf/read/skeletons.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "document/entities.hpp"

namespace sinew::g4mf {

namespace {

class SkeletonReader {
 public:
  SkeletonReader(Reading& reading, const Nodes& nodes) : reading_(reading), model_(reading.model()), nodes_(nodes) {}

  void read() {
    owners_.assign(model_.nodes.size(), none);
    for (Index node = 0; node < model_.nodes.size(); ++node)
      if (nodes_.skeleton(node)) places_.emplace(node, static_cast<Index>(places_.size()));
    find_owners();
    for (const auto& [node, place] : places_) read_skeleton(node, nodes_.skeleton(node));
    check_bones();
    // Skins in ascending order of their mesh nodes.
    for (Index node = 0; node < model_.nodes.size(); ++node) bind(node);
    name_groups();
  }

 private:
  [[nodiscard]] bool is_bone(Index node) const { return model_.nodes[node].bone.has_value() && !nodes_.skeleton(node); }

  // The skeleton node of each bone that reaches one through bones alone.
  void find_owners() {
    std::vector<Index> open;
    for (const auto& [skeleton, place] : places_) {
      open.assign({skeleton});
      while (!open.empty()) {
        const Index node = open.back();
        open.pop_back();
        for (const Index child : model_.nodes[node].children) {
          if (!is_bone(child)) continue;
          owners_[child] = skeleton;
          open.push_back(child);
        }
      }
    }
  }

  [[nodiscard]] bool has_skeleton_above(Index node) const {
    for (Index up = model_.nodes[node].parent; up != none; up = model_.nodes[up].parent)
      if (nodes_.skeleton(up)) return true;
    return false;
  }

  void check_bones() {
    for (Index node = 0; node < model_.nodes.size(); ++node) {
      if (!is_bone(node) || owners_[node] != none) continue;
      const JsonValue at = nodes_.value(node);
      if (reading_.revision() == Revision::r2025_08)
        reading_.report<"G4MF_BONE_CHAIN_BROKEN"_code>(at["boneLength"] ? at["boneLength"] : at);
      else if (const Index parent = model_.nodes[node].parent; parent == none || !is_bone(parent)) {
        reading_.report<"G4MF_BONE_PARENT"_code>(at["bone"] ? at["bone"] : at);
        if (!has_skeleton_above(node)) reading_.report<"G4MF_BONE_NO_SKELETON"_code>(at["bone"] ? at["bone"] : at);
      }
    }
  }

  void read_skeleton(Index node, JsonValue value) {
    Skeleton& skeleton = model_.skeletons.emplace_back();
    const auto object = reading_.object<SkeletonObject>(value);
    skeleton.name = model_.nodes[node].name;
    skeleton.source = source_of(value);
    skeleton.node = node;
    if (object.defect()) Reading::mark(skeleton, reading_.refuse(object).value());
    if (model_.nodes[node].bone) reading_.report<"G4MF_SKELETON_IS_BONE"_code>(value);
    const JsonValue joints = object[SkeletonRow::joints];
    skeleton.joints.reserve(joints.size());
    for (const JsonValue element : joints.elements()) {
      const auto joint = read_joint(node, element);
      if (!joint) Reading::mark(skeleton, joint.error());
      skeleton.joints.push_back(joint ? *joint : none);
    }
    check_order(skeleton, joints);
  }

  // −1 is a slot without a bone: what follows it stays with the mesh's node.
  Checked<Index> read_joint(Index skeleton, JsonValue value) {
    const auto number = value.number();
    if (!number || std::trunc(*number) != *number) return reading_.refuse<"G4MF_ID_NOT_INTEGER"_code>(value, document::excerpt(value));
    if (*number == -1) return none;
    if (*number < 0) return reading_.refuse<"G4MF_SKELETON_JOINT_BELOW_MINUS_ONE"_code>(value, document::excerpt(value));
    const auto joint = reading_.resolve(value, model_.nodes.size(), array_name(Reference::node), "G4MF_SKELETON_JOINT_RANGE"_code);
    if (!joint) return joint;
    if (*joint == none)
      return reading_.refuse<"G4MF_SKELETON_JOINT_RANGE"_code>(value, document::excerpt(value), model_.nodes.size(), "nodes");
    bool below = false, chain = true, flat = false;
    std::uint32_t steps = 0;
    for (Index up = *joint; up != none && steps <= model_.nodes.size(); up = model_.nodes[up].parent, ++steps) {
      if (up == skeleton) {
        below = *joint != skeleton;
        break;
      }
      chain = chain && (up == *joint || is_bone(up));
      flat = flat || is_flat(up);
    }
    // Its transform in the space of the skeleton is what binds it: there must be one.
    if (!below) return reading_.refuse<"G4MF_SKELETON_JOINT_NOT_DESCENDANT"_code>(value, *joint, skeleton);
    if (!model_.nodes[*joint].bone) {
      if (reading_.revision() == Revision::r2025_08)
        reading_.report<"G4MF_SKELETON_JOINT_NOT_BONE_2025_08"_code>(value, *joint);
      else
        reading_.report<"G4MF_SKELETON_JOINT_NOT_BONE"_code>(value, *joint);
    }
    if (!chain) reading_.report<"G4MF_SKELETON_JOINT_CHAIN_BROKEN"_code>(value, *joint, skeleton);
    if (flat) reading_.report<"G4MF_BONE_SINGULAR"_code>(nodes_.value(*joint));
    return joint;
  }

  // Only a basis, or a scale of 0 that should not be there, has no inverse.
  bool is_flat(Index node) {
    const LocalTransform& local = model_.rest_pose.locals[node];
    if (local.basis.empty() && local.scale.empty()) return false;
    if (flat_.empty()) flat_.resize(model_.nodes.size(), -1);
    if (flat_[node] < 0) flat_[node] = inverse(affine_of(model_.dimension, local)) ? 0 : 1;
    return flat_[node] == 1;
  }

  // The order is data that skins depend on: it is used as it stands.
  void check_order(const Skeleton& skeleton, JsonValue joints) {
    if (reading_.revision() == Revision::r2025_08) return;
    std::vector<Index> named;
    std::ranges::copy_if(skeleton.joints, std::back_inserter(named), [](Index joint) { return joint != none; });
    if (!std::ranges::is_sorted(named)) reading_.report<"G4MF_SKELETON_JOINTS_NOT_INCREASING"_code>(joints);
    if (reading_.checks() != Checks::all || skeleton.defect != none) return;
    std::map<Index, std::size_t> listed;  // the first place of each
    for (std::size_t i = 0; i < named.size(); ++i) listed.emplace(named[i], i);
    for (const auto& [joint, place] : listed) {
      const auto above = listed.find(model_.nodes[joint].parent);
      if (above != listed.end() && above->second > place)
        return reading_.report<"G4MF_SKELETON_JOINT_PARENT_AFTER_CHILD"_code>(joints, joint);
    }
  }

  void bind(Index index) {
    Node& node = model_.nodes[index];
    if (node.mesh >= reading_.count(Reference::mesh)) return;
    const Mesh& mesh = model_.meshes[node.mesh];
    if (mesh.blocks.empty() || mesh.blocks.front().influences.empty()) return;
    const auto place = node.parent == none ? places_.end() : places_.find(node.parent);
    if (place == places_.end()) {
      if (reading_.checks() == Checks::all) reading_.report<"G4MF_SKIN_WITHOUT_SKELETON"_code>(nodes_.value(index));
      return;
    }
    const Skeleton& skeleton = model_.skeletons[place->second];
    if (auto taken = document::take_joints(reading_, nodes_.value(index), skeleton.joints.size(), model_.dimension); !taken)
      return Reading::mark(node, taken.error());
    Skin& skin = model_.skins.emplace_back();
    skin.name = skeleton.name;
    skin.source = skeleton.source;
    skin.defect = skeleton.defect;
    skin.slots = skeleton.joints;
    skin.bind = Skin::Bind::skeleton_pose;
    skin.frame = place->first;
    node.skin = static_cast<Index>(model_.skins.size() - 1);
  }

  // From the bones of the first skeleton that moves the mesh (skeleton part, groupNames).
  void name_groups() {
    for (const Node& node : model_.nodes) {
      if (node.skin == none || model_.skins[node.skin].defect != none) continue;
      Mesh& mesh = model_.meshes[node.mesh];
      if (!mesh.group_names.empty()) continue;
      const std::vector<Index>& slots = model_.skins[node.skin].slots;
      if (std::ranges::all_of(slots, [&](Index joint) { return joint == none || model_.nodes[joint].name.empty(); })) continue;
      for (const Index joint : slots) mesh.group_names.push_back(joint == none ? std::string() : model_.nodes[joint].name);
    }
  }

  Reading& reading_;
  Model& model_;
  const Nodes& nodes_;
  std::map<Index, Index> places_;  ///< of skeletons, by node
  std::vector<Index> owners_;      ///< of bones: the node of their skeleton
  std::vector<signed char> flat_;  ///< −1: not known yet
};

}  // namespace

void read_skeletons(Reading& reading, const Nodes& nodes) { SkeletonReader(reading, nodes).read(); }

}  // namespace sinew::g4mf

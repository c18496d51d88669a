// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include "document/schema/reader.hpp"
#include "g4mf/read/rig/nodes.hpp"

namespace sinew::g4mf {

namespace {

class SkeletonReader {
 public:
  SkeletonReader(Reader& reader, const Nodes& nodes) : reader_(reader), model_(reader.model()), nodes_(nodes) {}

  void read() {
    for (Index node = 0; node < model_.nodes.size(); ++node)
      if (nodes_.skeleton(node)) places_.emplace(node, static_cast<Index>(places_.size()));
    for (const auto& [node, place] : places_) read_skeleton(node, nodes_.skeleton(node));
    // Skins are in ascending order of their mesh nodes.
    for (Index node = 0; node < model_.nodes.size(); ++node) bind(node);
    name_groups();
  }

 private:
  void read_skeleton(Index node, JsonValue value) {
    Skeleton& skeleton = model_.skeletons.emplace_back();
    const auto object = reader_.object<SkeletonObject>(value);
    skeleton.name = model_.nodes[node].name;
    skeleton.source = source_of(value);
    skeleton.node = node;
    if (object.defect()) Reader::mark(skeleton, reader_.refuse(object).value());
    const JsonValue joints = object["joints"];
    skeleton.joints.reserve(joints.size());
    for (const JsonValue element : joints.elements()) {
      const auto joint = read_joint(node, element);
      if (!joint) Reader::mark(skeleton, joint.error());
      skeleton.joints.push_back(joint ? *joint : none);
    }
  }

  // −1 is a slot without a bone. Its vertices follow the mesh's node.
  Checked<Index> read_joint(Index skeleton, JsonValue value) {
    const auto number = value.number();
    if (!number || std::trunc(*number) != *number) return reader_.refuse("G4MF_ID_NOT_INTEGER"_code, value, excerpt(value));
    if (*number == -1) return none;
    if (*number < 0) return reader_.refuse("G4MF_SKELETON_JOINT_BELOW_MINUS_ONE"_code, value, excerpt(value));
    const auto joint = reader_.resolve(value, model_.nodes.size(), array_name(Reference::node), "G4MF_SKELETON_JOINT_RANGE"_code);
    if (!joint) return joint;
    if (*joint == none) return reader_.refuse("G4MF_SKELETON_JOINT_RANGE"_code, value, excerpt(value), model_.nodes.size(), "nodes");
    // The inverse of the joint's transform in the skeleton's space binds it, so it must exist.
    bool flat = false;
    Index up = *joint == skeleton ? none : *joint;
    for (; up != none && up != skeleton; up = model_.nodes[up].parent) flat = flat || is_flat(up);
    if (up == none) return reader_.refuse("G4MF_SKELETON_JOINT_NOT_DESCENDANT"_code, value, *joint, skeleton);
    if (flat) reader_.report("G4MF_BONE_SINGULAR"_code, nodes_.value(*joint));
    return joint;
  }

  // Only a basis, or a scale with a 0, has no inverse.
  bool is_flat(Index node) {
    const LocalTransform& local = model_.rest_pose.locals[node];
    if (local.basis.empty() && local.scale.empty()) return false;
    if (flat_.empty()) flat_.resize(model_.nodes.size(), -1);
    if (flat_[node] < 0) flat_[node] = inverse(affine_of(model_.dimension, local)) ? 0 : 1;
    return flat_[node] == 1;
  }

  void bind(Index index) {
    Node& node = model_.nodes[index];
    if (node.mesh >= reader_.count(Reference::mesh)) return;
    const Mesh& mesh = model_.meshes[node.mesh];
    if (mesh.blocks.empty() || mesh.blocks.front().influences.empty()) return;
    const auto place = node.parent == none ? places_.end() : places_.find(node.parent);
    if (place == places_.end()) return;
    const Skeleton& skeleton = model_.skeletons[place->second];
    if (auto taken = take_joints(reader_, nodes_.value(index), skeleton.joints.size(), model_.dimension); !taken)
      return Reader::mark(node, taken.error());
    Skin& skin = model_.skins.emplace_back();
    skin.name = skeleton.name;
    skin.source = skeleton.source;
    skin.defect = skeleton.defect;
    skin.slots = skeleton.joints;
    skin.bind = Skin::Bind::skeleton_pose;
    skin.frame = place->first;
    node.skin = static_cast<Index>(model_.skins.size() - 1);
  }

  // The names are those of the bones of the first skeleton that moves the mesh (skeleton part, groupNames).
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

  Reader& reader_;
  Model& model_;
  const Nodes& nodes_;
  std::map<Index, Index> places_;  ///< skeleton of each skeleton node
  std::vector<signed char> flat_;  ///< −1: unknown
};

}  // namespace

void read_skeletons(Reader& reader, const Nodes& nodes) { SkeletonReader(reader, nodes).read(); }

}  // namespace sinew::g4mf

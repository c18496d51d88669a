// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "g4mf/check/checks.hpp"

namespace sinew::g4mf {

namespace {

class SkeletonChecks {
 public:
  explicit SkeletonChecks(Reader& reader) : reader_(reader), model_(reader.model()), nodes_(list_of(reader.root()["nodes"])) {
    for (const Skeleton& skeleton : model_.skeletons) places_.insert(skeleton.node);
  }

  void run() {
    for (const Skeleton& skeleton : model_.skeletons) check_skeleton(skeleton);
    check_bones();
    for (Index node = 0; node < nodes_.size(); ++node) check_skinned(node);
  }

 private:
  [[nodiscard]] bool is_bone(Index node) const { return model_.nodes[node].bone && !places_.contains(node); }

  void check_skeleton(const Skeleton& skeleton) {
    const JsonValue value = nodes_[skeleton.node]["skeleton"];
    if (model_.nodes[skeleton.node].bone) reader_.report("G4MF_SKELETON_IS_BONE"_code, value);
    std::size_t slot = 0;
    for (const JsonValue element : value["joints"].elements()) check_joint(skeleton.node, skeleton.joints[slot++], element);
    if (reader_.revision() != Revision::r2025_08) check_order(skeleton, value["joints"]);
  }

  void check_joint(Index skeleton, Index joint, JsonValue at) {
    if (joint == none) return;
    const bool oldest = reader_.revision() == Revision::r2025_08;
    const Code not_bone = oldest ? "G4MF_SKELETON_JOINT_NOT_BONE_2025_08"_code : "G4MF_SKELETON_JOINT_NOT_BONE"_code;
    if (!model_.nodes[joint].bone) reader_.report(not_bone, at, joint);
    for (Index up = model_.nodes[joint].parent; up != skeleton; up = model_.nodes[up].parent)
      if (!is_bone(up)) return reader_.report("G4MF_SKELETON_JOINT_CHAIN_BROKEN"_code, at, joint, skeleton);
  }

  // Skins depend on the order, so it is never changed.
  void check_order(const Skeleton& skeleton, JsonValue joints) {
    std::vector<Index> named;
    std::ranges::copy_if(skeleton.joints, std::back_inserter(named), [](Index joint) { return joint != none; });
    if (!std::ranges::is_sorted(named)) reader_.report("G4MF_SKELETON_JOINTS_NOT_INCREASING"_code, joints);
    if (skeleton.defect != none) return;
    std::map<Index, std::size_t> listed;  // the first position of each joint
    for (std::size_t i = 0; i < named.size(); ++i) listed.emplace(named[i], i);
    for (const auto& [joint, place] : listed) {
      const auto above = listed.find(model_.nodes[joint].parent);
      if (above != listed.end() && above->second > place)
        return reader_.report("G4MF_SKELETON_JOINT_PARENT_AFTER_CHILD"_code, joints, joint);
    }
  }

  // Reports bones that have no unbroken chain of bones up to a skeleton.
  void check_bones() {
    std::vector<bool> owned(nodes_.size());
    std::vector<Index> open(places_.begin(), places_.end());
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      for (const Index child : model_.nodes[node].children) {
        if (!is_bone(child)) continue;
        owned[child] = true;
        open.push_back(child);
      }
    }
    for (Index node = 0; node < nodes_.size(); ++node)
      if (is_bone(node) && !owned[node]) report_bone(node);
  }

  void report_bone(Index node) {
    const auto at = [&](const char* name) { return nodes_[node][name] ? nodes_[node][name] : nodes_[node]; };
    if (reader_.revision() == Revision::r2025_08) return reader_.report("G4MF_BONE_CHAIN_BROKEN"_code, at("boneLength"));
    const Index parent = model_.nodes[node].parent;
    if (parent != none && is_bone(parent)) return;
    reader_.report("G4MF_BONE_PARENT"_code, at("bone"));
    Index up = parent;
    while (up != none && !places_.contains(up)) up = model_.nodes[up].parent;
    if (up == none) reader_.report("G4MF_BONE_NO_SKELETON"_code, at("bone"));
  }

  void check_skinned(Index index) {
    const Node& node = model_.nodes[index];
    if (node.mesh >= reader_.count(Reference::mesh) || places_.contains(node.parent)) return;
    const Mesh& mesh = model_.meshes[node.mesh];
    if (!mesh.blocks.empty() && !mesh.blocks.front().influences.empty()) reader_.report("G4MF_SKIN_WITHOUT_SKELETON"_code, nodes_[index]);
  }

  Reader& reader_;
  const Model& model_;
  std::vector<JsonValue> nodes_;
  std::set<Index> places_;  ///< nodes of skeletons
};

}  // namespace

void check_skeletons(Reader& reader) { SkeletonChecks(reader).run(); }

}  // namespace sinew::g4mf

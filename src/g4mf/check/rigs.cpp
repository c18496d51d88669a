// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "g4mf/check/checks.hpp"

namespace sinew::g4mf {

namespace {

class RigChecks {
 public:
  explicit RigChecks(Reader& reader)
      : reader_(reader), model_(reader.model()), nodes_(list_of(reader.root()["nodes"])), meshes_(list_of(reader.root()["meshes"])) {}

  void run() {
    std::map<Index, std::vector<Index>> users;  // by skeleton node: its skinned meshes, each once
    for (const Node& node : model_.nodes) {
      if (node.skin == none || node.mesh >= meshes_.size()) continue;
      const Index skeleton = model_.skins[node.skin].frame;
      std::vector<Index>& list = users[skeleton];
      if (std::ranges::find(list, node.mesh) == list.end()) list.push_back(node.mesh);
      skeletons_of_[node.mesh].insert(skeleton);
    }
    for (const Skeleton& skeleton : model_.skeletons) {
      check_list(skeleton);
      check_root_bone(skeleton);
      check_mass(skeleton);
      const auto found = users.find(skeleton.node);
      if (found != users.end()) check_users(skeleton, found->second);
    }
    for (Index mesh = 0; mesh < meshes_.size(); ++mesh) check_names(mesh);
  }

 private:
  [[nodiscard]] JsonValue skeleton_value(const Skeleton& skeleton) const { return nodes_[skeleton.node]["skeleton"]; }
  [[nodiscard]] JsonValue joints_value(const Skeleton& skeleton) const {
    const JsonValue value = skeleton_value(skeleton), joints = value["joints"];
    return joints ? joints : value;
  }
  [[nodiscard]] JsonValue skin(Index mesh) const { return meshes_[mesh]["skin"]; }
  /// Returns the group names that the mesh stores. The model has those of the bones instead if there are none.
  /// Equal lists are one.
  [[nodiscard]] const std::vector<std::string>& names(Index mesh) {
    const std::vector<std::string>*& known = names_[mesh];
    if (known != nullptr) return *known;
    std::vector<std::string> list;
    for (const JsonValue value : skin(mesh)["groupNames"].elements()) list.push_back(value.string());
    known = &*lists_.insert(std::move(list)).first;
    return *known;
  }
  [[nodiscard]] bool is_bone(Index node) const { return model_.nodes[node].bone && !nodes_[node]["skeleton"]; }
  [[nodiscard]] const Influences* influences(Index mesh) const {
    const Mesh& known = model_.meshes[mesh];
    return known.blocks.empty() || known.blocks.front().influences.first.empty() ? nullptr : &known.blocks.front().influences;
  }

  void check_list(const Skeleton& skeleton) {
    if (skeleton.defect != none) return;
    std::set<Index> seen;
    std::size_t slot = 0;
    bool repeated = false, placeholder = false;
    for (const Index joint : skeleton.joints) {
      if (joint == none && !std::exchange(placeholder, true))
        reader_.report("G4MF_SKELETON_JOINT_PLACEHOLDER"_code, joints_value(skeleton), slot);
      if (joint != none && !seen.insert(joint).second && !std::exchange(repeated, true))
        reader_.report("G4MF_SKELETON_JOINT_REPEATED"_code, joints_value(skeleton), joint);
      ++slot;
    }
  }

  void check_root_bone(const Skeleton& skeleton) {
    const std::vector<Index>& children = model_.nodes[skeleton.node].children;
    std::vector<Index> roots;
    std::ranges::copy_if(children, std::back_inserter(roots), [&](Index child) { return is_bone(child); });
    if (roots.empty()) reader_.report("G4MF_SKELETON_NO_BONES"_code, skeleton_value(skeleton));
    if (roots.size() != 1 || reader_.revision() == Revision::r2025_08) return;
    if (children.front() != roots[0]) reader_.report("G4MF_SKELETON_ROOT_BONE_NOT_FIRST_CHILD"_code, skeleton_value(skeleton), roots[0]);
    const auto is_joint = [](Index joint) { return joint != none; };
    const auto first = std::ranges::find_if(skeleton.joints, is_joint);
    if (first != skeleton.joints.end() && *first != roots[0] && std::ranges::find(skeleton.joints, roots[0]) != skeleton.joints.end())
      reader_.report("G4MF_SKELETON_ROOT_BONE_NOT_FIRST_JOINT"_code, joints_value(skeleton), roots[0]);
  }

  // Compares the mass of a body with the sum of its bones' masses.
  void check_mass(const Skeleton& skeleton) {
    const Index body = model_.nodes[skeleton.node].parent;
    if (body == none) return;
    const auto total = nodes_[body]["physics"]["motion"]["mass"].number();
    if (!total) return;
    double sum = 0;
    JsonValue first;
    std::vector<Index> open = {skeleton.node};
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      for (const Index child : model_.nodes[node].children) {
        if (!is_bone(child)) continue;
        const auto mass = model_.nodes[child].bone->mass;
        if (!mass) return;
        sum += *mass;
        if (!first) first = nodes_[child]["bone"]["mass"];
        open.push_back(child);
      }
    }
    if (first && std::abs(sum - *total) > 1e-3 * std::max(std::abs(sum), std::abs(*total)))
      reader_.report("G4MF_BONE_MASS_TOTAL"_code, first, sum, *total);
  }

  void check_users(const Skeleton& skeleton, const std::vector<Index>& users) {
    if (skeleton.defect != none) return;
    if (skeleton.joints.empty()) {
      reader_.report("G4MF_SKELETON_NO_JOINTS"_code, joints_value(skeleton));
    } else {
      check_groups(skeleton, users);
    }
    for (std::size_t later = 1; later < users.size(); ++later)
      for (std::size_t earlier = 0; earlier < later; ++earlier)
        compare_names(std::min(users[earlier], users[later]), std::max(users[earlier], users[later]));
    for (const Index mesh : users) compare_with_bones(skeleton, mesh);
  }

  void check_groups(const Skeleton& skeleton, const std::vector<Index>& users) {
    std::vector<bool> used(skeleton.joints.size());
    for (const Index mesh : users) {
      const Influences* const found = influences(mesh);
      if (found == nullptr) continue;
      if (const auto outside = first_outside(found->slots, used.size()))
        reader_.report("G4MF_SKIN_GROUP_NOT_BOUND"_code, skin(mesh)["groups"], *outside, text_of_row(found->slots, *outside), skeleton.node,
                       used.size());
      for (const std::uint32_t slot : found->slots.read<std::uint32_t>())
        if (slot < used.size()) used[slot] = true;
    }
    std::size_t slot = 0;
    for (const JsonValue value : skeleton_value(skeleton)["joints"].elements()) {
      if (slot < used.size() && !used[slot] && skeleton.joints[slot] != none)
        reader_.report("G4MF_SKELETON_JOINT_UNUSED"_code, value, slot);
      ++slot;
    }
  }

  // Compares names by slot, up to the length of the shorter list. Additional names are no contradiction.
  void compare_names(Index earlier, Index later) {
    const bool may_repeat = skeletons_of_[earlier].size() > 1 && skeletons_of_[later].size() > 1;
    if (may_repeat && !compared_.insert({earlier, later}).second) return;
    const std::vector<std::string>&before = names(earlier), &after = names(later);
    if (before.empty() || after.empty() || &before == &after) return;
    const JsonValue at = skin(later)["groupNames"];
    for (std::size_t slot = 0; slot < std::min(before.size(), after.size()); ++slot)
      if (before[slot] != after[slot]) {
        reader_.report("G4MF_SKIN_GROUP_NAMES_MISMATCH"_code, at, slot, after[slot], before[slot], earlier);
        break;
      }
    if (before.size() != after.size()) reader_.report("G4MF_SKIN_GROUP_NAMES_LENGTH"_code, at, after.size(), earlier, before.size());
  }

  [[nodiscard]] std::string_view bone_name(Index joint) const {
    return joint == none ? std::string_view() : std::string_view(model_.nodes[joint].name);
  }

  void compare_with_bones(const Skeleton& skeleton, Index mesh) {
    const std::vector<std::string>& list = names(mesh);
    bool equal = !list.empty() && list.size() == skeleton.joints.size();
    for (std::size_t slot = 0; slot < std::min(list.size(), skeleton.joints.size()); ++slot) {
      const std::string_view bone = bone_name(skeleton.joints[slot]);
      if (list[slot] == bone) continue;
      if (!bone.empty() && !list[slot].empty()) {
        reader_.report("G4MF_SKIN_GROUP_NAME_BONE_MISMATCH"_code, skin(mesh)["groupNames"], slot, list[slot], bone);
        return;
      }
      equal = false;
    }
    if (equal && skeletons_of_[mesh].size() == 1) reader_.report("G4MF_SKIN_GROUP_NAMES_REDUNDANT"_code, skin(mesh)["groupNames"]);
  }

  void check_names(Index mesh) {
    const Influences* const found = influences(mesh);
    if (found == nullptr || found->slots.empty()) return;
    const std::vector<std::string>& list = names(mesh);
    if (!list.empty()) {
      if (const auto outside = first_outside(found->slots, list.size()))
        reader_.report("G4MF_SKIN_GROUP_NOT_NAMED"_code, skin(mesh)["groups"], *outside, text_of_row(found->slots, *outside), list.size());
      return;
    }
    const auto known = skeletons_of_.find(mesh);
    bool determined = known != skeletons_of_.end() && known->second.size() == 1;
    for (const Skeleton& skeleton : model_.skeletons)
      if (determined && skeleton.node == *known->second.begin())
        determined = std::ranges::all_of(skeleton.joints, [&](Index joint) { return joint == none || !model_.nodes[joint].name.empty(); });
    if (!determined) reader_.report("G4MF_SKIN_GROUP_NAMES_UNDETERMINED"_code, skin(mesh));
  }

  Reader& reader_;
  const Model& model_;
  std::vector<JsonValue> nodes_, meshes_;
  std::map<Index, std::set<Index>> skeletons_of_;  ///< by mesh
  std::set<std::pair<Index, Index>> compared_;     ///< of those that several skeletons have
  std::set<std::vector<std::string>> lists_;       ///< of group names
  std::map<Index, const std::vector<std::string>*> names_;
};

}  // namespace

void check_rigs(Reader& reader) { RigChecks(reader).run(); }

}  // namespace sinew::g4mf

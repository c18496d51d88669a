// SPDX-License-Identifier: MIT
#include "operations/merge/merge_rig.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/catalogue_edit.hpp"
#include "base/disjoint_sets.hpp"
#include "base/message.hpp"
#include "math/length.hpp"
#include "model/influences.hpp"
#include "model/local_of.hpp"
#include "model/name_index.hpp"
#include "model/place.hpp"
#include "operations/retarget/transfer.hpp"
#include "operations/skeletons/hierarchy.hpp"

namespace sinew::operations {

namespace {

/// Joints that the file declares as one set: those of a skeleton or a skin.
struct Group {
  std::vector<Index> joints;
  Index skeleton = none;
};

std::vector<Index> bones_of(const Model& model, Index skeleton_node) {
  std::vector<Index> bones, open{skeleton_node};
  while (!open.empty()) {
    const Index node = open.back();
    open.pop_back();
    for (const Index child : model.nodes[node].children) {
      if (!model.nodes[child].bone) continue;
      bones.push_back(child);
      open.push_back(child);
    }
  }
  return bones;
}

std::vector<Group> groups_of(const Model& model) {
  std::vector<Group> groups;
  for (Index s = 0; s < model.skeletons.size(); ++s) {
    const Skeleton& skeleton = model.skeletons[s];
    if (skeleton.defect != none) continue;
    Group& group = groups.emplace_back();
    group.skeleton = s;
    group.joints = skeleton.node != none ? bones_of(model, skeleton.node) : skeleton.joints;
  }
  for (const Skin& skin : model.skins)
    if (skin.defect == none && skin.bind != Skin::Bind::skeleton_pose) groups.push_back({skin.slots, none});
  for (Group& group : groups) {
    std::erase(group.joints, none);
    std::ranges::sort(group.joints);
    const auto repeated = std::ranges::unique(group.joints);
    group.joints.erase(repeated.begin(), repeated.end());
  }
  std::erase_if(groups, [](const Group& group) { return group.joints.empty() && group.skeleton == none; });
  return groups;
}

DisjointSets unite(const Model& model, const std::vector<Group>& groups) {
  DisjointSets sets(groups.size());
  constexpr auto nobody = static_cast<std::size_t>(-1);
  std::vector<std::size_t> owner(model.nodes.size(), nobody);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const Index joint : groups[g].joints) {
      if (owner[joint] != nobody) sets.join(owner[joint], g);
      owner[joint] = g;
    }
  for (Index node = 0; node < model.nodes.size(); ++node) {
    if (owner[node] == nobody) continue;
    for (Index up = model.nodes[node].parent; up != none; up = model.nodes[up].parent) {
      if (owner[up] == nobody) continue;
      sets.join(owner[up], owner[node]);
      break;  // that node searches further up itself
    }
  }
  return sets;
}

void find_tops(const Model& model, Rig& rig) {
  std::vector<bool> is_joint(model.nodes.size());
  for (const Index joint : rig.joints) is_joint[joint] = true;
  for (const Index joint : rig.joints) {
    Index up = model.nodes[joint].parent;
    while (up != none && !is_joint[up]) up = model.nodes[up].parent;
    if (up == none) rig.tops.push_back(joint);
  }
  if (rig.tops.empty()) return;
  rig.container = model.nodes[rig.tops.front()].parent;
  for (const Index top : rig.tops)
    while (rig.container != none && !is_above(model, rig.container, top)) rig.container = model.nodes[rig.container].parent;
}

/// The bones of a character that no skin bends: those of its humanoid, else the nodes whose names one profile knows; none if there are few.
Rig rigid_rig(const Model& model) {
  Rig rig;
  rig.rigid = true;
  for (const auto& [node, bone] : human_names(model)) rig.joints.push_back(node);
  return rig;
}

/// Sorts the joints and finds what is above them.
void complete(const Model& model, Rig& rig) {
  std::ranges::sort(rig.joints);
  const auto repeated = std::ranges::unique(rig.joints);
  rig.joints.erase(repeated.begin(), repeated.end());
  find_tops(model, rig);
  if (rig.skeleton != none) {
    const Skeleton& skeleton = model.skeletons[rig.skeleton];
    rig.name = skeleton.name;
    if (skeleton.node != none) rig.container = skeleton.node;
  }
  if (rig.name.empty() && !rig.tops.empty()) rig.name = model.nodes[rig.tops.front()].name;
}

}  // namespace

std::vector<Rig> rigs_of(const Model& model) {
  const std::vector<Group> groups = groups_of(model);
  DisjointSets sets = unite(model, groups);
  std::map<std::size_t, Rig> rigs;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Rig& rig = rigs[sets.find(g)];
    rig.joints.insert(rig.joints.end(), groups[g].joints.begin(), groups[g].joints.end());
    if (rig.skeleton == none) rig.skeleton = groups[g].skeleton;
  }
  std::vector<Rig> list;
  for (auto& [first, rig] : rigs) {
    complete(model, rig);
    list.push_back(std::move(rig));
  }
  return list;
}

Result<Rig> find_rig(const Model& model, const std::string& wanted) {
  const Place place = place_of(model);
  std::vector<Rig> rigs = rigs_of(model);
  if (rigs.empty()) {
    Rig rig = rigid_rig(model);
    if (rig.joints.empty())
      return Unexpected(
          error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place,
                "the body has no skin, and its nodes have no names of a humanoid's bones; merge needs bones to move the clothes: "
                "name its parts (\"head\", \"leftUpperArm\", …), or skin it in a modelling program"));
    complete(model, rig);
    rigs.push_back(std::move(rig));
  }
  if (!wanted.empty()) {
    auto found = find_by_name(wanted, named_things(rigs), rigs.size(), "skeleton");
    if (!found) return Unexpected(std::move(found.error()));
    return std::move(rigs[*found]);
  }
  if (rigs.size() == 1) return std::move(rigs.front());
  std::vector<std::string> list;
  for (Index i = 0; i < rigs.size(); ++i) list.push_back(format_text("{} \"{}\"", i, rigs[i].name));
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place,
                          format_text("the body has {} skeletons; choose one with --skeleton: {}", rigs.size(), join_text(list, ", "))));
}

std::vector<bool> carrying_joints(const Model& model, const std::vector<bool>& joint) {
  std::vector<bool> out(model.nodes.size());
  for (Index node = 0; node < model.nodes.size(); ++node) {
    const Node& own = model.nodes[node];
    if (own.mesh == none || model.meshes[own.mesh].defect != none) continue;
    if (own.skin == none) {
      Index up = node;
      while (up != none && !joint[up]) up = model.nodes[up].parent;
      if (up != none) out[up] = true;
      continue;
    }
    const std::vector<Index>& slots = model.skins[own.skin].slots;
    std::vector<bool> weighted(slots.size());
    mark_weighted(model.meshes[own.mesh], weighted);
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
      if (weighted[slot] && slots[slot] != none) out[slots[slot]] = true;
  }
  return out;
}

std::optional<LocalTransform> with_own_size(const Affine& above, const LocalTransform& local) {
  constexpr double same = 1e-6;
  const std::size_t n = above.dimension();
  const double scale = std::pow(std::abs(determinant(above)), 1 / static_cast<double>(n));
  if (!(scale > 0) || std::abs(scale - 1) <= same) return std::nullopt;
  Affine sized = affine_of(n, local);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) sized(row, column) /= scale;
    sized.translation(row) /= scale;
  }
  return local_of(sized);
}

double largest_skew(std::span<const double> basis) {
  double most = 0;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const auto x = basis.subspan(3 * a, 3), y = basis.subspan(3 * b, 3);
      const double size = length_of(x) * length_of(y);
      if (size > 0) most = std::max(most, std::abs(std::inner_product(x.begin(), x.end(), y.begin(), 0.0)) / size);
    }
  return most;
}

}  // namespace sinew::operations

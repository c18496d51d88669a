// SPDX-License-Identifier: MIT

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "operations/skeletons/default_bind.hpp"
#include "operations/skeletons/occupied_nodes.hpp"
#include "operations/skeletons/skeleton_edit.hpp"
#include "operations/skeletons/skeleton_groups.hpp"
#include "operations/skeletons/skeleton_roots.hpp"

#include "sinew/convert.hpp"

namespace sinew::operations {
namespace {

std::string nodes_of(std::size_t count) { return count == 1 ? "1 node" : format_text("{} nodes", count); }

/// Describes one group of a glTF model.
class Account {
 public:
  Account(const Model& model, const StrictGroup& group, const Roots& roots) : model_(model), group_(group), roots_(roots) {
    account_.skeleton = group.skeleton;
    account_.skins = group.skins;
    account_.joints = group.joints;
    account_.named = group.given;
  }

  SkeletonAccount take() && {
    tell_between();
    tell_root();
    for (const Index skin : group_.skins) tell_skin(skin);
    tell_conflicts();
    return std::move(account_);
  }

 private:
  template <class... Args>
  void note(MessageFor<std::type_identity_t<Args>...> text, const Args&... args) {
    account_.notes.push_back(format_text(text, args...));
  }

  void tell_between() {
    const std::size_t count = group_.joints.size() - group_.given;
    if (count == 0) return;
    note("{} between its joints {} not a joint of any skin. A strict skeleton includes such nodes as joints. The first is {}.",
         nodes_of(count), count == 1 ? "is" : "are", label(model_, group_.joints[group_.given]));
  }

  void tell_root() {
    if (group_.tops.size() == 1) {
      account_.root = group_.tops.front();
      return;
    }
    const std::size_t tops = group_.tops.size();
    if (!group_.joinable) {
      account_.obstacle = several_trees(model_, group_);
      note("It has {} topmost joints in separate trees.", tops);
      return;
    }
    Model tried = model_;
    const auto obstacle = roots_.obstacle_to(group_);
    if (!obstacle) {
      note("It has {} topmost joints and no root. Their parent, {}, would become the root.", tops, label(model_, group_.parent));
    } else if (const auto added = put_above(tried, group_.tops, group_.parent); !added) {
      account_.obstacle = added.error().message;
    } else {
      note("It has {} topmost joints and no root. A new node above them would become the root, because {}.", tops, *obstacle);
    }
  }

  void tell_skin(Index index) {
    const Skin& skin = model_.skins[index];
    if (skin.bind == Skin::Bind::identity) note("Skin {} has no bind matrices: they count as identity.", index);
    if (skin.bind == Skin::Bind::stored_pose) note("Skin {} has no bind matrices: its joints are bound in their rest pose.", index);
    const Index hint = skin.root_hint;
    if (hint == none || hint == account_.root) return;
    const bool joint = std::ranges::find(group_.joints, hint) != group_.joints.end();
    note("The skeleton property of skin {} names {}, {}. The property has no effect.", index, label(model_, hint),
         joint                   ? "which is a joint but not the root"
         : hint == group_.parent ? "which is the parent of its topmost joints"
                                 : "which is not one of its joints");
  }

  /// Names, for each skin, the first earlier one that binds a joint in another pose.
  void tell_conflicts() {
    struct Binding {
      Index skin;
      const Affine* joint_from_mesh;
    };
    std::map<Index, std::vector<Binding>> known;  // of each joint: those that differ from each other, in the order of skins
    for (const Index index : group_.skins) {
      const Skin& skin = model_.skins[index];
      if (skin.bind != Skin::Bind::matrices) continue;
      Index earliest = none, joint = none;
      for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
        std::vector<Binding>& list = known[skin.slots[slot]];
        if (!list.empty() && list.back().skin == index) continue;  // listed twice
        const Affine& own = skin.joint_from_mesh[slot];
        const auto other = std::ranges::find_if(list, [&](const Binding& each) { return !nearly_equal(*each.joint_from_mesh, own); });
        if (other != list.end() && other->skin < earliest) earliest = other->skin, joint = skin.slots[slot];
        if (list.size() < 2 && (list.empty() || other != list.end())) list.push_back({index, &own});
      }
      if (joint != none)
        note("Skins {} and {} bind {} in different poses. Each skin keeps its own.", earliest, index, label(model_, joint));
    }
  }

  const Model& model_;
  const StrictGroup& group_;
  const Roots& roots_;
  SkeletonAccount account_;
};

// A G4MF skeleton is already strict.
std::vector<SkeletonAccount> describe_nodes(const Model& model) {
  std::vector<SkeletonAccount> accounts;
  for (std::size_t s = 0; s < model.skeletons.size(); ++s) {
    const Skeleton& skeleton = model.skeletons[s];
    SkeletonAccount& account = accounts.emplace_back();
    account.skeleton = static_cast<Index>(s);
    account.root = skeleton.node;
    std::set<Index> joints(skeleton.joints.begin(), skeleton.joints.end());
    joints.erase(none);
    account.joints.assign(joints.begin(), joints.end());
    account.named = account.joints.size();
    for (std::size_t i = 0; i < model.skins.size(); ++i)
      if (model.skins[i].frame == skeleton.node) account.skins.push_back(static_cast<Index>(i));
    if (skeleton.defect != none) account.obstacle = model.defects[skeleton.defect].message;
  }
  return accounts;
}

}  // namespace

Result<std::vector<SkeletonAccount>> describe_skeletons(const Model& model) SINEW_TRY {
  const bool by_nodes = std::ranges::any_of(model.skeletons, [](const Skeleton& skeleton) { return skeleton.node != none; });
  if (by_nodes || model.binds_by_stored_pose()) return describe_nodes(model);
  // Entities with a defect have no joints here; they are reported at the end.
  Model sound = model;
  std::vector<SkeletonAccount> broken;
  for (std::size_t i = 0; i < sound.skins.size(); ++i) {
    if (sound.skins[i].defect == none) continue;
    sound.skins[i].slots.clear();
    SkeletonAccount& account = broken.emplace_back();
    account.skins = {static_cast<Index>(i)};
    account.obstacle = model.defects[sound.skins[i].defect].message;
  }
  const std::vector<StrictGroup> groups = group_skins(sound);
  const StrictOptions options{occupied_nodes(model)};
  const Roots roots(sound, options, groups);
  std::vector<SkeletonAccount> accounts;
  for (const StrictGroup& group : groups) accounts.push_back(Account(sound, group, roots).take());
  accounts.insert(accounts.end(), broken.begin(), broken.end());
  return accounts;
}
SINEW_CATCH()

}  // namespace sinew::operations

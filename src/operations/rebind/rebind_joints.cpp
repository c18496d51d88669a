// SPDX-License-Identifier: MIT

#include <algorithm>
#include <utility>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "deform/bind.hpp"
#include "model/edit_reporter.hpp"
#include "model/relative.hpp"
#include "operations/rebind/rebind_steps.hpp"
#include "operations/skeletons/hierarchy.hpp"

namespace sinew::operations {
namespace {

using Joint = RebindPlan::Joint;

/// G4MF: a slot may have no bone, or the bone of another slot; nothing moves at the stored pose.
void point_group(Model& model, const Joint& joint, const EditReporter& changes) {
  const Index frame = model.skins[joint.skin].frame;
  for (Skeleton& skeleton : model.skeletons)
    if (skeleton.node == frame && joint.slot < skeleton.joints.size()) skeleton.joints[joint.slot] = joint.node;
  for (Skin& skin : model.skins)
    if (skin.frame == frame && joint.slot < skin.slots.size()) skin.slots[joint.slot] = joint.node;
  changes.changed(model.skins[joint.skin].source, format_text("joint slot {} now follows {}", joint.slot, joint_name(model, joint.node)));
}

/// Adds the weight of one slot to another one, in the sets of one block.
void merge_slots(Influences& influences, std::uint32_t from, std::uint32_t to) {
  std::vector<std::vector<std::uint32_t>> slots;
  std::vector<std::vector<double>> weights;
  bool used = false;
  for (const Influences::Set& set : influences.sets) {
    slots.push_back(set.joints.read<std::uint32_t>());
    weights.push_back(set.weights.read<double>());
    used |= std::ranges::find(slots.back(), from) != slots.back().end();
  }
  if (!used) return;
  bool added = false;
  for (std::size_t vertex = 0; vertex < slots.front().size() / 4; ++vertex) {
    double* sum = nullptr;
    for (std::size_t set = 0; set < slots.size(); ++set)
      for (std::size_t i = vertex * 4; i < vertex * 4 + 4; ++i) {
        std::uint32_t& slot = slots[set][i];
        double& weight = weights[set][i];
        if (slot != from && slot != to) continue;
        slot = weight == 0 ? 0 : to;
        if (weight == 0) continue;
        if (sum == nullptr) {
          sum = &weight;
          continue;
        }
        *sum += std::exchange(weight, 0);
        slot = 0;
        added = true;
      }
  }
  for (std::size_t set = 0; set < slots.size(); ++set) {
    Influences::Set& stored = influences.sets[set];
    stored.joints = Array::own(std::vector<std::uint16_t>(slots[set].begin(), slots[set].end()), 4);
    if (added) stored.weights = stored_like(weights[set], stored.weights);
  }
}

void merge_slots(Model& model, Index skin, std::uint32_t from, std::uint32_t to) {
  std::vector<bool> done(model.meshes.size());
  for (const Node& node : model.nodes) {
    if (node.skin != skin || node.mesh == none || done[node.mesh]) continue;
    done[node.mesh] = true;
    for (VertexBlock& block : model.meshes[node.mesh].blocks)
      if (!block.influences.sets.empty()) merge_slots(block.influences, from, to);
  }
}

bool shares_mesh(const Model& model, Index skin) {
  for (const Node& node : model.nodes)
    if (node.skin == skin && node.mesh != none)
      for (const Node& other : model.nodes)
        if (other.mesh == node.mesh && other.skin != skin) return true;
  return false;
}

/// Returns the parent of the topmost joint. If there is none, creates it above all roots that hold joints.
Index still_parent(Model& model, const Skin& skin, const EditReporter& changes) {
  const Index top = skin.slots[topmost(depths(model), skin)];
  if (model.nodes[top].parent != none) return model.nodes[top].parent;
  const auto added = static_cast<Index>(model.nodes.size());
  Node root;
  for (const Index joint : skin.slots)
    if (model.nodes[joint].parent == none && std::ranges::find(root.children, joint) == root.children.end()) root.children.push_back(joint);
  for (Scene& scene : model.scenes) {
    const auto gone =
        std::ranges::remove_if(scene.roots, [&](Index node) { return std::ranges::find(root.children, node) != root.children.end(); });
    if (gone.empty()) continue;
    scene.roots.erase(gone.begin(), gone.end());
    scene.roots.push_back(added);
  }
  for (const Index child : root.children) model.nodes[child].parent = added;
  model.nodes.push_back(std::move(root));
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  changes.changed(model.nodes[top].source, format_text("a new node {} above it holds a joint that does not move", added));
  return added;
}

/// glTF has no slot without a joint: adds a node beside the topmost joint, bound so that nothing moves at rest.
Result<Index> still_joint(Model& model, const Joint& joint, const EditReporter& changes) {
  const Skin& skin = model.skins[joint.skin];
  for (const Skeleton& skeleton : model.skeletons)
    if (std::ranges::find(skeleton.joints, skin.slots[joint.slot]) != skeleton.joints.end())
      return refused(
          model, skin.source,
          "a strict skeleton cannot contain a joint that does not move; convert it first with `sinew convert --skeletons plain`");
  const Index parent = still_parent(model, skin, changes);
  const auto added = static_cast<Index>(model.nodes.size());
  Node node;
  node.name = "Still";
  node.parent = parent;
  model.nodes[parent].children.push_back(added);
  model.nodes.push_back(std::move(node));
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  return added;
}

/// Gives a glTF skin explicit matrices with the same bind pose.
Result<> write_matrices(Model& model, Index index) {
  Skin& skin = model.skins[index];
  if (skin.bind == Skin::Bind::matrices) return {};
  const std::vector<Affine> rest = need(world_transforms(model, model.rest_pose));
  for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
    auto bound = deform::joint_from_mesh(model, skin, slot, none, rest);
    if (!bound) return refused(model, skin.source, format_text("the rest transform of joint {} has no inverse", slot));
    skin.joint_from_mesh.push_back(std::move(*bound));
  }
  skin.bind = Skin::Bind::matrices;
  skin.frame = none;
  return {};
}

/// Makes the node a joint, and keeps the rules about joints satisfied.
Result<> take_joint(Model& model, Index index, std::size_t slot, Index node) {
  Skin& skin = model.skins[index];
  for (const Skeleton& skeleton : model.skeletons)
    if (std::ranges::find(skeleton.joints, skin.slots[slot]) != skeleton.joints.end() &&
        std::ranges::find(skeleton.joints, node) == skeleton.joints.end())
      return refused(model, skin.source,
                     format_text("{} is not a joint of the strict skeleton of joint {}", joint_name(model, node), slot));
  const bool had_root = common_ancestor(model, skin.slots) != none;
  skin.slots[slot] = node;
  if (had_root && common_ancestor(model, skin.slots) == none)
    return refused(model, skin.source, format_text("{} has no common root with the other joints", joint_name(model, node)));
  return {};
}

Result<> point_slot(Model& model, const Joint& joint, const EditReporter& changes) {
  if (model.binds_by_stored_pose()) {
    point_group(model, joint, changes);
    return {};
  }
  Index node = joint.node;
  if (node == none) {
    auto added = still_joint(model, joint, changes);
    if (!added) return Unexpected(std::move(added.error()));
    node = *added;
  }
  Skin& skin = model.skins[joint.skin];
  const auto known = std::ranges::find(skin.slots, node);
  const auto slot = static_cast<std::uint32_t>(joint.slot);
  if (skin.slots[slot] == node) return {};
  if (known != skin.slots.end()) {  // joints of a skin are unique: use the existing slot
    if (shares_mesh(model, joint.skin))
      return refused(model, skin.source, "another skin also uses the mesh, and its slots would be merged too");
    merge_slots(model, joint.skin, slot, static_cast<std::uint32_t>(known - skin.slots.begin()));
    changes.changed(skin.source,
                    format_text("vertices of joint {} now follow {}, joint {}", slot, joint_name(model, node), known - skin.slots.begin()));
    return {};
  }
  if (auto done = write_matrices(model, joint.skin); !done) return done;
  const std::vector<Affine> rest = need(world_transforms(model, model.rest_pose));
  const auto node_from_joint = relative_transform(model, model.rest_pose, rest, node, skin.slots[slot]);
  if (!node_from_joint)
    return refused(model, model.nodes[node].source, format_text("the rest transform of {} has no inverse", joint_name(model, node)));
  skin.joint_from_mesh[slot] = *node_from_joint * skin.joint_from_mesh[slot];
  changes.changed(skin.source,
                  format_text("joint {} is now {}; it was {}", slot, joint_name(model, node), joint_name(model, skin.slots[slot])));
  return take_joint(model, joint.skin, slot, node);
}

}  // namespace

std::string joint_name(const Model& model, Index node) {
  if (node == none) return "no bone";
  return model.nodes[node].name.empty() ? format_text("node {}", node) : format_text("node {} (\"{}\")", node, model.nodes[node].name);
}

Result<> point_joints(Model& model, std::span<const Joint> joints, const EditReporter& changes) {
  for (const Joint& joint : joints)
    if (auto done = point_slot(model, joint, changes); !done) return done;
  if (model.binds_by_stored_pose()) return {};
  const std::vector<std::uint32_t> depth = depths(model);
  for (const Joint& joint : joints) repair_root_hint(model, joint.skin, depth, changes);
  return {};
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "gltf/read/rig/skins.hpp"

#include <algorithm>

namespace sinew::gltf {

namespace {

// Returns the lowest common ancestor of all nodes, or `none`. If there is none so far, it restarts with the next node, as Khronos does.
Index common_ancestor(std::span<const Index> nodes, const NodeTree& tree) {
  Index common = none;
  for (const Index node : nodes) {
    if (common == none) {
      common = node;
      continue;
    }
    while (common != none && !tree.is_above(common, node)) common = tree.parent(common);
  }
  return common;
}

// Removes nodes whose ancestor is also listed, and sorts the rest in preorder.
std::vector<Index> outermost(std::span<const Index> nodes, const NodeTree& tree) {
  std::vector<Index> all(nodes.begin(), nodes.end());
  std::ranges::sort(all, {}, [&](Index node) { return tree.first(node); });
  std::vector<Index> tops;
  for (const Index node : all)
    if (tops.empty() || !tree.is_above(tops.back(), node)) tops.push_back(node);
  return tops;
}

// Returns whether the node is one of `tops` or a descendant of one.
bool is_in(const std::vector<Index>& tops, Index node, const NodeTree& tree) {
  const auto next = std::ranges::upper_bound(tops, tree.first(node), {}, [&](Index top) { return tree.first(top); });
  return next != tops.begin() && tree.is_above(*(next - 1), node);
}

// These findings never change a vertex: joints may have no common root, and `skeleton` is a hint.
void check_roots(Reader& reader, const SkinObject& object, const Skin& skin, const NodeTree& tree) {
  const Index common = common_ancestor(skin.slots, tree);
  if (const JsonValue joints = object.value()["joints"]; common == none && joints.size() > 0)
    reader.report("SKIN_NO_COMMON_ROOT"_code, joints);
  const Index hint = skin.root_hint;
  if (hint != none && !(common != none && tree.is_above(hint, common)))
    reader.report("SKIN_SKELETON_INVALID"_code, object["skeleton"], hint);
}

void read_slots(Reader& reader, const SkinObject& object, Skin& skin) {
  const JsonValue joints = object["joints"];
  skin.slots.reserve(joints.size());
  for (const JsonValue value : joints.elements()) {
    const auto joint = reader.resolve(value, Reference::node);
    if (!joint)
      Reader::mark(skin, joint.error());
    else if (*joint != none)
      skin.slots.push_back(*joint);
  }
}

// A skin's own matrices count. Without them, a skin of an explicit skeleton is bound to the stored pose of its joints, in the space of the
// parent of the skeleton's root (STAIK_skeletons, Skins, implementation note). Any other skin has identity matrices (glTF, Skins).
Checked<> read_bind(Reader& reader, Accessors& accessors, const SkinObject& object, Skin& skin) {
  const auto accessor = reader.resolve(object, "inverseBindMatrices");
  if (!accessor) return Refused(accessor.error());
  const auto owner = staik::owner_of(reader, object);
  if (*accessor != none) {
    auto matrices = read_bind_matrices(skin_bind_codes, reader, accessors, object["inverseBindMatrices"], *accessor, skin.slots.size());
    if (!matrices) return Refused(matrices.error());
    skin.bind = Skin::Bind::matrices;
    skin.joint_from_mesh = std::move(*matrices);
    return {};
  }
  if (!owner) return Refused(owner.error());
  if (*owner == none) return {};
  reader.report("STAIK_SKIN_IBM_MISSING"_code, object.value());
  const Model& model = reader.model();
  skin.bind = Skin::Bind::stored_pose;
  skin.frame = model.nodes[model.skeletons[*owner].root].parent;
  return {};
}

}  // namespace

void read_skins(Reader& reader, Accessors& accessors, const NodeTree& tree) {
  const JsonValue skins = reader.root()["skins"];
  reader.model().skins.reserve(skins.size());
  for (const JsonValue value : skins.elements()) {
    Skin& skin = reader.model().skins.emplace_back();
    const auto object = reader.object<SkinObject>(value);
    identify(skin, value, object["name"]);
    if (object.defect()) Reader::mark(skin, reader.refuse(object).value());
    skin.root_hint = reader.resolve_or_none(object, "skeleton");
    read_slots(reader, object, skin);
    check_roots(reader, object, skin, tree);
    if (auto bound = read_bind(reader, accessors, object, skin); !bound) Reader::mark(skin, bound.error());
  }
}

void check_skin_scenes(Reader& reader, const NodeTree& tree) {
  const Model& model = reader.model();
  if (model.skins.empty()) return;
  std::vector<Index> roots;  // by skin: the root of the tree that contains its joints
  roots.reserve(model.skins.size());
  for (const Skin& skin : model.skins) {
    const Index common = common_ancestor(skin.slots, tree);
    roots.push_back(common == none ? none : tree.root(common));
  }
  std::vector<Index> skinned;  // in preorder, so descendants are consecutive
  for (Index i = 0; i < model.nodes.size(); ++i)
    if (model.nodes[i].skin != none && roots[model.nodes[i].skin] != none) skinned.push_back(i);
  if (skinned.empty()) return;  // saves a walk over all nodes
  std::ranges::sort(skinned, {}, [&](Index node) { return tree.first(node); });
  std::vector<bool> reported(model.nodes.size());
  for (const Scene& scene : model.scenes) {
    const std::vector<Index> tops = outermost(scene.roots, tree);
    for (const Index top : tops)
      for (auto node = std::ranges::lower_bound(skinned, tree.first(top), {}, [&](Index at) { return tree.first(at); });
           node != skinned.end() && tree.is_above(top, *node); ++node)
        if (!is_in(tops, roots[model.nodes[*node].skin], tree)) reported[*node] = true;
  }
  Index index = 0;
  for (const JsonValue value : reader.root()["nodes"].elements())
    if (reported[index++]) reader.report("NODE_SKIN_NO_SCENE"_code, value);
}

}  // namespace sinew::gltf

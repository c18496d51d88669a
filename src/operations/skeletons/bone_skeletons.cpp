// SPDX-License-Identifier: MIT
#include "operations/skeletons/bone_skeletons.hpp"

#include <algorithm>
#include <utility>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "model/place.hpp"
#include "operations/skeletons/bone_lengths.hpp"
#include "operations/skeletons/skeleton_edit.hpp"
#include "operations/skeletons/skeleton_groups.hpp"

namespace sinew::operations {

namespace {

/// State of one call: the result and its groups.
class Bones {
 public:
  Bones(const Model& model, const StrictOptions& options, FindingSink& sink)
      : model_(model), options_(options), sink_(sink), result_(model), groups_(group_skins(model)) {}

  Result<Model> run() {
    if (auto done = store_matrices(result_, Implied::stored_pose); !done) return Unexpected(std::move(done.error()));
    result_.skeletons.clear();
    for (StrictGroup& group : groups_)
      if (auto done = mark(group); !done) return Unexpected(std::move(done.error()));
    for (const StrictGroup& group : groups_)
      for (const Index joint : group.joints)
        if (result_.nodes[joint].mesh != none && !is_skinned(group, joint)) static_cast<void>(move_to_new_child(joint, joint));
    lists_of_.resize(result_.nodes.size());
    for (Index scene = 0; scene < result_.scenes.size(); ++scene)
      for (const Index root : result_.scenes[scene].roots) lists_of_[root].push_back(scene);
    for (const StrictGroup& group : groups_)
      if (auto done = place_meshes(group); !done) return Unexpected(std::move(done.error()));
    find_bone_lengths(result_, options_.occupied);
    return std::move(result_);
  }

 private:
  void tell(Index node, const std::string& what) {
    const Entity nowhere;
    const Entity& at = node < model_.nodes.size() ? model_.nodes[node] : nowhere;
    EditReporter(model_, sink_).changed(at, what);
  }
  [[nodiscard]] bool occupied(Index node) const { return node < options_.occupied.size() && options_.occupied[node]; }
  [[nodiscard]] bool is_skinned(const StrictGroup& group, Index node) const {
    return std::ranges::find(group.skins, result_.nodes[node].skin) != group.skins.end();
  }

  Result<> mark(StrictGroup& group) {
    const Entity& at = model_.nodes[group.tops.front()];
    if (!group.joinable)
      return refuse(model_, at,
                    format_text("joints are in the separate trees of {} and {}; expected one root above all bones of a skeleton",
                                label(model_, group.tops[0]), label(model_, group.tops[1])));
    for (const Index joint : group.joints) {
      if (occupied(joint))
        return refuse(model_, model_.nodes[joint], "a camera or a light is attached to this joint; a bone must not have attachments");
      if (!result_.nodes[joint].bone) result_.nodes[joint].bone.emplace();
    }
    if (group.parent == none) {
      const auto root = put_above(result_, group.tops, none);
      if (!root) return Unexpected(root.error());
      group.parent = *root;
      tell(group.tops.front(),
           format_text("a new node {} \"{}\" above the bones becomes the root of their skeleton", *root, result_.nodes[*root].name));
    }
    for (const Index skin : group.skins) result_.skins[skin].root_hint = group.parent;
    return {};
  }

  /// Adds a node below `parent` that takes over the mesh of `node`.
  Index move_to_new_child(Index node, Index parent) {
    const auto added = static_cast<Index>(result_.nodes.size());
    Node child;
    if (!result_.nodes[node].name.empty()) child.name = format_text("{}_mesh", result_.nodes[node].name);
    child.parent = parent;
    child.mesh = std::exchange(result_.nodes[node].mesh, none);
    child.skin = std::exchange(result_.nodes[node].skin, none);
    child.materials = std::exchange(result_.nodes[node].materials, {});
    result_.nodes[parent].children.push_back(added);
    tell(node, format_text("the mesh of {} moves to a new node {} below {}", label(model_, node), added,
                           parent == node ? "it" : label(result_, parent)));
    result_.nodes.push_back(std::move(child));
    result_.rest_pose.locals.emplace_back();
    result_.rest_pose.amounts.push_back(std::exchange(result_.rest_pose.amounts[node], {}));
    for (Clip& clip : result_.clips)
      for (Track& track : clip.tracks)
        if (track.node == node && track.path == TrackPath::amounts) track.node = added;
    return added;
  }

  Result<> place_meshes(const StrictGroup& group) {
    const std::size_t count = result_.nodes.size();
    for (Index node = 0; node < count; ++node) {
      if (result_.nodes[node].mesh == none || !is_skinned(group, node)) continue;
      if (result_.nodes[node].parent == group.parent && !result_.nodes[node].bone) continue;
      if (auto done = check_place(node, group.parent); !done) return done;
      const bool hidden = !is_visible(node) && is_visible(group.parent);
      const bool stays = !result_.nodes[node].children.empty() || occupied(node) || result_.nodes[node].bone || is_named(node);
      const Index moved = stays ? move_to_new_child(node, group.parent) : node;
      if (!stays) move_below(node, group.parent);
      if (hidden) result_.nodes[moved].visible = false;
    }
    return {};
  }

  /// Fails if moving the node below `parent` would change the scenes that show it.
  Result<> check_place(Index node, Index parent) const {
    if (scenes_of(node) != scenes_of(parent))
      return refuse(model_, model_.nodes[node],
                    format_text("the skinned mesh and the root of its skeleton, {}, are in different scenes; expected the same scenes",
                                label(result_, parent)));
    if (!is_skinned_whole(result_.meshes[result_.nodes[node].mesh]))
      return refuse(model_, model_.nodes[node], "the mesh has vertices without joints, so it cannot move below the root of its skeleton");
    if (!model_.nodes[node].copies.empty())
      return refuse(model_, model_.nodes[node], "the node shows copies of its mesh, which cannot move below the root of its skeleton");
    if (is_visible(node) && !is_visible(parent))
      return refuse(model_, model_.nodes[node], "the root of the skeleton is hidden, so the visible mesh cannot move below it");
    return {};
  }

  /// Returns the scenes that show a node. Moved nodes stay in theirs.
  [[nodiscard]] std::vector<Index> scenes_of(Index node) const {
    std::vector<Index> scenes;
    for (; node != none; node = result_.nodes[node].parent)
      if (node < lists_of_.size()) scenes.insert(scenes.end(), lists_of_[node].begin(), lists_of_[node].end());
    std::ranges::sort(scenes);
    scenes.erase(std::unique(scenes.begin(), scenes.end()), scenes.end());
    return scenes;
  }

  /// Returns whether every vertex has influences. Vertices without influences follow the node.
  static bool is_skinned_whole(const Mesh& mesh) {
    return std::ranges::none_of(mesh.blocks, [](const VertexBlock& block) { return block.vertices != 0 && block.influences.empty(); });
  }

  [[nodiscard]] bool is_visible(Index node) const {
    for (; node != none; node = result_.nodes[node].parent)
      if (!result_.nodes[node].visible) return false;
    return true;
  }
  /// Returns whether it is the root of a skeleton; then it must not be a child of another root.
  [[nodiscard]] bool is_named(Index node) const {
    return std::ranges::any_of(groups_, [&](const StrictGroup& group) { return group.parent == node; });
  }

  // Moves a skinned mesh's node. Its own transform has no effect, so it is removed, because some readers apply it anyway.
  void move_below(Index node, Index parent) {
    if (const Index old = result_.nodes[node].parent; old != none) std::erase(result_.nodes[old].children, node);
    for (Scene& scene : result_.scenes) std::erase(scene.roots, node);
    result_.nodes[node].parent = parent;
    result_.nodes[parent].children.push_back(node);
    const bool moves = std::ranges::any_of(result_.clips, [&](const Clip& clip) {
      return std::ranges::any_of(clip.tracks, [&](const Track& track) { return track.node == node && track.path != TrackPath::amounts; });
    });
    if (!moves) result_.rest_pose.locals[node] = {};
    tell(node,
         format_text("{} has a skinned mesh and moves below the root of its skeleton, {}", label(model_, node), label(result_, parent)));
  }

  const Model& model_;
  const StrictOptions& options_;
  FindingSink& sink_;
  Model result_;
  std::vector<StrictGroup> groups_;
  std::vector<std::vector<Index>> lists_of_;  ///< the scenes that list a node
};

}  // namespace

Result<Model> make_bones(const Model& model, const StrictOptions& options, FindingSink& sink) SINEW_TRY {
  if (auto checked = check_skins(model); !checked) return Unexpected(std::move(checked.error()));
  return Bones(model, options, sink).run();
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "operations/rebind/rebind.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "deform/bind.hpp"
#include "model/edit_reporter.hpp"
#include "model/place.hpp"
#include "model/relative.hpp"
#include "operations/rebind/rebind_steps.hpp"
#include "operations/skeletons/hierarchy.hpp"

#include "sinew/animate.hpp"

namespace sinew::operations {

namespace {

/// Float32 rounding between equal positions, relative to the size of the mesh.
constexpr double same = 1e-6;

std::string joint_of(const Model& model, const Skin& skin, std::size_t slot) {
  const Index node = skin.slots[slot];
  const std::string& name = model.nodes[node].name;
  return name.empty() ? format_text("joint {} (node {})", slot, node) : format_text("joint {} (\"{}\")", slot, name);
}

Pose pose_of(const Model& model, const RebindPlan& options) {
  Pose pose = model.rest_pose;
  if (options.to == BindPose::clip) need(animate::sample(model, model.clips[options.clip], options.seconds, pose));
  return pose;
}

/// Computes new matrices for all skins, and the meshes that they require.
class Rebinder {
 public:
  Rebinder(Model& model, const RebindPlan& options, const EditReporter& changes)
      : model_(model), options_(options), changes_(changes), rest_(need(world_transforms(model, model.rest_pose))), depth_(depths(model)) {}

  Result<> run() {
    if (options_.unify)
      if (auto done = unify(); !done) return done;
    if (options_.to == BindPose::keep) return {};
    identity_ = options_.to == BindPose::identity;
    keep_ = options_.keep_vertices;
    world_ = options_.world || keep_;
    const std::vector<Affine> posed = need(world_transforms(model_, pose_of(model_, options_)));
    for (Index i = 0; i < model_.skins.size(); ++i) {
      if (model_.skins[i].defect != none) continue;
      const auto old = matrices_of(i);
      if (!old) return Unexpected(old.error());
      auto wanted = wanted_of(i, *old, posed);
      if (!wanted) return Unexpected(wanted.error());
      if (auto planned = plan(i, *old, std::move(*wanted)); !planned) return planned;
    }
    return apply();
  }

 private:
  Result<std::vector<Affine>> matrices_of(Index index) const {
    const Skin& skin = model_.skins[index];
    std::vector<Affine> matrices;
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      auto bound = deform::joint_from_mesh(model_, skin, slot, none, rest_);
      if (!bound)
        return refused(model_, skin.source,
                       format_text("the rest transform of {} has no inverse, and it is the bind pose", joint_of(model_, skin, slot)));
      matrices.push_back(std::move(*bound));
    }
    return matrices;
  }

  Result<std::vector<Affine>> wanted_of(Index index, const std::vector<Affine>& old, const std::vector<Affine>& posed) const {
    const Skin& skin = model_.skins[index];
    if (identity_) return std::vector<Affine>(skin.slots.size(), Affine(3));
    if (options_.to == BindPose::skeleton) return defaults_of(skin);
    std::vector<Affine> wanted;
    const std::size_t top = topmost(depth_, skin);
    const Affine world_from_mesh = world_ ? Affine(3) : posed[skin.slots[top]] * old[top];
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const auto joint_from_world = inverse(posed[skin.slots[slot]]);
      if (!joint_from_world)
        return refused(model_, skin.source,
                       format_text("the transform of {} has no inverse in the new pose", joint_of(model_, skin, slot)));
      wanted.push_back(*joint_from_world * world_from_mesh);
    }
    return wanted;
  }

  Result<std::vector<Affine>> defaults_of(const Skin& skin) const {
    std::vector<Affine> wanted;
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const Index node = skin.slots[slot];
      std::optional<Affine> matrix;
      for (const Skeleton& skeleton : model_.skeletons) {
        const auto place = std::ranges::find(skeleton.joints, node);
        if (place == skeleton.joints.end() || skeleton.defect != none) continue;
        const auto number = static_cast<std::size_t>(place - skeleton.joints.begin());
        if (!skeleton.joint_from_mesh.empty()) {
          matrix = skeleton.joint_from_mesh[number];
        } else {  // Without matrices, the default bind pose is the pose of the nodes, in the space of the root's parent.
          const Index parent = skeleton.root == none ? none : model_.nodes[skeleton.root].parent;
          matrix = relative_transform(model_, model_.rest_pose, rest_, node, parent);
        }
      }
      if (!matrix)
        return refused(model_, skin.source,
                       format_text("{} has no default bind pose: no strict skeleton defines one", joint_of(model_, skin, slot)));
      wanted.push_back(std::move(*matrix));
    }
    return wanted;
  }

  /// Binds the joints of later skins like those of earlier skins.
  Result<> unify() {
    std::map<Index, std::pair<Index, Affine>> known;  // by joint: the skin and its matrix
    for (Index i = 0; i < model_.skins.size(); ++i) {
      const Skin& skin = model_.skins[i];
      if (skin.defect != none) continue;
      const auto old = matrices_of(i);
      if (!old) return Unexpected(old.error());
      std::vector<Affine> wanted = *old;
      if (const auto factor = common_factor(i, *old, known)) {
        const auto back = inverse(*factor);
        for (std::size_t slot = 0; slot < wanted.size() && back; ++slot) {
          const auto first = known.find(skin.slots[slot]);
          wanted[slot] = first == known.end() ? wanted[slot] * *back : first->second.second;
        }
      }
      for (std::size_t slot = 0; slot < wanted.size(); ++slot) known.try_emplace(skin.slots[slot], i, wanted[slot]);
      if (wanted == *old) continue;
      if (auto planned = plan(i, *old, std::move(wanted)); !planned) return planned;
    }
    return apply();
  }

  /// Returns the factor F with B = B₁·F for every joint that an earlier skin also has, if there is one.
  std::optional<Affine> common_factor(Index index, const std::vector<Affine>& old, const std::map<Index, std::pair<Index, Affine>>& known) {
    const Skin& skin = model_.skins[index];
    std::optional<Affine> factor;
    for (std::size_t slot = 0; slot < old.size(); ++slot) {
      const auto first = known.find(skin.slots[slot]);
      if (first == known.end()) continue;
      const auto back = inverse(first->second.second);
      if (!back) continue;
      const Affine own = *back * old[slot];
      if (!factor) factor = own;
      if (agree(*factor, own)) continue;
      changes_.changed(skin.source, format_text("not changed: {} is bound in a different pose than in skin {}",
                                                joint_of(model_, skin, slot), first->second.first));
      return std::nullopt;
    }
    return factor;
  }

  static bool agree(const Affine& a, const Affine& b) { return agree_within(1e-5, a, b); }
  static bool agree_within(double tolerance, const Affine& a, const Affine& b) {
    double size = 0, off = 0;
    for (std::size_t i = 0; i < a.values().size(); ++i) {  // the translation, which may be much larger, follows the linear part
      size = std::max(size, std::abs(a.values()[i]));
      off = std::max(off, std::abs(a.values()[i] - b.values()[i]));
      if (i == 8 && off > tolerance * size) return false;
    }
    return off <= tolerance * size;
  }

  Result<> plan(Index index, const std::vector<Affine>& old, std::vector<Affine> wanted) {
    const Skin& skin = model_.skins[index];
    ReboundSkin by{index, std::move(wanted), {}, {}};
    by.same_matrices =
        std::ranges::equal(old, by.joint_from_mesh, [](const Affine& a, const Affine& b) { return agree_within(same, a, b); });
    for (std::size_t slot = 0; slot < old.size(); ++slot) {
      const auto mesh_from_joint = inverse(by.joint_from_mesh[slot]);
      if (!mesh_from_joint)
        return refused(model_, skin.source, format_text("the new bind matrix of {} has no inverse", joint_of(model_, skin, slot)));
      by.after_from_before.push_back(*mesh_from_joint * old[slot]);
      by.world_from_after.push_back(rest_[skin.slots[slot]] * by.joint_from_mesh[slot]);
    }
    plans_.push_back(std::move(by));
    return {};
  }

  /// Meshes first: the movement of its vertices decides whether a skin changes at all.
  Result<> apply() {
    std::map<Index, Mesh> meshes;
    std::vector<std::vector<Index>> nodes_of(model_.skins.size());
    for (Index n = 0; n < model_.nodes.size(); ++n) {
      const Node& node = model_.nodes[n];
      if (node.skin != none && node.mesh != none && node.defect == none && model_.meshes[node.mesh].defect == none)
        nodes_of[node.skin].push_back(n);
    }
    for (const ReboundSkin& by : plans_) {
      const Skin& skin = model_.skins[by.skin];
      double moved = 0, spread = 0;
      bool used = false;
      for (const Index n : keep_ ? std::vector<Index>() : nodes_of[by.skin]) {
        const Node& node = model_.nodes[n];
        Movement movement;
        Mesh mesh = moved_mesh(model_.meshes[node.mesh], by, movement);
        used = true;
        if (movement.spread > options_.tolerance * movement.diagonal) return too_far(by, n, movement);
        if (movement.moved <= same * reach_of(by, movement)) continue;
        if (auto alone = used_alone(n, by); !alone) return alone;
        moved = std::max(moved, movement.moved);
        spread = std::max(spread, movement.spread);
        if (meshes.emplace(node.mesh, std::move(mesh)).second) say_moved(model_.meshes[node.mesh], movement);
      }
      const bool bound = world_ ? by.same_matrices && moved == 0 : !used || (identity_ ? skin.bind == Skin::Bind::identity : moved == 0);
      if (bound) continue;
      set_matrices(by);
      const std::string matrices = format_text("new bind matrices for {}", count_of(skin.slots.size(), "joint", "joints"));
      changes_.changed(skin.source, identity_ ? "each bind matrix is now the identity"
                                    : keep_   ? matrices + "; the stored vertices stay, and the deformation changes"
                                              : matrices);
    }
    for (auto& [index, mesh] : meshes) model_.meshes[index] = std::move(mesh);
    plans_.clear();
    return {};
  }

  /// Returns the approximate size of the mesh in its own space.
  static double reach_of(const ReboundSkin& by, const Movement& movement) {
    double scale = 0;
    for (const Affine& map : by.world_from_after) scale = std::max(scale, std::cbrt(std::abs(determinant(map))));
    return scale > 0 ? movement.diagonal / scale : movement.diagonal;
  }

  Result<> too_far(const ReboundSkin& by, Index node, const Movement& movement) const {
    const Skin& skin = model_.skins[by.skin];
    const Mesh& mesh = model_.meshes[model_.nodes[node].mesh];
    const bool can_keep = !world_ && (options_.to == BindPose::rest || options_.to == BindPose::clip);
    return refused(model_, mesh.source,
                   format_text("vertex {} of block {} would move by up to {:.3g}, {:.3g} of the size of the mesh, for {} of skin {}, "
                               "because {}; the tolerance is {:.3g}{}",
                               movement.vertex, movement.block, movement.spread, movement.spread / movement.diagonal,
                               joint_of(model_, skin, movement.slot), by.skin, disagreement(by, movement), options_.tolerance,
                               can_keep ? "; if the skin lost its matrices and the vertices are right as stored, use keep_vertices" : ""));
  }

  /// Describes why the influences of a vertex need different positions.
  std::string disagreement(const ReboundSkin& by, const Movement& movement) const {
    const std::vector<Affine>& maps = by.after_from_before;
    const auto other = std::ranges::find_if(movement.slots, [&](std::size_t slot) { return !agree(maps[slot], maps[movement.slot]); });
    if (!world_ || other == movement.slots.end()) return "its joints need different positions";
    return format_text("its world transform times its bind matrix differs from that of {}",
                       joint_of(model_, model_.skins[by.skin], *other));
  }

  /// Fails if other nodes that show the mesh need different vertices.
  Result<> used_alone(Index node, const ReboundSkin& by) const {
    const Index mesh = model_.nodes[node].mesh;
    for (Index n = 0; n < model_.nodes.size(); ++n) {
      if (model_.nodes[n].mesh != mesh || model_.nodes[n].skin == by.skin) continue;
      const auto other = std::ranges::find(plans_, model_.nodes[n].skin, &ReboundSkin::skin);
      if (other != plans_.end() && other->after_from_before.size() == by.after_from_before.size() &&
          std::ranges::equal(other->after_from_before, by.after_from_before, agree))
        continue;
      return refused(model_, model_.meshes[mesh].source,
                     format_text("nodes {} and {} use the same mesh but would need different vertices", node, n));
    }
    return {};
  }

  void say_moved(const Mesh& mesh, const Movement& movement) {
    changes_.changed(
        mesh.source,
        format_text("the stored vertices moved by up to {:.6g}; the deformed vertices by at most {:.3g} of the size of the mesh",
                    movement.moved, movement.diagonal > 0 ? movement.spread / movement.diagonal : 0));
  }

  void set_matrices(const ReboundSkin& by) {
    Skin& skin = model_.skins[by.skin];
    skin.frame = none;
    skin.bind = Skin::Bind::matrices;
    skin.joint_from_mesh = by.joint_from_mesh;
    if (!identity_ || is_strict(skin)) return;
    skin.bind = Skin::Bind::identity;
    skin.joint_from_mesh.clear();
  }

  /// Returns whether the skin belongs to a strict skeleton. Without matrices such a skin is bound to the stored pose (STAIK_skeletons), so
  /// identity matrices must be stored.
  [[nodiscard]] bool is_strict(const Skin& skin) const {
    return std::ranges::any_of(model_.skeletons, [&](const Skeleton& skeleton) {
      return std::ranges::any_of(skin.slots, [&](Index node) { return std::ranges::find(skeleton.joints, node) != skeleton.joints.end(); });
    });
  }

  Model& model_;
  const RebindPlan& options_;
  const EditReporter& changes_;
  std::vector<Affine> rest_;
  std::vector<std::uint32_t> depth_;
  std::vector<ReboundSkin> plans_;
  // What the current plans are for; not for `unify`.
  bool identity_ = false;  ///< all matrices become the identity
  bool world_ = false;     ///< each matrix becomes the inverse of its joint's transform: vertices are in the space of the scene
  bool keep_ = false;      ///< the stored vertices stay
};

Result<> check(const Model& model, const RebindPlan& options) {
  const bool posed = options.to == BindPose::rest || options.to == BindPose::clip;
  if ((options.world || options.keep_vertices) && !posed)
    return usage_failure(model, "expected the bind pose rest or clip with world or keep_vertices");
  if (options.world && options.keep_vertices) return usage_failure(model, "world and keep_vertices exclude each other");
  if (options.to == BindPose::clip && options.clip >= model.clips.size())
    return usage_failure(model, format_text("found animation {}, expected one of the {} animations", options.clip, model.clips.size()));
  if (options.to == BindPose::clip && model.clips[options.clip].defect != none)
    return Unexpected(model.defects[model.clips[options.clip].defect]);
  if (auto defect = closure_defect(model)) return Unexpected(std::move(*defect));
  for (const RebindPlan::Joint& joint : options.joints) {
    if (joint.skin >= model.skins.size())
      return usage_failure(model, format_text("found skin {}, expected one of the {} skins", joint.skin, model.skins.size()));
    const Skin& skin = model.skins[joint.skin];
    if (skin.defect != none) return Unexpected(model.defects[skin.defect]);
    if (joint.slot >= skin.slots.size())
      return usage_failure(
          model, format_text("found joint slot {}, expected one of the {} of skin {}", joint.slot, skin.slots.size(), joint.skin));
    if (joint.node == none) continue;
    if (joint.node >= model.nodes.size())
      return usage_failure(model, format_text("found node {}, expected one of the {} nodes", joint.node, model.nodes.size()));
    if (!model.binds_by_stored_pose()) continue;
    if (!model.nodes[joint.node].bone || !is_above(model, skin.frame, model.nodes[joint.node].parent))
      return usage_failure(model, format_text("node {} is not a bone of the skeleton at node {}", joint.node, skin.frame));
  }
  if (model.binds_by_stored_pose() && (options.unify || options.world || (options.to != BindPose::keep && options.to != BindPose::rest)))
    return refused(model, SourceId::nowhere, "G4MF has no bind matrices; the stored pose is always the bind pose");
  return {};
}

}  // namespace

Unexpected usage_failure(const Model& model, std::string message) {
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(model), std::move(message)));
}

Unexpected refused(const Model& model, SourceId at, std::string message) {
  return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(model, at), std::move(message)));
}

Result<Model> rebind_model(const Model& model, const RebindPlan& options, FindingSink& sink) SINEW_TRY {
  if (auto done = check(model, options); !done) return Unexpected(std::move(done.error()));
  Model rebound = model;
  const EditReporter changes(model, sink);
  if (options.bake_shapes)
    if (auto done = bake_shapes(rebound, changes); !done) return Unexpected(std::move(done.error()));
  if (auto done = point_joints(rebound, options.joints, changes); !done) return Unexpected(std::move(done.error()));
  if (model.binds_by_stored_pose()) return rebound;
  if (auto done = Rebinder(rebound, options, changes).run(); !done) return Unexpected(std::move(done.error()));
  return rebound;
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "operations/convert/to_g4mf.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "model/local_of.hpp"
#include "model/place.hpp"
#include "operations/convert/g4mf_mesh.hpp"
#include "operations/convert/g4mf_skeletons.hpp"
#include "operations/files/check_deformable.hpp"
#include "operations/repair/uneven_weights.hpp"
#include "operations/skeletons/bone_lengths.hpp"
#include "operations/skeletons/occupied_nodes.hpp"

namespace sinew::operations {

namespace {

/// A node of the result.
struct Made {
  Index source = none;                        ///< its original
  Index parent = none;                        ///< index in made_
  std::pair<std::size_t, std::size_t> place;  ///< sort key: order of nodes, but bones follow the bones above them
  Node node = {};
  LocalTransform local = {};
  bool moves = false;     ///< gets the tracks of its source's transform
  Index instance = none;  ///< the instance that it draws
  Index part = none;      ///< of that instance's mesh
  Index skeleton = none;  ///< the skeleton that moves its mesh
};

class Conversion {
 public:
  Conversion(const Model& model, const ToG4mfOptions& options, FindingSink& losses)
      : model_(model),
        options_(options),
        losses_(losses),
        reporter_(model, losses),
        instances_(need(instances(model))),
        rest_(need(world_transforms(model, model.rest_pose))),
        occupied_(occupied_nodes(model)) {}

  Result<ToG4mf> run() {
    if (auto defect = closure_defect(model_)) return Unexpected(std::move(*defect));
    auto plans = plan_skeletons(model_, instances_, rest_);
    if (!plans) return Unexpected(std::move(plans.error()));
    plans_ = std::move(*plans);
    start();
    for (const SkeletonPlan& plan : plans_)
      for (const Index skin : plan.lost)
        reporter_.lost(model_.skins[skin],
                       "the skin is lost: no mesh uses it, and it binds joints in a different pose than other skins do");
    make_nodes();
    for (Index i = 0; i < plans_.size(); ++i) make_skeleton(i);
    for (Index i = 0; i < instances_.size(); ++i) make_meshes(i);
    number_nodes();
    emit_nodes();
    emit_skeletons();
    for (const Index made : order_)
      if (made_[made].instance != none) emit_mesh(made_[made]);
    emit_clips();
    describe_rig();
    if (auto done = check_storable(out_, model_); !done) return Unexpected(std::move(done.error()));
    std::vector<Index> node_of(model_.nodes.size(), none);
    for (Index node = 0; node < node_of.size(); ++node)
      if (made_of_[node] != none) node_of[node] = numbers_[made_of_[node]];
    convert_avatar(node_of);
    return ToG4mf{std::move(out_), std::move(rig_), std::move(colors_), std::move(node_of)};
  }

 private:
  void start() {
    out_.dimension = model_.dimension;
    out_.format = "G4MF";
    out_.revision = "2026-01";
    out_.source = model_.source;
    out_.materials = model_.materials;
    plain_.assign(model_.materials.size(), false);
    for (const Mesh& mesh : model_.meshes)
      for (const Surface& surface : mesh.surfaces)
        if (surface.material != none && find_attribute(mesh.blocks[surface.block].attributes, Semantic::color) == nullptr)
          plain_[surface.material] = true;
    out_.scenes.emplace_back().roots = {0};
    out_.default_scene = 0;
    owner_.assign(model_.nodes.size(), none);
    for (Index i = 0; i < plans_.size(); ++i)
      if (!plans_[i].copied)
        for (const Index bone : plans_[i].bones) owner_[bone] = i;
    if (model_.scenes.size() > 1)
      for (Index scene = 0; scene < model_.scenes.size(); ++scene)
        if (scene != (model_.default_scene == none ? 0 : model_.default_scene))
          reporter_.lost(model_.scenes[scene], "G4MF has only one scene");
  }

  Index make(Made made) {
    made_.push_back(std::move(made));
    return static_cast<Index>(made_.size() - 1);
  }

  // Creates a root, the nodes of the scene, and joints outside of it with their ancestors.
  void make_nodes() {
    std::vector<bool> kept(model_.nodes.size());
    const auto keep = [&](Index node) {  // and its ancestors: a scene may start below a root, which is an error but usable
      for (Index up = node; up != none && !kept[up]; up = model_.nodes[up].parent) kept[up] = true;
    };
    std::ranges::for_each(need(reached_nodes(model_)), keep);
    for (const SkeletonPlan& plan : plans_) std::ranges::for_each(plan.bones, keep);
    made_of_.assign(model_.nodes.size(), none);
    static_cast<void>(make({}));
    for (Index i = 0; i < model_.nodes.size(); ++i) {
      if (!kept[i]) continue;
      const Node& source = model_.nodes[i];
      Made made{.source = i, .place = {i + 1, 2}, .local = model_.rest_pose.locals[i], .moves = true};
      made.node.name = source.name;
      if (!source.copies.empty() && owner_[i] == none && !source.name.empty()) made.node.name += "_copies";  // the copies get its name
      made.node.source = source.source;
      made.node.visible = source.visible;
      if (owner_[i] != none) made.node.bone = source.bone ? *source.bone : bone_of(source, i);
      made_of_[i] = make(std::move(made));
    }
    for (Index i = 0; i < model_.nodes.size(); ++i)
      if (made_of_[i] != none) made_[made_of_[i]].parent = model_.nodes[i].parent == none ? 0 : made_of_[model_.nodes[i].parent];
  }

  // The tail is the only child if that is on the +Y axis.
  [[nodiscard]] Bone bone_of(const Node& node, Index index) const {
    Bone bone;
    if (node.children.size() != 1 || owner_[node.children[0]] != owner_[index]) return bone;
    bone.length = length_to(model_.rest_pose.locals[node.children[0]]);
    return bone;
  }

  void make_skeleton(Index number) {
    const SkeletonPlan& plan = plans_[number];
    const bool free = plan.parent != none && !plan.copied && owner_[plan.parent] == none && model_.nodes[plan.parent].mesh == none &&
                      std::ranges::find(skeleton_nodes_, made_of_[plan.parent]) == skeleton_nodes_.end();
    const Index parent = plan.parent == none ? 0 : made_of_[plan.parent];
    Index node = parent;
    if (!free) {
      Made made{.parent = parent, .place = {*plan.bones.begin() + 1, 1}};
      if (plan.copied) made.place.first += model_.nodes.size();
      const Skin& skin = model_.skins[plan.skins.front()];
      made.node.name = skin.name.empty() ? "Skeleton" : skin.name;
      node = make(std::move(made));
    }
    skeleton_nodes_.push_back(node);
    bones_.push_back(plan.copied ? copy_bones(plan, node) : std::map<Index, Index>());
    if (plan.copied) return;
    for (const Index bone : plan.bones) {
      bones_.back().emplace(bone, made_of_[bone]);
      if (model_.nodes[bone].parent == plan.parent) made_[made_of_[bone]].parent = node;
    }
  }

  std::map<Index, Index> copy_bones(const SkeletonPlan& plan, Index skeleton) {
    std::map<Index, Index> copies;
    for (const Index bone : plan.bones) {
      Made copy = made_[made_of_[bone]];
      copy.place = {copy.place.first + model_.nodes.size(), 2};
      copies.emplace(bone, make(std::move(copy)));
    }
    for (const auto& [bone, copy] : copies) {
      const auto above = copies.find(model_.nodes[bone].parent);
      made_[copy].parent = above == copies.end() ? skeleton : above->second;
    }
    reporter_.changed(model_.skins[plan.skins.front()],
                      "the skin binds joints in a different pose than other skins do; it gets copies of the bones");
    return copies;
  }

  [[nodiscard]] Index skeleton_of(Index skin) const {
    for (Index i = 0; i < plans_.size(); ++i)
      if (std::ranges::find(plans_[i].skins, skin) != plans_[i].skins.end()) return i;
    return none;
  }

  // Skinned parts become children of the skeleton. Others stay at the node, or at a child of it if it is a bone.
  void make_meshes(Index number) {
    const Instance& instance = instances_[number];
    const Index skeleton = instance.skin == none ? none : skeleton_of(instance.skin);
    const std::vector<MeshPart>& parts = parts_.emplace_back(parts_of(model_.meshes[instance.mesh], skeleton != none));
    const bool is_bone = owner_[instance.node] != none;
    const Affine* const copy = copy_of(model_, instance);
    bool taken = is_bone || copy != nullptr;
    for (Index part = 0; part < parts.size(); ++part) {
      const Index place = instance.copy * static_cast<Index>(parts.size()) + part;
      if (parts[part].skinned) {
        Made made{.source = instance.node, .parent = skeleton_nodes_[skeleton], .place = {instance.node + 1, place == 0 ? 0 : 3 + place}};
        made.node.name = model_.nodes[instance.node].name;
        made.node.source = model_.nodes[instance.node].source;
        made.node.visible = instance.visible;
        made.local = local_of(plans_[skeleton].place.at(instance.skin));
        made.instance = number;
        made.part = part;
        made.skeleton = skeleton;
        static_cast<void>(make(std::move(made)));
      } else if (taken) {
        Made made{.source = instance.node, .parent = made_of_[instance.node], .place = {instance.node + 1, 3 + place}};
        made.node.name = model_.nodes[instance.node].name;
        made.node.source = model_.nodes[instance.node].source;
        if (copy != nullptr) made.local = local_of(*copy);
        made.instance = number;
        made.part = part;
        static_cast<void>(make(std::move(made)));
      } else {
        made_[made_of_[instance.node]].instance = number;
        made_[made_of_[instance.node]].part = part;
        taken = true;
      }
    }
    if (is_bone) reporter_.changed(model_.nodes[instance.node], "the mesh of the bone moves to a new child node");
  }

  // Finds nodes that lost their mesh and have no other purpose.
  [[nodiscard]] std::vector<bool> find_idle() const {
    std::vector<bool> idle(made_.size()), needed(made_.size());
    for (const Made& made : made_)
      if (made.parent != none) needed[made.parent] = true;
    for (const Index node : skeleton_nodes_) needed[node] = true;
    for (const Instance& instance : instances_) {
      const Index made = made_of_[instance.node];
      const bool carrier = instance.node < occupied_.size() && occupied_[instance.node];
      idle[made] = !carrier && !needed[made] && !made_[made].node.bone && made_[made].instance == none;
    }
    return idle;
  }

  // Numbers nodes by sort key, with bones after the bones above them.
  void number_nodes() {
    const std::vector<bool> idle = find_idle();
    std::vector<std::vector<Index>> below(made_.size());
    using Next = std::tuple<std::pair<std::size_t, std::size_t>, Index>;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> open;
    for (Index i = 0; i < made_.size(); ++i) {
      if (idle[i]) continue;
      const bool behind = made_[i].node.bone && made_[made_[i].parent].node.bone;
      if (behind)
        below[made_[i].parent].push_back(i);
      else
        open.emplace(made_[i].place, i);
    }
    numbers_.assign(made_.size(), none);
    while (!open.empty()) {
      const Index made = std::get<1>(open.top());
      open.pop();
      numbers_[made] = static_cast<Index>(order_.size());
      order_.push_back(made);
      for (const Index child : below[made]) open.emplace(made_[child].place, child);
    }
  }

  // Children keep the order of the source; new ones follow.
  void emit_nodes() {
    for (const Index made : order_) {
      Node node = made_[made].node;
      if (made_[made].parent != none) node.parent = numbers_[made_[made].parent];
      out_.nodes.push_back(std::move(node));
      out_.rest_pose.locals.push_back(made_[made].local);
      out_.rest_pose.amounts.emplace_back();
    }
    for (Index i = 1; i < out_.nodes.size(); ++i) out_.nodes[out_.nodes[i].parent].children.push_back(i);
    for (const Index node : skeleton_nodes_) put_bones_first(out_.nodes[numbers_[node]].children);
  }

  void put_bones_first(std::vector<Index>& children) const {
    std::vector<Index> others;
    std::ranges::copy_if(children, std::back_inserter(others), [&](Index child) { return !out_.nodes[child].bone; });
    std::erase_if(children, [&](Index child) { return !out_.nodes[child].bone; });
    children.insert(children.end(), others.begin(), others.end());
  }

  void emit_skeletons() {
    for (Index i = 0; i < plans_.size(); ++i) {
      Skeleton& skeleton = out_.skeletons.emplace_back();
      skeleton.node = numbers_[skeleton_nodes_[i]];
      skeleton.name = out_.nodes[skeleton.node].name;
      std::vector<std::pair<Index, Index>> joints;  // (new index, source)
      for (const Index joint : plans_[i].joints) joints.emplace_back(numbers_[bones_[i].at(joint)], joint);
      std::ranges::sort(joints);
      std::map<Index, Index>& groups = groups_.emplace_back();
      for (const auto& [number, source] : joints) {
        groups.emplace(source, static_cast<Index>(skeleton.joints.size()));
        skeleton.joints.push_back(number);
        if (!plans_[i].joint_from_skeleton.empty()) skeleton.joint_from_mesh.push_back(plans_[i].joint_from_skeleton.at(source));
      }
    }
  }

  void emit_mesh(const Made& made) {
    const Instance& instance = instances_[made.instance];
    const Mesh& mesh = model_.meshes[instance.mesh];
    std::vector<Index> groups;
    if (made.skeleton != none)
      for (const Index joint : model_.skins[instance.skin].slots) {
        const auto group = groups_[made.skeleton].find(joint);
        groups.push_back(group == groups_[made.skeleton].end() ? none : group->second);
      }
    const auto [known, added] = meshes_.emplace(std::tuple(instance.mesh, made.part, groups), static_cast<Index>(out_.meshes.size()));
    if (added) {
      G4mfMesh built = g4mf_mesh(mesh, parts_[made.instance][made.part], groups, options_.maps, model_.dimension, options_.max_influences);
      for (const std::string& what : built.lost) reporter_.lost(mesh, format_text("G4MF cannot store {}", what));
      if (!built.uneven.empty()) report_uneven(model_, instance, rest_, built.uneven, losses_);
      for (SurfaceColors& colors : built.colors)
        built.mesh.surfaces[colors.surface].material = colored_material(instance.mesh, colors.source, std::move(colors.rows));
      out_.meshes.push_back(std::move(built.mesh));
    }
    const Index number = numbers_[static_cast<std::size_t>(&made - made_.data())];
    Node& node = out_.nodes[number];
    node.mesh = known->second;
    out_.rest_pose.amounts[number] = model_.rest_pose.amounts[instance.node];
    shown_by_[instance.node].push_back(number);
    if (made.skeleton != none) node.skin = emit_skin(made);
  }

  /// Keeps bones and expressions. A mesh can be shown by several nodes, and so can its blend shapes.
  void convert_avatar(std::span<const Index> node_of) {
    const Avatar& avatar = model_.avatar;
    out_.avatar.format = avatar.format;
    out_.avatar.spec_version = avatar.spec_version;
    out_.avatar.bones = avatar.bones;
    out_.avatar.expressions = avatar.expressions;
    std::erase_if(out_.avatar.bones, [&](HumanBone& bone) { return (bone.node = node_of[bone.node]) == none; });
    for (Expression& expression : out_.avatar.expressions) {
      const std::vector<ShapeBind> binds = std::exchange(expression.binds, {});
      expression.clip = expression.amount = none;
      for (const ShapeBind& bind : binds)
        if (const auto shown = shown_by_.find(bind.node); shown != shown_by_.end())
          for (const Index node : shown->second) expression.binds.push_back({node, bind.shape, bind.weight});
    }
  }

  /// Returns the material for a surface with these colours: its own if no other surface uses that.
  Index colored_material(Index mesh, Index surface, Array colors) {
    const auto [known, added] = colored_.try_emplace(std::pair(mesh, surface), none);
    if (!added) return known->second;
    const Index of = model_.meshes[mesh].surfaces[surface].material;
    known->second = of;
    if (of == none || plain_[of]) {
      known->second = static_cast<Index>(out_.materials.size());
      out_.materials.push_back(of == none ? Material() : model_.materials[of]);
    } else {
      plain_[of] = true;
    }
    colors_.push_back({known->second, of, std::move(colors)});
    return known->second;
  }

  Index emit_skin(const Made& made) {
    const Skeleton& skeleton = out_.skeletons[made.skeleton];
    Skin& skin = out_.skins.emplace_back();
    skin.name = skeleton.name;
    skin.slots = skeleton.joints;
    skin.frame = skeleton.node;
    skin.bind = skeleton.joint_from_mesh.empty() ? Skin::Bind::skeleton_pose : Skin::Bind::matrices;
    const Affine place = affine_of(model_.dimension, made.local);
    for (const Affine& joint_from_skeleton : skeleton.joint_from_mesh) skin.joint_from_mesh.push_back(joint_from_skeleton * place);
    return static_cast<Index>(out_.skins.size() - 1);
  }

  // Stores the basis of a node as rotation and scale, which a translation leaves as they are. Fails where other tracks replace the basis.
  bool split_basis(Index source, Index number) {
    for (const Clip& clip : model_.clips)
      for (const Track& track : clip.tracks)
        if (track.node == source && track.path != TrackPath::amounts && !track.keeps_basis) return false;
    LocalTransform& local = out_.rest_pose.locals[number];
    if (local.basis.empty()) return true;
    LocalTransform parts = local_of(affine_of(model_.dimension, local));
    if (!parts.basis.empty()) return false;
    local = std::move(parts);
    return true;
  }

  // A skinned mesh's own node keeps only tracks of amounts. Tracks of removed nodes are dropped.
  void emit_clips() {
    for (const Clip& clip : model_.clips) {
      if (clip.defect != none) {
        reporter_.lost(clip, format_text("the animation is lost: {}", model_.defects[clip.defect].message));
        continue;
      }
      Clip& kept = out_.clips.emplace_back(clip);
      kept.tracks.clear();
      for (const Track& track : clip.tracks) {
        if (track.node == none) continue;
        for (Index made = 0; made < made_.size(); ++made) {
          const Made& target = made_[made];
          if (target.source != track.node || numbers_[made] == none) continue;
          if (track.path == TrackPath::amounts ? target.instance == none : !target.moves) continue;
          if (track.keeps_basis && !split_basis(track.node, numbers_[made])) {
            reporter_.lost(clip, format_text("the translation of node {} is lost: its matrix is not a rotation and a scale", track.node));
            continue;
          }
          kept.tracks.push_back(track);
          kept.tracks.back().node = numbers_[made];
          kept.tracks.back().keeps_basis = false;
        }
      }
      kept.duration = 0;
      for (const Track& track : kept.tracks) {
        if (track.times.empty()) continue;
        double last = 0;
        track.times.read(track.times.size() - 1, 1, &last);
        kept.duration = std::max(kept.duration, last);
      }
      if (kept.duration < clip.duration)
        reporter_.lost(clip,
                       format_text("it ends after {:.6g} s instead of {:.6g}: the last keys move nodes of skinned meshes, and nothing else",
                                   kept.duration, clip.duration));
    }
  }

  // Records the skins of glTF, because G4MF loses their names, their order of joints, and duplicates.
  void describe_rig() {
    const bool bones = std::ranges::any_of(model_.nodes, [](const Node& node) { return node.bone.has_value(); });
    if (!plans_.empty()) rig_.skeletons = !model_.skeletons.empty() ? Skeletons::strict : bones ? Skeletons::bone : Skeletons::plain;
    rig_.added.assign(out_.nodes.size(), false);
    rig_.skin.assign(out_.nodes.size(), none);
    for (const Index index : order_) {
      const Made& made = made_[index];
      rig_.added[numbers_[index]] = made.source == none;
      if (made.skeleton == none) continue;
      const std::vector<Index>& skins = plans_[made.skeleton].skins;
      const auto place = std::ranges::find(skins, instances_[made.instance].skin) - skins.begin();
      if (skins.size() > 1) rig_.skin[numbers_[index]] = static_cast<Index>(place);
    }
    for (Index i = 0; i < plans_.size(); ++i)
      for (const Index skin : plans_[i].skins) {
        GltfRig::Skin& described = rig_.skins[out_.skeletons[i].node].emplace_back();
        described.name = model_.skins[skin].name;
        for (const Index joint : model_.skins[skin].slots)
          if (joint != none) described.joints.push_back(numbers_[bones_[i].at(joint)]);
      }
  }

  const Model& model_;
  const ToG4mfOptions& options_;
  FindingSink& losses_;
  EditReporter reporter_;
  std::vector<Instance> instances_;
  std::vector<Affine> rest_;
  std::vector<bool> occupied_;  ///< by source node: it has a camera or a light, so it stays
  std::vector<SkeletonPlan> plans_;
  std::vector<Index> owner_;                    ///< by source node: the skeleton of a bone
  std::vector<Made> made_;                      ///< root first
  std::vector<Index> made_of_;                  ///< by source node
  std::vector<std::vector<MeshPart>> parts_;    ///< by instance
  std::vector<Index> skeleton_nodes_;           ///< by plan
  std::vector<std::map<Index, Index>> bones_;   ///< by plan: bone to its new node
  std::vector<std::map<Index, Index>> groups_;  ///< by plan: joint to its group
  std::vector<Index> numbers_;                  ///< by made node: its index in the result; `none`: left out
  std::vector<Index> order_;                    ///< made nodes by index in the result
  std::map<std::tuple<Index, Index, std::vector<Index>>, Index> meshes_;
  std::vector<bool> plain_;                           ///< by material: a surface without colours, or with other colours, uses it
  std::map<std::pair<Index, Index>, Index> colored_;  ///< by mesh and surface: the material with these colours
  std::vector<ColoredMaterial> colors_;
  std::map<Index, std::vector<Index>> shown_by_;  ///< by source node: the nodes of the result that show its mesh
  Model out_;
  GltfRig rig_;
};

}  // namespace

Result<ToG4mf> to_g4mf(const Model& model, const ToG4mfOptions& options, FindingSink& losses) SINEW_TRY {
  return Conversion(model, options, losses).run();
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations

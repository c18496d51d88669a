// SPDX-License-Identifier: MIT
#include "operations/merge/merge_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "math/extent.hpp"
#include "model/edit_reporter.hpp"
#include "model/influences.hpp"
#include "model/local_of.hpp"
#include "model/name_index.hpp"
#include "model/place.hpp"
#include "model/trees.hpp"
#include "operations/fit/fit.hpp"
#include "operations/merge/merge_groups.hpp"
#include "operations/merge/merge_match.hpp"
#include "operations/merge/merge_rig.hpp"
#include "operations/weights/own_weights.hpp"

#include "sinew/deform.hpp"
#include "sinew/geometry.hpp"

namespace sinew::operations {

namespace {

constexpr double most_scale = 3;        // between clothes and body: a larger factor looks like another unit
constexpr double smallest_piece = 300;  // factor by which a ring or an earring may be smaller than a body
constexpr double same_map = 1e-6;       // float32 files of one rig differ by less

Unexpected refused(const Model& model, const Entity& entity, std::string message) {
  return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(model, entity), std::move(message)));
}

double distance(const Affine& a, const Affine& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.dimension(); ++i) square += std::pow(a.translation(i) - b.translation(i), 2);
  return std::sqrt(square);
}

double diagonal(std::size_t dimension, const auto& each_point) {
  Extent box;
  each_point([&](std::size_t axis, double value) { box.add(axis, value); });
  return box.diagonal(dimension);
}

/// Returns the diagonal of the drawn meshes at rest, or of the joints if nothing is drawn.
Result<double> rest_diagonal(const Model& model, const Rig& rig, const std::vector<Affine>& world, unsigned threads) {
  auto deformer = deform::SceneDeformer::create(model, need(instances(model)), {});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  const std::size_t dimension = model.dimension;
  if (deformer->vertices() == 0)
    return diagonal(dimension, [&](const auto& add) {
      for (const Index joint : rig.joints)
        for (std::size_t i = 0; i < dimension; ++i) add(i, world[joint].translation(i));
    });
  std::vector<float> positions(deformer->vertices() * dimension);
  if (auto done = deformer->run(model.rest_pose, {{positions.data(), deformer->vertices(), dimension}, {}, {}}, threads); !done)
    return Unexpected(std::move(done.error()));
  return diagonal(dimension, [&](const auto& add) {
    for (std::size_t i = 0; i < positions.size(); ++i) add(i % dimension, static_cast<double>(positions[i]));
  });
}

/// Returns the angle between two frames, in degrees. Outside three dimensions: the largest angle between two axes.
double degrees_between(const Affine& a, const Affine& b) {
  const std::size_t n = a.dimension();
  double trace = 0, smallest = 1;
  for (std::size_t column = 0; column < n; ++column) {
    double dot = 0, aa = 0, bb = 0;
    for (std::size_t row = 0; row < n; ++row) {
      dot += a(row, column) * b(row, column);
      aa += a(row, column) * a(row, column);
      bb += b(row, column) * b(row, column);
    }
    const double cosine = aa > 0 && bb > 0 ? dot / std::sqrt(aa * bb) : 1;
    trace += cosine;
    smallest = std::min(smallest, cosine);
  }
  const double cosine = n == 3 ? (trace - 1) / 2 : smallest;
  return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
}

class Planner {
 public:
  Planner(const Model& body, const Model& clothes, const PlanOptions& options, FindingSink& notes)
      : body_(body), clothes_(clothes), options_(options), notes_(notes), changes_(clothes, notes) {}

  Result<MergePlan> run() {
    if (body_.dimension != clothes_.dimension)
      return refused(clothes_, {},
                     format_text("found {} dimensions, expected {}, the dimension of the body", clothes_.dimension, body_.dimension));
    auto rig = find_rig(body_, options_.skeleton);
    if (!rig) return Unexpected(std::move(rig.error()));
    rig_ = std::move(*rig);
    plan_.skeleton = rig_.skeleton;
    auto match = match_bones(body_, rig_, clothes_, options_);
    if (!match) return Unexpected(std::move(match.error()));
    match_ = std::move(*match);
    attached_ = options_.attach != none && std::ranges::find(match_.joint, true) == match_.joint.end();
    if (auto done = check_matches(body_, rig_, clothes_, match_, options_); !done) return Unexpected(std::move(done.error()));
    if (auto done = check_names(); !done) return Unexpected(std::move(done.error()));
    body_world_ = need(world_transforms(body_, body_.rest_pose));
    world_ = need(world_transforms(clothes_, clothes_.rest_pose));
    if (auto done = choose_clips(); !done) return Unexpected(std::move(done.error()));
    find_moving();
    place_nodes();
    if (auto done = compare_pivots(); !done) return Unexpected(std::move(done.error()));
    if (!options_.posed) note_rest_poses();
    if (auto done = move_nodes(); !done) return Unexpected(std::move(done.error()));
    if (auto done = check_clips(); !done) return Unexpected(std::move(done.error()));
    if (auto done = bind_skins(); !done) return Unexpected(std::move(done.error()));
    if (body_.binds_by_stored_pose())
      if (auto done = plan_groups(body_, clothes_, plan_); !done) return Unexpected(std::move(done.error()));
    plan_.nodes.prefix = options_.prefix;
    return std::move(plan_);
  }

 private:
  Result<> choose_clips() {
    if (options_.all_animations) {
      plan_.nodes.clips.resize(clothes_.clips.size());
      std::iota(plan_.nodes.clips.begin(), plan_.nodes.clips.end(), 0u);
      return {};
    }
    for (const std::string& wanted : options_.animations) {
      auto found = find_by_name(wanted, named_things(clothes_.clips), clothes_.clips.size(), "animation");
      if (!found) return Unexpected(std::move(found.error()));
      if (std::ranges::find(plan_.nodes.clips, *found) == plan_.nodes.clips.end()) plan_.nodes.clips.push_back(*found);
    }
    std::ranges::sort(plan_.nodes.clips);
    note_left_out_clips();
    return {};
  }

  void note_left_out_clips() {
    constexpr std::size_t named = 3;
    std::vector<std::string> left_out;
    const Clip* first = nullptr;
    for (Index i = 0; i < clothes_.clips.size(); ++i) {
      if (std::ranges::binary_search(plan_.nodes.clips, i)) continue;
      const Clip& clip = clothes_.clips[i];
      if (first == nullptr) first = &clip;
      left_out.push_back(clip.name.empty() ? format_text("{}", i) : format_text("\"{}\"", clip.name));
    }
    if (first == nullptr) return;
    const std::size_t count = left_out.size();
    std::string_view advice;
    if (options_.fitted)
      advice = count == 1 ? "; sinew retarget puts it on the body" : "; sinew retarget puts them on the body";
    else if (!body_.binds_by_stored_pose())  // see merge
      advice = count == 1 ? "; --animation all keeps it" : "; --animation all keeps them";
    if (count == 1) return changes_.lost(*first, format_text("the animation {} is left out{}", left_out.front(), advice));
    std::string more;
    if (count > named) more = format_text(" and {} more", count - named);
    left_out.resize(std::min(count, named));
    changes_.lost(*first, format_text("{} animations are left out ({}{}){}", count, join_text(left_out, ", "), more, advice));
  }

  /// Finds nodes that only hold the topmost joints of the clothes. The body has its own node for those.
  [[nodiscard]] std::vector<bool> find_holders() const {
    std::vector<bool> holder(clothes_.nodes.size());
    for (Index node = 0; node < clothes_.nodes.size(); ++node) {
      if (!match_.joint[node]) continue;
      Index up = clothes_.nodes[node].parent;
      while (up != none && !match_.joint[up]) up = clothes_.nodes[up].parent;
      if (up != none) continue;
      for (up = clothes_.nodes[node].parent; up != none; up = clothes_.nodes[up].parent)
        holder[up] = match_.twin[up] == none && clothes_.nodes[up].mesh == none;
    }
    return holder;
  }

  /// Returns the parent for bones of the clothes without an ancestor in the body. Strict skeletons of glTF have one root.
  [[nodiscard]] Index attachment() const {
    const bool one_root = rig_.skeleton != none && body_.skeletons[rig_.skeleton].node == none;
    if ((one_root || rig_.container == none) && !rig_.tops.empty()) return rig_.tops.front();
    return rig_.container;
  }

  void place_nodes() {
    Concatenation& nodes = plan_.nodes;
    const std::size_t count = clothes_.nodes.size();
    const std::vector<bool> holder = find_holders();
    nodes.place.assign(count, none);
    nodes.meaning = match_.twin;
    nodes.parent.assign(count, none);
    nodes.names.resize(count);
    auto next = static_cast<Index>(body_.nodes.size());
    for (Index node = 0; node < count; ++node) {
      if (std::ranges::binary_search(options_.left_out, node)) {
        nodes.meaning[node] = none;
        continue;
      }
      if (holder[node]) {
        nodes.meaning[node] = attachment();
        continue;
      }
      if (match_.twin[node] != none && clothes_.nodes[node].mesh == none) continue;
      nodes.place[node] = next++;
      if (match_.twin[node] == none) nodes.meaning[node] = nodes.place[node];
      if (match_.names[node] != clothes_.nodes[node].name) nodes.names[node] = match_.names[node];
    }
    for (Index node = 0; node < count; ++node)
      if (nodes.place[node] != none) nodes.parent[node] = parent_of(node, holder);
    for (const Index node : need(reached_nodes(clothes_)))
      if (nodes.place[node] != none && nodes.parent[node] == none) nodes.roots.push_back(nodes.place[node]);
    for (Index node = 0; node < count; ++node)
      if (match_.joint[node])
        plan_.bones.push_back({node, match_.twin[node], match_.twin[node] == none ? nodes.parent[node] : none,
                               match_.twin[node] == none ? 0 : distance(world_[node], body_world_[match_.twin[node]]), moving_[node]});
  }

  /// Finds the bones of the clothes that move something: a vertex by its weight, a mesh below them, or what a kept clip moves.
  void find_moving() {
    moving_ = carrying_joints(clothes_, match_.joint);
    carrying_ = moving_;
    for (const Index node : options_.moved) moving_[node] = true;
    for (const Index clip : plan_.nodes.clips)
      for (const Track& track : clothes_.clips[clip].tracks)
        if (track.node < moving_.size() && track.path != TrackPath::amounts) moving_[track.node] = true;
    leads_ = moving_;
    std::vector<Index> children_first = parents_first(clothes_.nodes);
    std::ranges::reverse(children_first);
    for (const Index node : children_first)
      if (const Index parent = clothes_.nodes[node].parent; parent != none && match_.twin[node] == none && leads_[node])
        leads_[parent] = true;
  }

  [[nodiscard]] Index parent_of(Index node, const std::vector<bool>& holder) {
    const Concatenation& nodes = plan_.nodes;
    if (match_.twin[node] != none) return match_.twin[node];
    Index up = clothes_.nodes[node].parent;
    const bool held = up != none && holder[up];
    while (up != none && holder[up]) up = clothes_.nodes[up].parent;
    if (leads_[node] && match_.joint[node] && !(up != none && match_.joint[up]))
      changes_.changed(clothes_.nodes[node],
                       format_text("no bone above \"{}\" matches a bone of the body; its new parent is {}", match_.names[node],
                                   attachment() == none ? "the scene" : format_text("\"{}\"", body_.nodes[attachment()].name)));
    if (up != none) return nodes.meaning[up];
    if (attached_) return options_.attach;
    if (clothes_.nodes[node].skin != none) return beside_the_body();
    return match_.joint[node] || held ? attachment() : body_.has_root_node() ? 0 : none;
  }

  /// Returns the node that holds the body's skinned meshes.
  [[nodiscard]] Index beside_the_body() const {
    for (const Instance& instance : need(instances(body_))) {
      if (instance.skin == none) continue;
      const std::vector<Index>& slots = body_.skins[instance.skin].slots;
      const bool ours = std::ranges::any_of(slots, [&](Index joint) { return std::ranges::binary_search(rig_.joints, joint); });
      if (ours) return body_.nodes[instance.node].parent;
    }
    return attachment();
  }

  Result<> compare_pivots() {
    const auto size = rest_diagonal(body_, rig_, body_world_, options_.threads);
    if (!size) return Unexpected(size.error());
    size_ = *size;
    plan_.tolerance = options_.tolerance * size_;
    const std::optional<double> scale = bone_scale();
    const PlannedBone* worst = nullptr;
    const PlannedBone* idle = nullptr;  // it moves no vertex, so its pivot does not matter
    std::size_t count = 0, idle_count = 0;
    for (const PlannedBone& bone : plan_.bones) {
      if (bone.body == none || bone.distance <= plan_.tolerance) continue;
      if (!carrying_[bone.clothes]) {
        ++idle_count;
        if (idle == nullptr || bone.distance > idle->distance) idle = &bone;
        continue;
      }
      ++count;
      if (worst == nullptr || bone.distance > worst->distance) worst = &bone;
    }
    if (worst == nullptr && idle != nullptr)
      notes_.add(finding("SINEW_MERGE_PIVOTS"_code, "", idle_count, clothes_.nodes[idle->clothes].name, idle->distance));
    if (worst == nullptr) return compare_sizes(scale);
    return Unexpected(error("SINEW_MERGE_DOES_NOT_FIT"_code, Failure::input, place_of(clothes_, clothes_.nodes[worst->clothes]),
                            clothes_.nodes[worst->clothes].name, worst->distance, body_.nodes[worst->body].name, plan_.tolerance,
                            100 * options_.tolerance, count > 1 ? format_text("; {} joints are too far away", count) : std::string(),
                            pivot_advice(scale, *worst, count)));
  }

  [[nodiscard]] std::string pivot_advice(std::optional<double> scale, const PlannedBone& worst, std::size_t count) const {
    if (by_auto_ > matched_joints(match_))
      return format_text("--names auto matches {} bones; use it, and --fit auto if the rest poses or sizes differ", by_auto_);
    if (scale && differs(*scale))
      return format_text(
          "the matched bones of the clothes lie {:.3g} times as far apart as those of the body: use --fit auto, or scale one of the files "
          "first",
          *scale);
    if (const auto move = common_move())
      return format_text("all matched bones of the clothes lie ({}) away from those of the body: move one of the files first",
                         join_text(*move, ", ", "{:.6g}"));
    const auto fit = body_.binds_by_stored_pose() ? Result<FitMeasures>(Unexpected(Error())) : measure_fit(body_, clothes_, match_);
    if (fit && count > 1 && !fit->text().empty())
      return format_text("the rest poses differ: --fit auto would {} (docs/merge.md, \"Pivots that do not agree\")", fit->text());
    if (count > 1)
      return "the rest poses differ: give the clothes the rest pose of the body first (docs/merge.md, \"Pivots that do not agree\")";
    return format_text("--keep-separate \"{}\" keeps it as a bone of its own", clothes_.nodes[worst.clothes].name);
  }

  /// Returns the offset between the body's bones and those of the clothes, if it is the same for several bones and no others matched.
  [[nodiscard]] std::optional<std::vector<double>> common_move() const {
    std::optional<std::vector<double>> move;
    std::size_t bones = 0;
    for (const PlannedBone& bone : plan_.bones) {
      if (bone.body == none) continue;
      std::vector<double> way(body_.dimension);
      for (std::size_t i = 0; i < way.size(); ++i) way[i] = world_[bone.clothes].translation(i) - body_world_[bone.body].translation(i);
      if (!move) move = way;
      for (std::size_t i = 0; i < way.size(); ++i)
        if (std::abs(way[i] - (*move)[i]) > plan_.tolerance) return std::nullopt;
      ++bones;
    }
    return bones > 1 ? move : std::nullopt;
  }

  /// Reports the bones that are turned differently at rest, each against the bone above it that both files have.
  void note_rest_poses() {
    constexpr double least = 0.1;  // degrees: more than rounding
    std::vector<std::string> turned;
    for (const PlannedBone& bone : plan_.bones) {
      if (bone.body == none) continue;
      const Index up = matched_at_or_above(clothes_, match_.twin, clothes_.nodes[bone.clothes].parent);
      const Affine whole(body_.dimension);
      const auto theirs = inverse(up == none ? whole : world_[up]);
      const auto ours = inverse(up == none ? whole : body_world_[match_.twin[up]]);
      if (!theirs || !ours) continue;
      const double angle = degrees_between(*theirs * world_[bone.clothes], *ours * body_world_[bone.body]);
      if (angle >= least) turned.push_back(format_text("\"{}\" by {:.1f}°", body_.nodes[bone.body].name, angle));
    }
    if (!turned.empty()) notes_.add(finding("SINEW_MERGE_REST_POSE"_code, "", join_text(turned, ", ")));
  }

  [[nodiscard]] static bool differs(double scale) { return scale > most_scale || scale * most_scale < 1; }

  /// Returns the ratio of the distances between the matched bones in the clothes and in the body; nothing for fewer than two positions.
  [[nodiscard]] std::optional<double> bone_scale() const {
    std::vector<const Affine*> ours, theirs;
    for (const PlannedBone& bone : plan_.bones) {
      if (bone.body == none) continue;
      ours.push_back(&body_world_[bone.body]);
      theirs.push_back(&world_[bone.clothes]);
    }
    const auto spread = [this](const std::vector<const Affine*>& places) {
      return diagonal(body_.dimension, [&](const auto& add) {
        for (const Affine* place : places)
          for (std::size_t i = 0; i < body_.dimension; ++i) add(i, place->translation(i));
      });
    };
    const double body = spread(ours), clothes = spread(theirs);
    if (body <= same_map * size_ || clothes <= 0) return std::nullopt;
    return clothes / body;
  }

  /// Warns about different units. Small clothes are common, so bounds are only evidence if they are large.
  Result<> compare_sizes(std::optional<double> bones) {
    if (bones && differs(*bones)) note("SINEW_MERGE_SCALE"_code, "the distance between bones", *bones);
    if (bones || size_ <= 0 || plan_.bones.empty()) return {};
    const auto size = rest_diagonal(clothes_, {}, world_, options_.threads);
    if (!size) return Unexpected(size.error());
    const double scale = *size / size_;
    if (scale > most_scale || (scale > 0 && scale * smallest_piece < 1)) note("SINEW_MERGE_SCALE"_code, "the size", scale);
    return {};
  }

  /// Returns the world transforms of the clothes with everything that a clip sets as the body has it: what no channel sets remains.
  [[nodiscard]] std::vector<Affine> world_without_clip(const Clip& clip) const {
    Pose pose = clothes_.rest_pose;
    for (const Track& track : clip.tracks) {
      if (track.path == TrackPath::amounts || track.node >= clothes_.nodes.size()) continue;
      const Index place = plan_.nodes.meaning[track.node];
      if (place == none || place >= body_.nodes.size()) continue;
      LocalTransform& local = pose.locals[track.node];
      const LocalTransform& ours = body_.rest_pose.locals[place];
      if (!local.basis.empty() || !ours.basis.empty()) continue;
      if (track.path == TrackPath::translation) local.translation = ours.translation;
      if (track.path == TrackPath::rotation) local.rotor = ours.rotor;
      if (track.path == TrackPath::scale) local.scale = ours.scale;
    }
    return need(world_transforms(clothes_, pose));
  }

  /// Refuses clips whose keys mean something else in the axes of the body's joints.
  [[nodiscard]] Result<> check_clips() const {
    for (const Index clip : plan_.nodes.clips) {
      const std::vector<Affine> world = world_without_clip(clothes_.clips[clip]);
      for (const Track& track : clothes_.clips[clip].tracks) {
        if (track.path == TrackPath::amounts || track.node >= clothes_.nodes.size()) continue;
        const Index place = plan_.nodes.meaning[track.node], parent = clothes_.nodes[track.node].parent;
        if (place == none) continue;
        const Index above = place < body_.nodes.size() ? body_.nodes[place].parent : plan_.nodes.parent[track.node];
        const Affine whole(body_.dimension);
        const Affine &was = parent == none ? whole : world[parent], &is = above == none ? whole : new_world_[above];
        const bool in_place = track.path != TrackPath::translation || distance(was, is) <= plan_.tolerance;
        if (in_place && same(was, is, true) && same(world[track.node], new_world_[place], true)) continue;
        return refused(
            clothes_, clothes_.clips[clip],
            format_text("the animation \"{}\" moves \"{}\", whose parent, axes or scale differ from those of the body, so the body would "
                        "move in another way; merge without --animation, and use sinew retarget for the animation",
                        clothes_.clips[clip].name, clothes_.nodes[track.node].name));
      }
    }
    return {};
  }

  /// `linear_only`: ignores the positions.
  [[nodiscard]] bool same(const Affine& a, const Affine& b, bool linear_only = false) const {
    const std::size_t linear = a.dimension() * a.dimension();
    for (std::size_t i = 0; i < (linear_only ? linear : a.values().size()); ++i) {
      const double x = a.values()[i], y = b.values()[i];
      const double size = std::max({std::abs(x), std::abs(y), i < linear ? 1.0 : size_});
      if (std::abs(x - y) > same_map * size) return false;
    }
    return true;
  }

  /// Keeps the world transforms of the nodes that remain.
  Result<> move_nodes() {
    const Concatenation& nodes = plan_.nodes;
    plan_.locals.resize(clothes_.nodes.size());
    new_world_ = body_world_;
    new_world_.resize(body_.nodes.size() + nodes.added(), Affine(body_.dimension));
    for (const Index node : parents_first(clothes_.nodes)) {
      if (nodes.place[node] == none) continue;
      if (auto done = move_node(node); !done) return done;
    }
    return {};
  }

  Result<> move_node(Index node) {
    const Index parent = plan_.nodes.parent[node];
    const Affine above = parent == none ? Affine(body_.dimension) : new_world_[parent];
    const Affine old_local = affine_of(body_.dimension, clothes_.rest_pose.locals[node]);
    Affine& world = new_world_[plan_.nodes.place[node]];
    world = above * old_local;
    if (attached_) {
      if (clothes_.nodes[node].parent == none) plan_.locals[node] = with_own_size(above, clothes_.rest_pose.locals[node]);
      if (plan_.locals[node]) world = above * affine_of(body_.dimension, *plan_.locals[node]);
      return {};
    }
    const bool unmoved = match_.twin[node] == none && same(world, world_[node]);
    // In glTF a skinned mesh does not follow its node.
    if (unmoved || (!body_.binds_by_stored_pose() && clothes_.nodes[node].skin != none && clothes_.nodes[node].children.empty())) return {};
    const auto back = inverse(above);
    if (!back)
      return refused(clothes_, clothes_.nodes[node],
                     format_text("\"{}\" is below \"{}\" of the body, whose transform has no inverse", match_.names[node],
                                 parent < body_.nodes.size() ? body_.nodes[parent].name : std::string()));
    LocalTransform local = local_of(*back * world_[node]);
    if (!local.basis.empty() && !body_.stores_shear()) {
      if (match_.joint[node] && match_.twin[node] == none) {  // keeps its own axes at the right place: its skins compensate
        const LocalTransform& own = clothes_.rest_pose.locals[node];
        local.rotor = own.rotor;
        local.scale = own.scale;
        local.basis = own.basis;
        world = above * affine_of(body_.dimension, local);
        plan_.locals[node] = std::move(local);
        return {};
      }
      if (largest_skew(local.basis) > 0.1)
        return refused(clothes_, clothes_.nodes[node],
                       format_text("\"{}\" would be sheared below \"{}\" of the body, and glTF cannot store shear", match_.names[node],
                                   parent < body_.nodes.size() ? body_.nodes[parent].name : std::string()));
    }
    plan_.locals[node] = std::move(local);
    world = world_[node];
    return {};
  }

  /// Returns the transform of the merged node that replaces a joint of the clothes.
  [[nodiscard]] const Affine& moved(Index joint) const { return new_world_[plan_.nodes.meaning[joint]]; }

  Result<> bind_skins() {
    plan_.joint_from_mesh.resize(clothes_.skins.size());
    if (body_.binds_by_stored_pose()) return {};  // the stored pose is the bind pose, even if an extension gives another one
    for (Index s = 0; s < clothes_.skins.size(); ++s) {
      const Skin& skin = clothes_.skins[s];
      if (skin.defect != none || skin.bind == Skin::Bind::skeleton_pose) continue;
      const bool as_before = skin.bind != Skin::Bind::stored_pose &&
                             std::ranges::all_of(skin.slots, [&](Index joint) { return same(moved(joint), world_[joint]); });
      if (as_before) continue;
      for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
        const Index joint = skin.slots[slot];
        const auto back = inverse(moved(joint));
        if (!back)
          return refused(clothes_, clothes_.nodes[joint],
                         format_text("the transform of the joint \"{}\" of the body has no inverse", match_.names[joint]));
        plan_.joint_from_mesh[s].push_back(*back * world_from_mesh(skin, slot));
      }
    }
    return {};
  }

  /// Returns the transform of the mesh by one slot at rest.
  [[nodiscard]] Affine world_from_mesh(const Skin& skin, std::size_t slot) const {
    const Affine& joint = world_[skin.slots[slot]];
    switch (skin.bind) {
      case Skin::Bind::matrices:
        return joint * skin.joint_from_mesh[slot];
      case Skin::Bind::stored_pose:
        return skin.frame == none ? Affine(clothes_.dimension) : world_[skin.frame];
      case Skin::Bind::identity:
      case Skin::Bind::skeleton_pose:
        break;
    }
    return joint;
  }

  /// Fails if a profile of names would match most bones that now match none: the clothes would hang on one bone and not move with the body.
  Result<> check_names() {
    constexpr std::size_t many = 8, times = 4;
    const auto all = static_cast<std::size_t>(std::ranges::count(match_.joint, true));
    const std::size_t here = matched_joints(match_);
    if (!options_.names.empty() || here == all) return {};
    by_auto_ = matched_by_auto(body_, rig_, clothes_, options_);
    if (by_auto_ >= many && by_auto_ >= times * here && options_.keep_separate.empty())
      return Unexpected(error("SINEW_MERGE_FEW_BONES"_code, Failure::input, place_of(clothes_), here, all, by_auto_));
    if (by_auto_ > here) notes_.add(finding("SINEW_MERGE_NAMES"_code, "", here, all, by_auto_));
    return {};
  }

  void note(CodeFor<std::string_view, double> code, std::string_view what, double scale) { notes_.add(finding(code, "", what, scale)); }

  const Model& body_;
  const Model& clothes_;
  const PlanOptions& options_;
  FindingSink& notes_;
  EditReporter changes_;
  Rig rig_;
  bool attached_ = false;                ///< the clothes have no bones, and a bone of the body carries them
  std::size_t by_auto_ = 0;              ///< bones that --names auto would match; 0: these options use it, or all match
  std::vector<bool> moving_, carrying_;  ///< by node of the clothes, find_moving: the latter without what only clips move
  std::vector<bool> leads_;              ///< it moves something, or a bone that is added below it does
  Match match_;
  MergePlan plan_;
  std::vector<Affine> body_world_, world_, new_world_;
  double size_ = 0;
};

/// Adds new bones and the nodes between them to the joints of a strict glTF skeleton, and sets its root in the skins.
void grow_strict(const MergePlan& plan, std::size_t first_skin, Model& merged) {
  Skeleton& skeleton = merged.skeletons[plan.skeleton];
  for (std::size_t s = first_skin; s < merged.skins.size(); ++s) merged.skins[s].root_hint = skeleton.root;
  const std::vector<Affine> world = need(world_transforms(merged, merged.rest_pose));
  const Index frame = merged.nodes[skeleton.root].parent;
  const std::optional<Affine> back = inverse(frame == none ? Affine(merged.dimension) : world[frame]);
  for (const PlannedBone& bone : plan.bones) {
    if (bone.body != none) continue;
    for (Index node = plan.nodes.place[bone.clothes]; node != none; node = merged.nodes[node].parent) {
      if (std::ranges::find(skeleton.joints, node) != skeleton.joints.end()) break;
      skeleton.joints.push_back(node);
      if (skeleton.joint_from_mesh.empty()) continue;
      const auto bind = back ? inverse(*back * world[node]) : std::nullopt;
      skeleton.joint_from_mesh.push_back(bind.value_or(Affine(merged.dimension)));
    }
  }
}

}  // namespace

Result<MergePlan> plan_merge(const Model& body, const Model& clothes, const PlanOptions& options, FindingSink& notes) SINEW_TRY {
  return Planner(body, clothes, options, notes).run();
}
SINEW_CATCH(place_of(clothes))

Model apply_merge(const Model& body, const Model& clothes, const MergePlan& plan, const Model& whole) {
  Model merged = whole;
  for (Index node = 0; node < clothes.nodes.size(); ++node)
    if (plan.locals[node]) merged.rest_pose.locals[plan.nodes.place[node]] = *plan.locals[node];
  for (std::size_t s = 0; s < plan.joint_from_mesh.size(); ++s) {
    if (plan.joint_from_mesh[s].empty()) continue;
    Skin& skin = merged.skins[body.skins.size() + s];
    skin.bind = Skin::Bind::matrices;
    skin.joint_from_mesh = plan.joint_from_mesh[s];
    skin.frame = none;
  }
  if (body.binds_by_stored_pose())
    apply_groups(body, clothes, plan, merged);
  else if (plan.skeleton != none)
    grow_strict(plan, body.skins.size(), merged);
  return merged;
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/catalogue_model.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "deform/bind.hpp"
#include "deform/blend.hpp"
#include "deform/packed.hpp"
#include "model/deformable.hpp"
#include "model/place.hpp"
#include "validate/model_rules.hpp"

#include "sinew/animate.hpp"
#include "sinew/deform.hpp"

namespace sinew::validate {

namespace {

/// Finds how far vertices lie outside of stored boxes, in the stored pose and at the keys of the clips. In the space of a joint, what
/// follows it does not move: SINEW_bounds defines the box of a joint with the stored amounts of blend shapes.
class BoxCheck {
 public:
  BoxCheck(const Model& model, deform::SceneDeformer scene)
      : model_(model), scene_(std::move(scene)), worst_(model.boxes.size()), rows_(scene_.vertices() * model.dimension) {}

  void run(FindingSink& sink) {
    look(none, 0, model_.rest_pose);
    look_at_joints();
    std::uint64_t steps = 0;
    const std::uint64_t most = model_.source ? model_.source->most_work() / 4 : 0;
    for (Index clip = 0; clip < model_.clips.size(); ++clip) {
      if (model_.clips[clip].defect != none || !is_asked(clip)) continue;
      for (const double time : key_times(model_.clips[clip])) {
        steps += rows_.size() + model_.nodes.size();
        if (steps > most) break;
        Pose pose = model_.rest_pose;
        need(animate::sample(model_, model_.clips[clip], time, pose));
        look(clip, time, pose);
      }
    }
    for (std::size_t i = 0; i < worst_.size(); ++i)
      if (worst_[i])
        sink.add(finding("SINEW_BOUNDS_TOO_SMALL"_code, place_in(model_, model_.boxes[i].source), worst_[i]->vertex, worst_[i]->outside,
                         moment_of(*worst_[i])));
  }

 private:
  struct Worst {
    double outside = 0;
    std::size_t vertex = 0;
    Index clip = none;
    double seconds = 0;
    Index mesh_node = none;  ///< of the box of a joint
  };

  static std::string moment_of(const Worst& worst) {
    if (worst.mesh_node != none) return format_text("in the mesh of node {}, in the space of the joint", worst.mesh_node);
    return worst.clip == none ? std::string("at rest") : format_text("at {:.6g} s of animation {}", worst.seconds, worst.clip);
  }

  [[nodiscard]] bool is_asked(Index clip) const {
    return std::ranges::any_of(model_.boxes, [&](const StoredBox& box) { return covers(box, clip); });
  }
  static bool covers(const StoredBox& box, Index clip) {
    if (box.joint != none) return false;
    return clip == none ? box.clip == none : !box.at_rest && (box.clip == none || box.clip == clip);
  }

  static std::set<double> key_times(const Clip& clip) {
    std::set<double> times;
    for (const Track& track : clip.tracks) {
      const std::vector<double> keys = track.times.read<double>();
      times.insert(keys.begin(), keys.end());
    }
    return times;
  }

  void look(Index clip, double seconds, const Pose& pose) {
    if (!scene_.run(pose, {{rows_.data(), scene_.vertices(), model_.dimension}, {}, {}}, 0)) return;
    const std::vector<bool> visible = need(animate::visible_nodes(model_, clip == none ? nullptr : &model_.clips[clip], seconds));
    std::vector<Affine> world;
    for (std::size_t i = 0; i < model_.boxes.size(); ++i) {
      const StoredBox& box = model_.boxes[i];
      if (!covers(box, clip)) continue;
      std::optional<Affine> box_from_world;
      if (box.node_from_box) {
        if (world.empty()) world = need(world_transforms(model_, pose));
        box_from_world = inverse(world[box.node] * *box.node_from_box);
        if (!box_from_world) continue;
      }
      for (std::size_t instance = 0; instance < scene_.instances().size(); ++instance) {
        const Index node = scene_.instances()[instance].node;
        if (box.node == none ? visible[node] : box.node == node) measure(i, instance, box_from_world, {0, 0, clip, seconds});
      }
    }
  }

  void look_at_joints() {
    if (std::ranges::all_of(model_.boxes, [](const StoredBox& box) { return box.joint == none; })) return;
    const std::vector<Affine> world = need(world_transforms(model_, model_.rest_pose));
    for (std::size_t instance = 0; instance < scene_.instances().size(); ++instance) {
      const auto& [node, mesh, skin, visible, copy] = scene_.instances()[instance];
      if (skin == none || copy != 0) continue;
      std::vector<JointBox> boxes(model_.skins[skin].slots.size());
      for (std::size_t slot = 0; slot < boxes.size(); ++slot) {
        const auto found = std::ranges::find(model_.boxes, model_.skins[skin].slots[slot], &StoredBox::joint);
        if (model_.skins[skin].slots[slot] == none || found == model_.boxes.end()) continue;
        boxes[slot] = {static_cast<std::size_t>(found - model_.boxes.begin()),
                       deform::joint_from_mesh(model_, model_.skins[skin], slot, node, world)};
      }
      for (const deform::PackedBlock& block : scene_.prepared(instance).packed().blocks)
        if (block.skinned) look_at_joints(block, boxes, node);
    }
  }

  /// What a slot needs to be checked: without a map there is no box, or no bind pose.
  struct JointBox {
    std::size_t number = 0;
    std::optional<Affine> joint_from_mesh{};
  };

  void look_at_joints(const deform::PackedBlock& block, const std::vector<JointBox>& boxes, Index node) {
    const std::size_t n = model_.dimension;
    std::vector<double> row(n), inside(n);
    for (std::size_t vertex = 0; vertex < block.vertices; ++vertex) {
      const double* const position = deform::blended(block.positions, model_.rest_pose.amounts[node], vertex, 1, row.data());
      for (std::uint32_t i = block.row_first[vertex]; i < block.row_first[vertex + 1]; ++i) {
        if (block.weight[i] == 0 || block.slot[i] >= boxes.size() || !boxes[block.slot[i]].joint_from_mesh) continue;
        const JointBox& box = boxes[block.slot[i]];
        box.joint_from_mesh->apply(std::span(position, n), inside);
        keep_worst(box.number, inside, true, {0, block.first + vertex, none, 0, node});
      }
    }
  }

  void measure(std::size_t number, std::size_t instance, const std::optional<Affine>& box_from_world, Worst now) {
    const std::size_t n = model_.dimension;
    std::vector<double> point(n), inside(n);
    for (std::size_t vertex = scene_.first(instance); vertex < scene_.first(instance + 1); ++vertex) {
      for (std::size_t axis = 0; axis < n; ++axis) point[axis] = static_cast<double>(rows_[vertex * n + axis]);
      if (box_from_world) {
        box_from_world->apply(point, inside);
        point = inside;
      }
      now.vertex = vertex - scene_.first(instance);
      keep_worst(number, point, box_from_world.has_value(), now);
    }
  }

  /// `rounded`: the point comes from products that round.
  void keep_worst(std::size_t number, std::span<const double> point, bool rounded, Worst now) {
    const StoredBox& box = model_.boxes[number];
    double size = 0;
    for (std::size_t axis = 0; axis < point.size(); ++axis) size = std::max({size, std::abs(box.min[axis]), std::abs(box.max[axis])});
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
      now.outside = std::max(box.min[axis] - point[axis], point[axis] - box.max[axis]);
      if (now.outside <= (rounded ? 1e-5 * size : 0) || (worst_[number] && worst_[number]->outside >= now.outside)) continue;
      worst_[number] = now;
    }
  }

  const Model& model_;
  deform::SceneDeformer scene_;
  std::vector<std::optional<Worst>> worst_;
  std::vector<float> rows_;
};

}  // namespace

void check_boxes(const Model& model, FindingSink& sink) {
  if (model.boxes.empty() || !is_deformable(model)) return;
  auto scene = deform::SceneDeformer::create(model, need(instances(model)), {});
  if (scene) BoxCheck(model, std::move(*scene)).run(sink);
}

}  // namespace sinew::validate

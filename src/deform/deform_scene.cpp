// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "animate/clip_plan.hpp"
#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "deform/bind.hpp"
#include "deform/each_pose.hpp"
#include "deform/packed.hpp"
#include "deform/rig.hpp"
#include "model/check_pose.hpp"
#include "model/place.hpp"

#include "sinew/animate.hpp"
#include "sinew/deform.hpp"

namespace sinew::deform {

namespace {

bool all_finite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

std::optional<std::size_t> first_not_finite(const kernels::SimdKernel* simd, const strided_view<float>& rows) {
  if (simd != nullptr && rows.packed() && simd->all_finite(rows.data(), rows.size() * rows.width())) return std::nullopt;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (!all_finite({rows[row], rows.width()})) return row;
  return std::nullopt;
}

/// Vertices whose results are checked before those of the next ones, while they are in the cache.
constexpr std::size_t checked = 8 * grain;

/// Deforms all vertices of an instance. Returns the first one whose position is not finite.
std::optional<std::size_t> run_checked(const Prepared& prepared, const Palette& palette, std::span<const double> amounts,
                                       const Output& output, unsigned threads) {
  std::atomic<std::size_t> bad = prepared.vertices();
  const auto piece = [&](std::size_t first, std::size_t last) {
    for (std::size_t size; first < last; first += size) {
      size = std::min(checked, last - first);
      const Output own = rows_of(output, first, size);
      run(prepared, palette, amounts, {first, first + size}, own);
      const auto row = first_not_finite(prepared.packed().simd, own.positions);
      if (!row) continue;
      for (std::size_t known = bad; first + *row < known && !bad.compare_exchange_weak(known, first + *row);) {
      }
      return;
    }
  };
  parallel_for(prepared.vertices(), grain, threads_for(prepared.packed().work, threads), std::cref(piece));  // a copy would be allocated
  return bad == prepared.vertices() ? std::nullopt : std::optional<std::size_t>(bad);
}

/// Returns the slot of a stage's joint; nothing if the skin does not have the joint.
std::optional<std::size_t> slot_of(const Skin& skin, const StageOfJoint& stage) {
  if (stage.node == none) return stage.slot < skin.slots.size() ? std::optional<std::size_t>(stage.slot) : std::nullopt;
  const auto found = std::find(skin.slots.begin(), skin.slots.end(), stage.node);
  if (found == skin.slots.end()) return std::nullopt;
  return static_cast<std::size_t>(found - skin.slots.begin());
}

}  // namespace

Result<SceneDeformer> SceneDeformer::create(const Model& model, std::vector<Instance> list, const PrepareOptions& channels) SINEW_TRY {
  if (auto fits = check_pose(model, model.rest_pose); !fits) return Unexpected(std::move(fits.error()));
  SceneDeformer out(model);
  out.instances_ = std::move(list);
  std::map<std::tuple<Index, bool, std::size_t>, Prepared> made;
  for (const Instance& instance : out.instances_) {
    PrepareOptions options = channels;
    options.skinned = instance.skin != none;
    options.slots = options.skinned ? model.skins[instance.skin].slots.size() : 0;
    const std::tuple key{instance.mesh, options.skinned, options.slots};
    auto found = made.find(key);
    if (found == made.end()) {
      auto prepared = prepare(model.meshes[instance.mesh], model.dimension, options);
      if (!prepared) {
        Error failure = std::move(prepared).error();
        if (failure.place.file.empty()) failure.place = place_of(model, model.meshes[instance.mesh]);
        return Unexpected(std::move(failure));
      }
      found = made.emplace(key, *std::move(prepared)).first;
    }
    out.prepared_.push_back(found->second);
    out.first_.push_back(out.first_.back() + found->second.vertices());
    out.first_corner_.push_back(out.first_corner_.back() + found->second.corners());
    out.first_topology_corner_.push_back(out.first_topology_corner_.back() + found->second.topology_corners());
  }
  out.rig_ = std::make_shared<const Rig>(model, out.instances_, out.prepared_.empty() ? nullptr : out.prepared_[0].packed().simd);
  out.scratch_ = out.scratch();
  return out;
}
SINEW_CATCH()

SceneDeformer::Scratch SceneDeformer::scratch() const { return {rig_->table(), rig_->table(), {}}; }

void SceneDeformer::pose(const Pose& pose, Scratch& scratch) const {
  if (model_->avatar.constraints.empty()) {
    rig_->locals(pose, scratch.locals);
  } else {
    Pose constrained = pose;
    need(constrain(*model_, constrained));
    rig_->locals(constrained, scratch.locals);
  }
  rig_->world(scratch.locals, scratch.world);
}

Result<> SceneDeformer::make_palette(std::size_t instance, Scratch& scratch) const {
  Palette& palette = scratch.palette;
  if (auto made = rig_->palette(instance, scratch.locals, scratch.world, palette); !made || stages_.empty()) return made;
  if (instances_[instance].skin == none) return {};
  const Skin& skin = model_->skins[instances_[instance].skin];
  const auto slot = slot_of(skin, stages_.front());
  if (!slot || skin.slots[*slot] == none) return {};
  const std::size_t maps = palette.size();
  const Affine map =
      stages_.front().stage == Stage::joint
          ? palette[*slot]
          : joint_from_mesh(*model_, skin, *slot, instances_[instance].node, rig_->rest_world()).value_or(Affine(model_->dimension));
  palette.clear();
  for (std::size_t i = 0; i < maps; ++i) need(palette.push_back(map));
  return {};
}

Result<> SceneDeformer::run(const Pose& pose, const Output& rows, unsigned threads) SINEW_TRY {
  if (auto fits = check_pose(*model_, pose); !fits) return fits;
  this->pose(pose, scratch_);
  return run_posed(pose, rows, threads, scratch_);
}
SINEW_CATCH()

Result<> SceneDeformer::run_posed(const Pose& amounts, const Output& rows, unsigned threads, Scratch& scratch) const {
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    if (auto made = make_palette(i, scratch); !made) return made;
    const std::size_t count = prepared_[i].vertices();
    const Output own = rows_of(rows, first_[i], count);
    const Index node = instances_[i].node;
    if (too_inexact(prepared_[i].packed(), scratch.palette)) {
      const Mesh& mesh = model_->meshes[instances_[i].mesh];
      const Prepared::Packed::Heaviest& worst = prepared_[i].packed().heaviest;
      return Unexpected(error("SINEW_WEIGHTS_CANCEL"_code, Failure::input, place_of(*model_, mesh), worst.vertex, worst.block, mesh.name,
                              worst.sum, worst.size));
    }
    if (const auto row = run_checked(prepared_[i], scratch.palette, amounts.amounts[node], own, threads)) {
      const std::size_t vertex = prepared_[i].order().empty() ? *row : prepared_[i].order()[*row];
      return Unexpected(error("SINEW_RESULT_NOT_FINITE"_code, Failure::input, place_of(*model_, model_->nodes[node]), vertex, node));
    }
  }
  return {};
}

Result<> SceneDeformer::run_poses(std::span<const Pose> poses, const Output& rows, unsigned threads) const SINEW_TRY {
  for (const Pose& pose : poses)
    if (auto fits = check_pose(*model_, pose); !fits) return fits;
  return each_pose(
      poses.size(), vertices(), threads, [&] { return scratch(); },
      [&](std::size_t i, Scratch& own, unsigned count) {
        pose(poses[i], own);
        return run_posed(poses[i], rows_of(rows, i * vertices(), vertices()), count, own);
      });
}
SINEW_CATCH()

Result<> SceneDeformer::run_clip(Index clip, std::span<const double> seconds, const Output& rows, unsigned threads) SINEW_TRY {
  if (planned_ != clip) {
    plan_ = rig_->plan(model_->clips[clip]);
    planned_ = clip;
  }
  struct Played {
    Pose pose;
    animate::ClipPlan::Cursor cursor;
    Scratch scratch;
  };
  const auto make = [&] { return Played{model_->rest_pose, plan_ != nullptr ? plan_->start() : animate::ClipPlan::Cursor(), scratch()}; };
  return each_pose(seconds.size(), vertices(), threads, make, [&](std::size_t i, Played& own, unsigned count) {
    Scratch& maps = own.scratch;
    if (plan_ != nullptr) {
      plan_->sample(seconds[i], own.cursor, own.pose, rig_->maps(maps.locals));
      rig_->world(maps.locals, maps.world);
    } else {
      need(animate::sample(*model_, model_->clips[clip], seconds[i], own.pose));
      pose(own.pose, maps);
    }
    return run_posed(own.pose, rows_of(rows, i * vertices(), vertices()), count, maps);
  });
}
SINEW_CATCH()

Result<> SceneDeformer::run_corner_normals(const Pose& pose, strided_view<float> normals, unsigned threads) SINEW_TRY {
  return run_normals(pose, first_corner_, deform::run_corner_normals, normals, threads);
}
SINEW_CATCH()

Result<> SceneDeformer::run_topology_normals(const Pose& pose, strided_view<float> normals, unsigned threads) SINEW_TRY {
  return run_normals(pose, first_topology_corner_, deform::run_topology_normals, normals, threads);
}
SINEW_CATCH()

Result<> SceneDeformer::run_normals(const Pose& pose, const std::vector<std::size_t>& first, NormalsOf normals_of,
                                    strided_view<float> normals, unsigned threads) SINEW_TRY {
  if (auto fits = check_pose(*model_, pose); !fits) return fits;
  this->pose(pose, scratch_);
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    if (auto made = make_palette(i, scratch_); !made) return made;
    const std::vector<double>& amounts = pose.amounts[instances_[i].node];
    const std::size_t corners = first[i + 1] - first[i];
    parallel_for(corners, grain, threads_for(corners, threads), [&](std::size_t begin, std::size_t end) {
      normals_of(prepared_[i], scratch_.palette, amounts, {begin, end}, normals.rows(first[i] + begin, end - begin));
    });
  }
  return {};
}
SINEW_CATCH()

Result<> SceneDeformer::show_stage(const StageOfJoint& stage) SINEW_TRY {
  for (const Instance& instance : instances_) {
    if (instance.skin == none || !slot_of(model_->skins[instance.skin], stage)) continue;
    stages_ = {stage};
    return {};
  }
  const std::string what = stage.node == none ? format_text("no skin of the scene has a joint with the number {}", stage.slot)
                                              : format_text("node {} is not a joint of a skin in the scene", stage.node);
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, what));
}
SINEW_CATCH()

}  // namespace sinew::deform

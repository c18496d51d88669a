// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <new>
#include <tuple>
#include <utility>

#include "base/catalogue.hpp"
#include "base/parallel.hpp"
#include "deform/bind.hpp"
#include "deform/packed.hpp"
#include "model/place.hpp"

#include "sinew/deform.hpp"

namespace sinew::deform {

namespace {

/// Looked at as bit patterns, all of them: compilers make a few vector instructions of that (a loop that stops early took a fifth of the
/// time of deforming).
bool all_finite(std::span<const float> values) {
  constexpr std::uint32_t exponent = 0x7F800000;
  std::uint32_t special = 0;
  for (const float value : values) special |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(value) & exponent) == exponent);
  return special == 0;
}

std::optional<std::size_t> first_not_finite(const strided_view<float>& rows) {
  if (rows.packed() && all_finite({rows.data(), rows.size() * rows.width()})) return std::nullopt;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (!all_finite({rows[row], rows.width()})) return row;
  return std::nullopt;
}

/// Deforms all vertices of an instance and gives the first one whose position is not finite.
std::optional<std::size_t> run_checked(const Prepared& prepared, const Palette& palette, std::span<const double> amounts,
                                       const Output& output, unsigned threads) {
  std::atomic<std::size_t> bad = prepared.vertices();
  parallel_for(prepared.vertices(), grain, threads_for(prepared.vertices(), threads), [&](std::size_t first, std::size_t last) {
    const auto rows = [&](const strided_view<float>& view) { return view.empty() ? view : view.rows(first, last - first); };
    const Output own{rows(output.positions), rows(output.normals), rows(output.tangents)};
    run(prepared, palette, amounts, {first, last}, own);
    const auto row = first_not_finite(own.positions);
    if (!row) return;
    for (std::size_t known = bad; first + *row < known && !bad.compare_exchange_weak(known, first + *row);) {
    }
  });
  return bad == prepared.vertices() ? std::nullopt : std::optional<std::size_t>(bad);
}

strided_view<float> part(const strided_view<float>& rows, std::size_t first, std::size_t count) {
  return rows.empty() ? rows : rows.rows(first, count);
}

/// The slot of a skin that a stage means; nothing where the skin lacks the joint.
std::optional<std::size_t> slot_of(const Skin& skin, const StageOfJoint& stage) {
  if (stage.node == none) return stage.slot < skin.slots.size() ? std::optional<std::size_t>(stage.slot) : std::nullopt;
  const auto found = std::find(skin.slots.begin(), skin.slots.end(), stage.node);
  if (found == skin.slots.end()) return std::nullopt;
  return static_cast<std::size_t>(found - skin.slots.begin());
}

}  // namespace

Result<SceneDeformer> SceneDeformer::create(const Model& model, std::vector<Instance> list, const PrepareOptions& channels) try {
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
  out.rest_world_ = world_transforms(model, model.rest_pose);
  return out;
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
}

Result<> SceneDeformer::make_palette(std::size_t instance, std::span<const Affine> world) {
  if (auto made = palette(*model_, instances_[instance], world, rest_world_, palette_); !made || stages_.empty()) return made;
  if (instances_[instance].skin == none) return {};
  const Skin& skin = model_->skins[instances_[instance].skin];
  const auto slot = slot_of(skin, stages_.front());
  if (!slot || skin.slots[*slot] == none) return {};
  const std::size_t maps = palette_.size();
  const Affine map =
      stages_.front().stage == Stage::joint
          ? palette_[*slot]
          : joint_from_mesh(skin, *slot, instances_[instance].node, rest_world_, model_->dimension).value_or(Affine(model_->dimension));
  palette_.clear();
  for (std::size_t i = 0; i < maps; ++i) palette_.push_back(map);
  return {};
}

Result<> SceneDeformer::run(const Pose& pose, const Output& rows, unsigned threads) try {
  const std::vector<Affine> world = world_transforms(*model_, pose);
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    if (auto made = make_palette(i, world); !made) return made;
    const std::size_t count = prepared_[i].vertices();
    const Output own{part(rows.positions, first_[i], count), part(rows.normals, first_[i], count), part(rows.tangents, first_[i], count)};
    if (const auto vertex = run_checked(prepared_[i], palette_, pose.amounts[instances_[i].node], own, threads)) {
      const Index node = instances_[i].node;
      return Unexpected(error<"SINEW_RESULT_NOT_FINITE"_code>(Failure::input, place_of(*model_, model_->nodes[node]), *vertex, node));
    }
  }
  return {};
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
}

Result<> SceneDeformer::run_corner_normals(const Pose& pose, strided_view<float> normals, unsigned threads) {
  return run_normals(pose, first_corner_, deform::run_corner_normals, normals, threads);
}

Result<> SceneDeformer::run_topology_normals(const Pose& pose, strided_view<float> normals, unsigned threads) {
  return run_normals(pose, first_topology_corner_, deform::run_topology_normals, normals, threads);
}

Result<> SceneDeformer::run_normals(const Pose& pose, const std::vector<std::size_t>& first, NormalsOf normals_of,
                                    strided_view<float> normals, unsigned threads) try {
  const std::vector<Affine> world = world_transforms(*model_, pose);
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    if (auto made = make_palette(i, world); !made) return made;
    const std::vector<double>& amounts = pose.amounts[instances_[i].node];
    const std::size_t corners = first[i + 1] - first[i];
    parallel_for(corners, grain, threads_for(corners, threads), [&](std::size_t begin, std::size_t end) {
      normals_of(prepared_[i], palette_, amounts, {begin, end}, normals.rows(first[i] + begin, end - begin));
    });
  }
  return {};
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
}

Result<> SceneDeformer::show_stage(const StageOfJoint& stage) {
  for (const Instance& instance : instances_) {
    if (instance.skin == none || !slot_of(model_->skins[instance.skin], stage)) continue;
    stages_ = {stage};
    return {};
  }
  const std::string what = stage.node == none ? fmt::format("no skin of the scene has a joint with the number {}", stage.slot)
                                              : fmt::format("node {} is not a joint of a skin in the scene", stage.node);
  return Unexpected(error<"SINEW_USAGE"_code>(Failure::usage, {}, what));
}

}  // namespace sinew::deform

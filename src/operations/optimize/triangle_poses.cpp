// SPDX-License-Identifier: MIT
#include "operations/optimize/triangle_poses.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "base/deadline.hpp"
#include "operations/compare/compare_sides.hpp"

namespace sinew::operations {

namespace {

using weights::Vec;

class SampledPoses {
 public:
  SampledPoses(const Model& model, Side side, std::size_t most) : model_(model), side_(std::move(side)), most_(most) {
    const auto& shown = side_.instances();
    made_.places.resize(model.meshes.size());
    by_mesh_.resize(model.meshes.size());
    for (std::size_t i = 0; i < shown.size(); ++i) by_mesh_[shown[i].mesh].push_back(i);
  }

  TrianglePoses run() {
    std::vector<Moment> moments(1);
    if (turns_joints())
      for (const std::array<Index, 2>& plane : {std::array<Index, 2>{0, 1}, {0, 2}, {1, 2}}) {
        moments.emplace_back().kind = Part::Kind::stress;
        moments.back().plane = plane;
      }
    const std::size_t shapes = most_shapes(), mixed = std::min<std::size_t>(shapes, most_mixed);
    for (const Moment& moment : of_clips(most_ - std::min(most_, moments.size() + mixed))) moments.push_back(moment);
    made_.count = moments.size() + mixed;
    for (std::size_t m = 0; m < by_mesh_.size(); ++m)
      if (!by_mesh_[m].empty()) made_.places[m].resize(side_.vertices(by_mesh_[m].front()) * made_.count);
    for (std::size_t k = 0; k < moments.size(); ++k) {
      ask_deadline();
      side_.pose_at(moments[k], {});
      add(k, 1, false);
    }
    if (mixed != 0) mix_shapes(moments.size(), mixed, shapes);
    for (std::vector<Vec>& places : made_.places)
      if (!std::ranges::all_of(places, [](const Vec& p) { return std::ranges::all_of(p, [](double x) { return std::isfinite(x); }); }))
        places.clear();
    return std::move(made_);
  }

 private:
  static constexpr std::size_t most_mixed = 4, most_used_shapes = 256;

  bool turns_joints() {
    std::vector<Index> joints = side_.moving_joints();
    std::ranges::sort(joints);
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    std::erase_if(joints, [&](Index joint) { return has_shear(model_, joint); });
    const bool some = !joints.empty();
    side_.set_stressed(std::move(joints));
    return some;
  }

  [[nodiscard]] std::size_t most_shapes() const {
    std::size_t most = 0;
    for (const Instance& instance : side_.instances()) most = std::max(most, model_.meshes[instance.mesh].shapes.size());
    return most;
  }

  /// Returns moments of all clips, evenly.
  [[nodiscard]] std::vector<Moment> of_clips(std::size_t most) const {
    std::vector<Moment> all;
    for (Index clip = 0; clip < model_.clips.size(); ++clip)
      for (const double seconds : moments_of(model_.clips[clip], model_.clips[clip])) {
        all.emplace_back().kind = Part::Kind::clip;
        all.back().clip = clip;
        all.back().seconds = seconds;
      }
    if (all.size() <= most) return all;
    std::vector<Moment> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(all[(2 * i + 1) * all.size() / (2 * most)]);
    return some;
  }

  /// Adds the current pose, or subtracts it, to pose k of every mesh.
  void add(std::size_t k, double factor, bool same_instance) {
    for (std::size_t m = 0; m < by_mesh_.size(); ++m) {
      if (by_mesh_[m].empty()) continue;
      const auto rows = side_.rows(by_mesh_[m][same_instance ? 0 : k % by_mesh_[m].size()]);
      for (std::size_t r = 0; r * made_.count < made_.places[m].size(); ++r)
        for (std::size_t axis = 0; axis < 3; ++axis)
          made_.places[m][r * made_.count + k][axis] +=
              rows ? factor * static_cast<double>((*rows)[3 * r + axis]) : std::numeric_limits<double>::infinity();
    }
  }

  [[nodiscard]] Moment moment_of_shape(std::size_t shape) const {
    Moment moment;
    moment.kind = Part::Kind::shape;
    for (const Instance& instance : side_.instances())
      moment.shapes.push_back(shape < model_.meshes[instance.mesh].shapes.size() ? static_cast<Index>(shape) : none);
    return moment;
  }

  /// Poses in which all shapes count, with different signs in each, so that what each one moves shows.
  void mix_shapes(std::size_t first, std::size_t count, std::size_t shapes) {
    const std::size_t used = std::min(shapes, most_used_shapes);
    std::vector<double> sums(count);
    for (std::size_t i = 0; i < used; ++i) {
      ask_deadline();
      side_.pose_at(moment_of_shape(i * shapes / used), {});
      for (std::size_t k = 0; k < count; ++k) {
        const bool plus = (((i + 1) * 2654435761U) >> (8 + k) & 1) != 0;
        sums[k] += plus ? 1 : -1;
        add(first + k, plus ? 1 : -1, true);
      }
    }
    side_.pose_at(moment_of_shape(shapes), {});
    for (std::size_t k = 0; k < count; ++k) add(first + k, 1 - sums[k], true);
  }

  const Model& model_;
  Side side_;
  std::size_t most_;
  std::vector<std::vector<std::size_t>> by_mesh_;  ///< the instances of each mesh
  TrianglePoses made_;
};

}  // namespace

Result<TrianglePoses> triangle_poses(const Model& model, std::size_t most, unsigned threads) {
  auto side = Side::create(model, model.default_scene, threads);
  if (!side) return Unexpected(std::move(side.error()));
  return SampledPoses(model, std::move(*side), most).run();
}

}  // namespace sinew::operations

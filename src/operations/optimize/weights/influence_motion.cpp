// SPDX-License-Identifier: MIT
#include "operations/optimize/weights/influence_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/guard.hpp"
#include "model/deformable.hpp"
#include "operations/compare/compare_sides.hpp"
#include "operations/compare/hidden_parts.hpp"

#include "sinew/animate.hpp"
#include "sinew/deform.hpp"

namespace sinew::operations {

namespace {

constexpr std::size_t most_memory = std::size_t{1} << 28;  ///< bytes of maps
constexpr std::size_t most_vertex_poses = 400'000;         ///< vertices · poses
constexpr std::size_t most_transforms = 50'000'000;        ///< nodes · poses · meshes
constexpr std::size_t fewest_poses = 48, most_poses = 2000, most_shape_poses = 32;

/// Returns up to `most` of the numbers below `count`, evenly spaced, the first and the last one included.
std::vector<std::size_t> thinned(std::size_t count, std::size_t most) {
  std::vector<std::size_t> kept;
  const std::size_t number = std::min(count, std::max<std::size_t>(most, 2));
  for (std::size_t i = 0; i < number; ++i) kept.push_back(number < 2 ? 0 : i * (count - 1) / (number - 1));
  return kept;
}

}  // namespace

InfluenceMotion::InfluenceMotion(const Model& model, Index mesh, std::size_t vertices)
    : model_(model), rest_world_(need(world_transforms(model, model.rest_pose))), shaped_(!model.meshes[mesh].shapes.empty()) {
  const std::size_t n = model.dimension;
  std::size_t size = 0;  // of the maps of one pose
  for (Index node = 0; node < model.nodes.size(); ++node) {
    const Node& at = model.nodes[node];
    if (at.mesh != mesh || at.skin == none || at.defect != none || model.skins[at.skin].defect != none) continue;
    deform::Palette palette(n);
    if (!deform::palette(model, {node, mesh, at.skin, true}, rest_world_, rest_world_, palette)) continue;
    instances_.push_back({node, palette.size() - 1, {}, {}});
    size += palette.size() * n * (n + 1) * sizeof(double);
  }
  if (instances_.empty()) return;
  const std::size_t most =
      std::clamp(std::min({most_memory / size, most_vertex_poses / std::max<std::size_t>(1, vertices * instances_.size()),
                           most_transforms / (model.nodes.size() * model.meshes.size())}),
                 fewest_poses, most_poses);
  add(model.rest_pose);
  std::vector<Index> joints;
  for (const Skin& skin : model.skins)
    if (skin.defect == none)
      for (const Index slot : skin.slots)
        if (slot != none && !has_shear(model, slot)) joints.push_back(slot);
  std::ranges::sort(joints);
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  for (Index to = 1; to < n; ++to)
    for (Index from = 0; from < to; ++from) {
      Pose pose = model.rest_pose;
      for (const Index joint : joints) stress(n, {from, to}, pose.locals[joint]);
      add(pose);
    }
  if (shaped_ && is_blended(model)) {
    Pose pose = model.rest_pose;
    for (std::vector<double>& amounts : pose.amounts) std::ranges::fill(amounts, 0);
    add(pose);
  }
  for (const std::size_t shape : thinned(model.meshes[mesh].shapes.size(), most_shape_poses)) {
    Pose pose = model.rest_pose;
    for (const Posed& instance : instances_) {
      std::ranges::fill(pose.amounts[instance.node], 0);
      if (shape < pose.amounts[instance.node].size()) pose.amounts[instance.node][shape] = 1;
    }
    add(pose);
  }
  std::size_t moments = 0;
  std::vector<std::vector<double>> times(model.clips.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    if (model.clips[i].defect == none && is_deformable(model, none, static_cast<Index>(i))) {
      times[i] = moments_of(model.clips[i], model.clips[i]);
      moments += times[i].size();
    }
  for (std::size_t i = 0; i < times.size(); ++i)
    for (const std::size_t moment : thinned(times[i].size(), moments <= most ? times[i].size() : times[i].size() * most / moments)) {
      Pose pose = model.rest_pose;
      need(animate::sample(model, model.clips[i], times[i][moment], pose));
      add(pose);
    }
}

// Poses with transforms that are not finite are left out: no error can be measured there.
void InfluenceMotion::add(const Pose& pose) {
  const std::size_t n = model_.dimension;
  const std::vector<Affine> world = need(world_transforms(model_, pose));
  std::vector<deform::Palette> palettes(instances_.size(), deform::Palette(n));
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    const Node& node = model_.nodes[instances_[i].node];
    if (!deform::palette(model_, {instances_[i].node, node.mesh, node.skin, true}, world, rest_world_, palettes[i])) return;
  }
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    for (std::size_t slot = 0; slot < instances_[i].slots; ++slot) {
      const Affine map = palettes[i][slot];
      instances_[i].maps.insert(instances_[i].maps.end(), map.values().begin(), map.values().end());
      if (slot >= shown_.size()) shown_.resize(slot + 1);
      constexpr double hidden = 1e-4;
      const std::span<const double> linear = map.values().first(n * n);
      if (std::ranges::any_of(linear, [](double value) { return std::abs(value) >= hidden; })) shown_[slot] = true;
    }
    if (shaped_) instances_[i].amounts.push_back(pose.amounts[instances_[i].node]);
  }
  ++poses_;
}

std::size_t InfluenceMotion::slots() const { return std::ranges::min_element(instances_, {}, &Posed::slots)->slots; }

bool InfluenceMotion::shows(std::span<const std::uint32_t> slots) const {
  return std::ranges::any_of(slots, [this](std::uint32_t slot) { return slot < shown_.size() && shown_[slot]; });
}

InfluenceMotion::Block::Block(const InfluenceMotion& motion, const VertexBlock& block) : motion_(motion) {
  const Attribute* const position = find_attribute(block.attributes, Semantic::position);
  if (position == nullptr) return;
  const std::size_t n = motion.model_.dimension;
  positions_ = position->values.read<double>();
  rows_ = position->index.read<std::uint32_t>();
  if (!motion.shaped_) return;
  for (const Offsets& offsets : position->offsets) {
    std::vector<float> values = offsets.values.read<float>();
    if (offsets.sparse()) {
      std::vector<float> dense(positions_.size());
      const std::vector<std::uint32_t> rows = offsets.indices.read<std::uint32_t>();
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t c = 0; c < n && (rows[i] + 1) * n <= dense.size() && (i + 1) * n <= values.size(); ++c)
          dense[rows[i] * n + c] += values[i * n + c];
      values = std::move(dense);
    }
    values.resize(positions_.size());
    offsets_.emplace_back(offsets.shape, std::move(values));
  }
}

std::vector<double> InfluenceMotion::Block::places(std::size_t vertex, std::span<const std::uint32_t> slots) const {
  const std::size_t n = motion_.model_.dimension, size = n * (n + 1), row = rows_.empty() ? vertex : rows_[vertex];
  std::vector<double> places, point(n);
  places.reserve(motion_.instances_.size() * motion_.poses_ * slots.size() * n);
  for (const Posed& instance : motion_.instances_)
    for (std::size_t pose = 0; pose < motion_.poses_; ++pose) {
      for (std::size_t c = 0; c < n; ++c) point[c] = positions_[row * n + c];
      for (const auto& [shape, values] : offsets_)
        if (const std::vector<double>& amounts = instance.amounts[pose]; shape < amounts.size() && amounts[shape] != 0)
          for (std::size_t c = 0; c < n; ++c) point[c] += amounts[shape] * static_cast<double>(values[row * n + c]);
      for (const std::uint32_t slot : slots) {
        const double* const map = &instance.maps[(pose * instance.slots + slot) * size];
        for (std::size_t c = 0; c < n; ++c) {
          double value = map[n * n + c];
          for (std::size_t k = 0; k < n; ++k) value += map[k * n + c] * point[k];
          places.push_back(value);
        }
      }
    }
  return places;
}

}  // namespace sinew::operations

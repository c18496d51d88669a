// SPDX-License-Identifier: MIT
#include "operations/compare/hidden_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "base/guard.hpp"

namespace sinew::operations {

namespace {

/// Returns the largest number that the positions of a node's mesh can have if they are integers (KHR_mesh_quantization) and the node has no
/// children, else 1. The scale of such a node is the unit of its mesh, and small without hiding anything.
double largest_position(const Model& model, Index node) {
  const Node& at = model.nodes[node];
  if (at.mesh == none || !at.children.empty()) return 1;
  for (const VertexBlock& block : model.meshes[at.mesh].blocks) {
    const Attribute* const position = find_attribute(block.attributes, Semantic::position);
    if (position == nullptr || position->values.normalized()) continue;
    switch (position->values.type()) {
      case ComponentType::int8:
      case ComponentType::uint8:
        return std::numeric_limits<std::int8_t>::max();
      case ComponentType::int16:
      case ComponentType::uint16:
        return std::numeric_limits<std::int16_t>::max();
      default:
        break;
    }
  }
  return 1;
}

bool is_next_to_nothing(double value) { return std::abs(value) < 1e-4; }

bool hides_along(const Model& model, Index node, Index axis) {
  const LocalTransform& local = model.rest_pose.locals[node];
  const std::size_t n = model.dimension;
  const double largest = largest_position(model, node);
  const auto hides = [&](double value) { return is_next_to_nothing(value * largest); };
  if (local.basis.empty()) return !local.scale.empty() && hides(local.scale[axis]);
  return std::ranges::all_of(std::span<const double>(local.basis).subspan(axis * n, n), hides);
}

/// Sets the scale of one axis. A column of zeros has no direction: it gets that of the axis.
void show_along(std::size_t n, const HiddenAxis& hidden, LocalTransform& local) {
  if (!local.basis.empty()) {
    std::ranges::fill(std::span<double>(local.basis).subspan(hidden.axis * n, n), 0.0);
    local.basis[hidden.axis * n + hidden.axis] = hidden.size;
  } else if (!local.scale.empty()) {
    local.scale[hidden.axis] = hidden.size;
  }
}

/// Returns, by node, the hidden axes as bits.
std::vector<std::uint32_t> axes_of(const std::vector<HiddenAxis>& hidden, const Model& model) {
  std::vector<std::uint32_t> axes(hidden.empty() ? 0 : model.nodes.size());
  for (const HiddenAxis& one : hidden) axes[one.node] |= 1U << one.axis;
  return axes;
}

/// Removes axes of nodes whose counterpart shows them.
void keep_common(HiddenParts& hidden, const Model& a, const Model& b, const NodePairs& nodes) {
  if (hidden.empty()) return;
  const std::vector<std::uint32_t> in_a = axes_of(hidden.a, a), in_b = axes_of(hidden.b, b);
  const auto is_shown = [](const HiddenAxis& one, Index other, const std::vector<std::uint32_t>& there) {
    return other != none && (there.empty() || (there[other] >> one.axis & 1U) == 0);
  };
  std::erase_if(hidden.a, [&](const HiddenAxis& one) { return is_shown(one, nodes.b_of[one.node], in_b); });
  std::erase_if(hidden.b, [&](const HiddenAxis& one) { return is_shown(one, nodes.a_of[one.node], in_a); });
}

/// Returns whether all keys of a scale hide an axis.
bool keys_hide(const Track& track, Index axis, double largest) {
  std::vector<double> key(track.values.width());
  bool hides = !track.values.empty();
  for (std::size_t row = 0; hides && row < track.values.size(); ++row) {
    track.values.read(row, 1, key.data());
    hides = is_next_to_nothing(key[axis] * largest);
  }
  return hides;
}

std::vector<HiddenAxis> hidden_by(const Model& model, const Clip& clip, const std::vector<HiddenAxis>& at_rest) {
  std::vector<HiddenAxis> hidden;
  std::vector<Index> scaled;
  for (const Track& track : clip.tracks) {
    if (track.path != TrackPath::scale || track.node >= model.nodes.size() || track.values.width() != model.dimension) continue;
    scaled.push_back(track.node);
    const LocalTransform& rest = model.rest_pose.locals[track.node];
    const double largest = largest_position(model, track.node);
    for (Index axis = 0; axis < model.dimension; ++axis)
      if (rest.basis.empty() && keys_hide(track, axis, largest))
        hidden.push_back({track.node, axis, rest.scale.empty() ? 1 : rest.scale[axis]});
  }
  if (at_rest.empty()) return hidden;
  std::ranges::sort(scaled);
  for (const HiddenAxis& one : at_rest)
    if (!std::ranges::binary_search(scaled, one.node)) hidden.push_back(one);
  const std::vector<std::uint32_t> before = axes_of(at_rest, model);
  for (HiddenAxis& one : hidden)
    if ((before[one.node] >> one.axis & 1U) != 0)
      one.size = std::ranges::lower_bound(at_rest, std::pair(one.node, one.axis), {}, [](const HiddenAxis& known) {
                   return std::pair(known.node, known.axis);
                 })->size;
  return hidden;
}

}  // namespace

std::vector<HiddenAxis> hidden_at_rest(const Model& model) {
  std::vector<HiddenAxis> hidden;
  for (Index node = 0; node < model.nodes.size(); ++node)
    for (Index axis = 0; axis < model.dimension; ++axis)
      if (hides_along(model, node, axis)) hidden.push_back({node, axis});
  return hidden;
}

HiddenParts hidden_at_rest(const Model& a, const Model& b, const NodePairs& nodes) {
  HiddenParts hidden{hidden_at_rest(a), hidden_at_rest(b)};
  keep_common(hidden, a, b, nodes);
  return hidden;
}

HiddenParts hidden_in_clips(const Model& a, const Clip& clip_a, const Model& b, const Clip& clip_b, const NodePairs& nodes,
                            const HiddenParts& at_rest) {
  HiddenParts hidden{hidden_by(a, clip_a, at_rest.a), hidden_by(b, clip_b, at_rest.b)};
  keep_common(hidden, a, b, nodes);
  return hidden;
}

void show(const std::vector<HiddenAxis>& hidden, std::size_t dimension, std::vector<LocalTransform>& locals) {
  for (const HiddenAxis& one : hidden) show_along(dimension, one, locals[one.node]);
}

std::vector<Affine> world_without_hiding(const Model& model) {
  const std::vector<HiddenAxis> hidden = hidden_at_rest(model);
  if (hidden.empty()) return need(world_transforms(model, model.rest_pose));
  Pose pose = model.rest_pose;
  show(hidden, model.dimension, pose.locals);
  return need(world_transforms(model, pose));
}

bool hides(const Model& model, Index node) {
  for (Index axis = 0; axis < model.dimension; ++axis)
    if (hides_along(model, node, axis)) return true;
  return false;
}

bool is_blended(const Model& model) {
  return std::ranges::any_of(model.rest_pose.amounts, [](const std::vector<double>& amounts) {
    return std::ranges::any_of(amounts, [](double amount) { return amount != 0; });
  });
}

}  // namespace sinew::operations

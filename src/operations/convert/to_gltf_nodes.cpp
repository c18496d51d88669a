// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/message.hpp"
#include "math/shear.hpp"
#include "model/edit_reporter.hpp"
#include "operations/convert/to_gltf_steps.hpp"

#include "sinew/geometry.hpp"

namespace sinew::operations {

namespace {

using Basis = std::array<double, 9>;  // columns

double dot(const Basis& basis, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t r = 0; r < 3; ++r) sum += basis[a * 3 + r] * basis[b * 3 + r];
  return sum;
}

/// Factors of a basis: basis = stretched · turned, where `stretched` has orthogonal columns and `turned` is a rotation. Rotates pairs of
/// columns until they are orthogonal (M. R. Hestenes, 1958).
struct Factors {
  Basis stretched, turned;
};
Factors factors_of(const Basis& basis) {
  constexpr int most_rounds = 60;
  Factors factors{basis, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  Basis turns = factors.turned;  // basis · turns = stretched
  for (int round = 0; round < most_rounds; ++round) {
    bool turned = false;
    for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
      const double aa = dot(factors.stretched, a, a), bb = dot(factors.stretched, b, b), ab = dot(factors.stretched, a, b);
      if (std::abs(ab) <= 1e-15 * std::sqrt(aa * bb)) continue;
      turned = true;
      const double zeta = (bb - aa) / (2 * ab), t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
      const double c = 1 / std::sqrt(1 + t * t), s = c * t;
      for (Basis* matrix : {&factors.stretched, &turns})
        for (std::size_t r = 0; r < 3; ++r) {
          const double x = (*matrix)[a * 3 + r], y = (*matrix)[b * 3 + r];
          (*matrix)[a * 3 + r] = c * x - s * y;
          (*matrix)[b * 3 + r] = s * x + c * y;
        }
    }
    if (!turned) break;
  }
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t r = 0; r < 3; ++r) factors.turned[c * 3 + r] = turns[r * 3 + c];
  return factors;
}

/// Computes the third column of a rotation from two orthonormal ones.
void set_cross(const Basis& basis, std::size_t a, std::size_t b, std::size_t to, Basis& out) {
  for (std::size_t r = 0; r < 3; ++r)
    out[to * 3 + r] = basis[a * 3 + (r + 1) % 3] * basis[b * 3 + (r + 2) % 3] - basis[a * 3 + (r + 2) % 3] * basis[b * 3 + (r + 1) % 3];
}

/// Decomposes orthogonal columns into rotation and scale. If they mirror, the last scale is negative.
void set_rotation_and_scale(const Basis& basis, LocalTransform& local) {
  std::array<double, 3> scale;
  Basis axes = basis;
  std::array<std::size_t, 3> order{0, 1, 2};  // the longest first: a column of length 0 is computed from the others
  for (std::size_t c = 0; c < 3; ++c) scale[c] = std::sqrt(dot(basis, c, c));
  std::ranges::sort(order, std::ranges::greater(), [&](std::size_t c) { return scale[c]; });
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t r = 0; r < 3; ++r) axes[c * 3 + r] = scale[c] > 0 ? basis[c * 3 + r] / scale[c] : (c == r ? 1.0 : 0.0);
  if (!(scale[order[1]] > 0)) {  // at most one column: use any orthogonal one
    const std::size_t c = order[0], other = order[1];
    std::array<double, 3> axis{};
    axis[std::abs(axes[c * 3]) < 0.7 ? 0 : 1] = 1;
    double part = 0, length = 0;
    for (std::size_t r = 0; r < 3; ++r) part += axis[r] * axes[c * 3 + r];
    for (std::size_t r = 0; r < 3; ++r) axes[other * 3 + r] = axis[r] - part * axes[c * 3 + r];
    for (std::size_t r = 0; r < 3; ++r) length += axes[other * 3 + r] * axes[other * 3 + r];
    for (std::size_t r = 0; r < 3; ++r) axes[other * 3 + r] /= std::sqrt(length);
  }
  const std::size_t last = order[2];
  Basis third = axes;
  set_cross(axes, (last + 1) % 3, (last + 2) % 3, last, third);
  if (dot(axes, last, last) > 0 && scale[last] > 0) {
    double same = 0;
    for (std::size_t r = 0; r < 3; ++r) same += third[last * 3 + r] * axes[last * 3 + r];
    if (same < 0) scale[last] = -scale[last];
  }
  std::array<double, 4> rotor;
  if (!rotor_from_matrix(3, third, rotor)) rotor = {1, 0, 0, 0};
  local.rotor.assign(rotor);
  local.scale.assign(scale);
  local.basis.clear();
}

bool moves(const Track& track, Index node) { return track.node == node && track.path != TrackPath::amounts; }

Track constant(Index node, TrackPath path) {
  const bool rotation = path == TrackPath::rotation;
  Track track;
  track.node = node;
  track.path = path;
  track.interpolation = Interpolation::step;
  track.times = Array::own(std::vector<float>{0}, 1);
  track.values = rotation ? Array::own(std::vector<float>{1, 0, 0, 0}, 4) : Array::own(std::vector<float>{1, 1, 1}, 3);
  return track;
}

// If a clip moves a node, missing tracks mean neutral values instead of the basis. Adds constant tracks with these values.
void say_what_is_neutral(Clip& clip, Index node) {
  for (const TrackPath path : {TrackPath::rotation, TrackPath::scale})
    if (std::ranges::none_of(clip.tracks, [&](const Track& track) { return track.node == node && track.path == path; }))
      clip.tracks.push_back(constant(node, path));
}

/// Inserts a new node between a node and its parent.
Index add_above(Model& model, Index index) {
  const auto above = static_cast<Index>(model.nodes.size());
  model.nodes.emplace_back();
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  Node &node = model.nodes[index], &added = model.nodes[above];
  added.name = node.name.empty() ? std::string() : node.name + " shear";
  added.parent = node.parent;
  added.children = {index};
  if (node.parent != none) std::ranges::replace(model.nodes[node.parent].children, index, above);
  for (Scene& scene : model.scenes) std::ranges::replace(scene.roots, index, above);
  node.parent = above;
  return above;
}

// A rotor that is not a unit rotor also scales, non-uniformly. (gltf::update keeps nearly unit ones.)
void make_basis_of_odd_rotor(Model& model, Index index) {
  LocalTransform& local = model.rest_pose.locals[index];
  double squares = 0;
  for (const double part : local.rotor) squares += part * part;
  if (local.rotor.empty() || !local.basis.empty() || std::abs(std::sqrt(squares) - 1) <= 0.004 || is_animated(model, index)) return;
  const Affine map = affine_of(3, local);
  local.basis.assign(map.values().first(9));
  local.rotor.clear();
  local.scale.clear();
}

void unshear_node(Model& model, Index index, const EditReporter& losses, SourceId source) {
  Basis basis;
  std::ranges::copy(model.rest_pose.locals[index].basis, basis.begin());
  const bool animated = is_animated(model, index);
  if (!is_sheared(3, basis)) {
    if (!animated) return;
    set_rotation_and_scale(basis, model.rest_pose.locals[index]);
    for (Clip& clip : model.clips)
      if (std::ranges::any_of(clip.tracks, [&](const Track& track) { return moves(track, index); })) say_what_is_neutral(clip, index);
    return;
  }
  const Factors factors = factors_of(basis);
  const Index above = add_above(model, index);
  LocalTransform &outer = model.rest_pose.locals[above], &inner = model.rest_pose.locals[index];
  outer.translation = std::move(inner.translation);
  inner.translation.clear();
  set_rotation_and_scale(factors.stretched, outer);
  set_rotation_and_scale(factors.turned, inner);
  inner.scale.clear();
  for (Clip& clip : model.clips) {
    if (std::ranges::none_of(clip.tracks, [&](const Track& track) { return moves(track, index); })) continue;
    say_what_is_neutral(clip, index);
    for (Track& track : clip.tracks)
      if (track.node == index && track.path == TrackPath::translation) track.node = above;
    say_what_is_neutral(clip, above);
  }
  losses.changed(
      source,
      format_text("its transform is sheared, and a glTF node cannot store shear; a new parent, node {}, rotates and scales it", above));
}

}  // namespace

bool is_animated(const Model& model, Index node) {
  return std::ranges::any_of(model.clips, [&](const Clip& clip) {
    return std::ranges::any_of(clip.tracks, [&](const Track& track) { return moves(track, node); });
  });
}

void unshear(Model& model, const Model& from, const EditReporter& losses) {
  const auto count = static_cast<Index>(model.nodes.size());
  for (Index node = 0; node < count; ++node) {
    make_basis_of_odd_rotor(model, node);
    if (model.rest_pose.locals[node].basis.size() == 9)
      unshear_node(model, node, losses, node < from.nodes.size() ? from.nodes[node].source : SourceId::nowhere);
  }
}

}  // namespace sinew::operations

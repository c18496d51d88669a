// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/message.hpp"
#include "math/rotation_scale.hpp"
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

/// Sets a column of length 0 to a unit vector that is perpendicular to the other two. If one of them is 0 as well: to the part of an axis,
/// its own if possible, that is perpendicular to the third.
void set_perpendicular(std::size_t c, Basis& basis) {
  const std::size_t a = (c + 1) % 3, b = (c + 2) % 3, longer = dot(basis, a, a) < dot(basis, b, b) ? b : a;
  const auto at = [&](std::size_t column, std::size_t row) { return basis[column * 3 + row % 3]; };
  for (std::size_t r = 0; r < 3; ++r) basis[c * 3 + r] = at(a, r + 1) * at(b, r + 2) - at(a, r + 2) * at(b, r + 1);
  const double square = dot(basis, longer, longer);
  const auto length = [&] { return std::hypot(at(c, 0), at(c, 1), at(c, 2)); };
  if (!(length() > 0))
    for (std::size_t axis = c; axis < c + 3 && !(length() > 0.5); ++axis)
      for (std::size_t r = 0; r < 3; ++r)
        basis[c * 3 + r] = (r == axis % 3 ? 1 : 0) - (square > 0 ? at(longer, axis) * at(longer, r) / square : 0);
  const double size = length();
  for (std::size_t r = 0; r < 3; ++r) basis[c * 3 + r] /= size;
}

/// Decomposes orthogonal columns, some of which may be 0, into rotation and scale.
void set_rotation_and_scale(const Basis& basis, LocalTransform& local) {
  Basis axes = basis;
  for (std::size_t c = 0; c < 3; ++c)
    if (!(dot(basis, c, c) > 0)) set_perpendicular(c, axes);
  local.basis.clear();
  if (const auto parts = rotation_and_scale(3, axes)) {
    local.rotor.assign(parts->rotor());
    local.scale = parts->scale;
  } else {
    local.rotor = {1, 0, 0, 0};
    local.scale = {0, 0, 0};
  }
  for (std::size_t c = 0; c < 3; ++c)
    if (!(dot(basis, c, c) > 0)) local.scale[c] = 0;
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

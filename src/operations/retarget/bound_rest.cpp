// SPDX-License-Identifier: MIT
#include "operations/retarget/bound_rest.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/guard.hpp"
#include "model/local_of.hpp"
#include "model/trees.hpp"
#include "operations/retarget/sides.hpp"
#include "operations/retarget/turns.hpp"

namespace sinew::operations {

namespace {

constexpr double level = 5 * std::numbers::pi / 180;  // between the lines of shoulders and hips
constexpr double better = 3;                          // times as level
constexpr std::size_t ends = 4;

/// The nodes at the ends of the lines of shoulders and hips.
std::optional<std::array<Index, ends>> ends_of(std::span<const BonePair> pairs) {
  std::array<Index, ends> out{};
  constexpr std::string_view bones[ends] = {"leftUpperArm", "rightUpperArm", "leftUpperLeg", "rightUpperLeg"};
  for (std::size_t i = 0; i < ends; ++i) {
    const BonePair* const pair = find_bone(pairs, bones[i]);
    if (pair == nullptr) return std::nullopt;
    out[i] = pair->motion;
  }
  return out;
}

double lean_of(const std::vector<Affine>& world, const std::array<Index, ends>& at) {
  const auto line = [&](std::size_t from, std::size_t to) { return difference(place_in(world[at[to]]), place_in(world[at[from]])); };
  return angle_between(line(0, 1), line(2, 3));
}

/// Returns the places of joints by the inverses of their bind matrices, in the space of the mesh; nothing for a node that is none.
std::vector<std::optional<Affine>> bound_joints(const Model& model, const Skin& skin) {
  std::vector<std::optional<Affine>> out(model.nodes.size());
  for (std::size_t slot = 0; slot < skin.slots.size() && slot < skin.joint_from_mesh.size(); ++slot)
    if (const Index joint = skin.slots[slot]; joint != none && !out[joint]) out[joint] = inverse(skin.joint_from_mesh[slot]);
  return out;
}

/// Returns the nearest rotation by quarter turns about the axes: meshes are often stored with another axis up. Nothing if none is near.
std::optional<Affine> quarter_turns(const Affine& rotation) {
  Affine out(3);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) out(row, column) = std::round(rotation(row, column));
  if (std::abs(determinant(out) - 1) > 0.5 || degrees_of(turned_back(out) * rotation) > 40) return std::nullopt;
  return out;
}

/// Returns the map from the space of the mesh that brings the hips to their stored place.
std::optional<Affine> placed_at(const Affine& bound, const Affine& stored) {
  const auto from = turn_of(bound), to = turn_of(stored);
  if (!from || !to) return std::nullopt;
  auto out = quarter_turns(to->rotation * turned_back(from->rotation));
  if (!out) return std::nullopt;
  const double size = std::cbrt(determinant(stored) / determinant(bound));
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) (*out)(row, column) *= size;
  const std::vector<double> moved = turned(*out, place_in(bound)), wanted = place_in(stored);
  for (std::size_t row = 0; row < 3; ++row) out->translation(row) = wanted[row] - moved[row];
  return out;
}

/// Stores the bound places of joints as the rest pose; other nodes follow their parents.
bool store_rest(const std::vector<std::optional<Affine>>& bound, Model& model) {
  std::vector<Affine> world(model.nodes.size(), Affine(3));
  for (const Index node : parents_first(model.nodes)) {
    const Index parent = model.nodes[node].parent;
    const Affine above = parent == none ? Affine(3) : world[parent];
    LocalTransform& local = model.rest_pose.locals[node];
    const auto back = bound[node] ? inverse(above) : std::nullopt;
    if (bound[node].has_value() != back.has_value()) return false;
    if (back) local = local_of(*back * *bound[node]);
    world[node] = bound[node] ? *bound[node] : above * affine_of(3, local);
  }
  return true;
}

}  // namespace

std::optional<BoundRest> with_bound_rest(const Model& motion, std::span<const BonePair> pairs) {
  const auto at = ends_of(pairs);
  const BonePair* const hips = find_bone(pairs, "hips");
  if (motion.dimension != 3 || !at || hips == nullptr) return std::nullopt;
  const std::vector<Affine> stored = need(world_transforms(motion, motion.rest_pose));
  const double lean = lean_of(stored, *at);
  if (!(lean > level)) return std::nullopt;
  for (const Skin& skin : motion.skins) {
    if (skin.defect != none || skin.bind != Skin::Bind::matrices) continue;
    std::vector<std::optional<Affine>> bound = bound_joints(motion, skin);
    const auto place = bound[hips->motion] ? placed_at(*bound[hips->motion], stored[hips->motion]) : std::nullopt;
    if (!place) continue;
    std::vector<Affine> world = stored;
    for (Index node = 0; node < bound.size(); ++node) {
      if (!bound[node]) continue;
      world[node] = *place * *bound[node];
      bound[node] = world[node];
    }
    if (!(better * lean_of(world, *at) < lean)) continue;
    BoundRest out{motion, lean * 180 / std::numbers::pi};
    if (store_rest(bound, out.model)) return out;
  }
  return std::nullopt;
}

}  // namespace sinew::operations

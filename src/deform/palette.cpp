// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "deform/bind.hpp"
#include "deform/rig.hpp"
#include "model/place.hpp"
#include "model/relative.hpp"

#include "sinew/deform.hpp"

namespace sinew::deform {

namespace {

/// Returns the effect of a moved mesh node on what the skeleton moves (Skin::Bind::skeleton_pose): W·L·L°⁻¹·W⁻¹. Returns nothing if L is as
/// stored, or if an inverse does not exist.
std::optional<Affine> moved_with_node(const Model& model, const Skin& skin, Index node, std::span<const Affine> world,
                                      std::span<const Affine> rest_world) {
  const auto frame_from_world = inverse(world[skin.frame]);
  const auto stored = relative_transform(model, model.rest_pose, rest_world, skin.frame, node);
  if (!frame_from_world || !stored) return std::nullopt;
  const Affine frame_from_mesh = *frame_from_world * world[node];
  const Affine& rest_frame_from_mesh = *stored;
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < frame_from_mesh.values().size(); ++i) {
    difference = std::max(difference, std::abs(frame_from_mesh.values()[i] - rest_frame_from_mesh.values()[i]));
    size = std::max(size, std::abs(rest_frame_from_mesh.values()[i]));
  }
  if (difference <= 1e-12 * size) return std::nullopt;  // rounding of the products
  const auto rest_mesh_from_frame = inverse(rest_frame_from_mesh);
  if (!rest_mesh_from_frame) return std::nullopt;
  return world[node] * *rest_mesh_from_frame * *frame_from_world;
}

/// Returns `world_from_mesh` of a slot with a node. A joint that is flat at rest cannot bind: its vertices stay with the mesh's node
/// (G4MF), otherwise with the frame.
Affine slot_map(const Model& model, const Skin& skin, std::size_t slot, Index node, std::span<const Affine> world,
                std::span<const Affine> rest_world, const std::optional<Affine>& moved) {
  const Affine& world_from_joint = world[skin.slots[slot]];
  if (const auto bound = joint_from_mesh(model, skin, slot, node, rest_world))
    return moved ? *moved * world_from_joint * *bound : world_from_joint * *bound;
  if (skin.bind == Skin::Bind::skeleton_pose) return world[node];
  return skin.frame != none ? world[skin.frame] : Affine(model.dimension);
}

bool fits_float(const Affine& map) {
  for (const double value : map.values())
    if (!(std::abs(value) <= std::numeric_limits<float>::max())) return false;
  return true;
}

Unexpected not_finite(const Model& model, Index node, const std::string& what) {
  return Unexpected(error("SINEW_TRANSFORM_NOT_FINITE"_code, Failure::input, place_of(model, model.nodes[node]), what));
}

Result<> fill(const Model& model, const Instance& instance, std::span<const Affine> world, std::span<const Affine> rest_world,
              Palette& out) {
  out.clear(model.dimension);
  if (instance.skin != none) {
    const Skin& skin = model.skins[instance.skin];
    std::optional<Affine> moved;
    if (skin.bind == Skin::Bind::skeleton_pose) moved = moved_with_node(model, skin, instance.node, world, rest_world);
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const Index node = skin.slots[slot];
      const Affine map = node == none ? world[instance.node] : slot_map(model, skin, slot, instance.node, world, rest_world, moved);
      if (!fits_float(map))
        return not_finite(model, node == none ? instance.node : node,
                          node == none ? format_text("joint slot {} of skin {}, which has no node", slot, instance.skin)
                                       : format_text("joint slot {} of skin {} (node {})", slot, instance.skin, node));
      need(out.push_back(map));
    }
  }
  const Affine* const copy = copy_of(model, instance);
  const Affine own = copy != nullptr ? world[instance.node] * *copy : world[instance.node];
  if (!fits_float(own)) return not_finite(model, instance.node, format_text("node {}", instance.node));
  need(out.push_back(own));
  return {};
}

}  // namespace

std::optional<Affine> joint_from_mesh(const Model& model, const Skin& skin, std::size_t slot, Index node,
                                      std::span<const Affine> rest_world) {
  if (skin.bind == Skin::Bind::identity) return Affine(model.dimension);
  if (skin.bind == Skin::Bind::matrices) return skin.joint_from_mesh[slot];
  const Index mesh_stands_in = skin.bind == Skin::Bind::skeleton_pose ? node : skin.frame;
  return relative_transform(model, model.rest_pose, rest_world, skin.slots[slot], mesh_stands_in);
}

Affine Palette::operator[](std::size_t slot) const {
  return kernels::affine_at(dimension_, exact_.data() + slot * kernels::map_stride(dimension_));
}

Result<> Palette::push_back(const Affine& world_from_mesh) SINEW_TRY {
  assert(world_from_mesh.dimension() == dimension_);
  const std::size_t begin = exact_.size();
  exact_.resize(begin + kernels::map_stride(dimension_));
  columns_.resize(exact_.size());
  kernels::store(world_from_mesh, &exact_[begin]);
  static_cast<void>(finish_map(dimension_, &exact_[begin], &columns_[begin], sizes_.emplace_back()));
  return {};
}
SINEW_CATCH()

void Palette::clear(std::size_t dimension) noexcept {
  dimension_ = dimension;
  sizes_.clear();
  exact_.clear();
  columns_.clear();
}

Result<> palette(const Model& model, const Instance& instance, std::span<const Affine> world, std::span<const Affine> rest_world,
                 Palette& out) SINEW_TRY {
  return fill(model, instance, world, rest_world, out);
}
SINEW_CATCH()

}  // namespace sinew::deform

// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <new>

#include "base/catalogue.hpp"
#include "deform/bind.hpp"
#include "kernels/maps.hpp"

#include "sinew/deform.hpp"

namespace sinew::deform {

namespace {

/// `world_from_mesh` of a slot that names a node. A joint that is flat at rest was bound to nothing: its vertices stay with the frame.
Affine slot_map(const Skin& skin, std::size_t slot, std::span<const Affine> world, std::span<const Affine> rest_world) {
  const Affine& world_from_joint = world[skin.slots[slot]];
  if (const auto bound = joint_from_mesh(skin, slot, rest_world, world_from_joint.dimension())) return world_from_joint * *bound;
  return skin.frame != none ? world[skin.frame] : Affine(world_from_joint.dimension());
}

bool fits_float(const Affine& map) {
  for (const double value : map.values())
    if (!(std::abs(value) <= std::numeric_limits<float>::max())) return false;
  return true;
}

Unexpected not_finite(const Model& model, Index node, const std::string& what) {
  Place place;
  if (model.source != nullptr) place = {model.source->file(), model.source->pointer(model.nodes[node].source), std::nullopt};
  return Unexpected(error<"SINEW_TRANSFORM_NOT_FINITE"_code>(Failure::input, std::move(place), what));
}

Result<> fill(const Model& model, const Instance& instance, std::span<const Affine> world, std::span<const Affine> rest_world,
              Palette& out) {
  out.clear(model.dimension);
  if (instance.skin != none) {
    const Skin& skin = model.skins[instance.skin];
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const Index node = skin.slots[slot];
      const Affine map = node == none ? world[instance.node] : slot_map(skin, slot, world, rest_world);
      if (!fits_float(map))
        return not_finite(model, node == none ? instance.node : node,
                          fmt::format("joint slot {} of skin {} (node {})", slot, instance.skin, node));
      out.push_back(map);
    }
  }
  if (!fits_float(world[instance.node])) return not_finite(model, instance.node, fmt::format("node {}", instance.node));
  out.push_back(world[instance.node]);
  return {};
}

}  // namespace

std::optional<Affine> joint_from_mesh(const Skin& skin, std::size_t slot, std::span<const Affine> rest_world, std::size_t dimension) {
  switch (skin.bind) {
    case Skin::Bind::identity:
      return Affine(dimension);
    case Skin::Bind::matrices:
      return skin.joint_from_mesh[slot];
    case Skin::Bind::stored_pose:
      break;
  }
  // (P°⁻¹·G°)⁻¹ = G°⁻¹·P°, ° = stored, P the frame (STAIK_skeletons: a skin without matrices).
  auto joint_from_world = inverse(rest_world[skin.slots[slot]]);
  if (!joint_from_world || skin.frame == none) return joint_from_world;
  return *joint_from_world * rest_world[skin.frame];
}

Affine Palette::operator[](std::size_t slot) const {
  Affine map(dimension_);
  const double* columns = exact_.data() + slot * kernels::map_stride(dimension_);
  for (std::size_t j = 0; j <= dimension_; ++j)
    for (std::size_t i = 0; i < dimension_; ++i) map(i, j) = columns[j * kernels::column_stride(dimension_) + i];
  return map;
}

void Palette::push_back(const Affine& world_from_mesh) {
  assert(world_from_mesh.dimension() == dimension_);
  const std::size_t begin = exact_.size();
  exact_.resize(begin + kernels::map_stride(dimension_));
  MapSize size;
  for (std::size_t i = 0; i < dimension_; ++i) {
    double row = 0;
    for (std::size_t j = 0; j <= dimension_; ++j) {
      const double value = world_from_mesh(i, j);
      exact_[begin + j * kernels::column_stride(dimension_) + i] = value;
      if (j < dimension_)
        row += std::abs(value);
      else
        size.translation = std::max(size.translation, std::abs(value));
    }
    size.linear = std::max(size.linear, row);
  }
  for (std::size_t i = begin; i < exact_.size(); ++i) columns_.push_back(static_cast<float>(exact_[i]));
  sizes_.push_back(size);
}

void Palette::clear(std::size_t dimension) {
  dimension_ = dimension;
  sizes_.clear();
  exact_.clear();
  columns_.clear();
}

Result<> palette(const Model& model, const Instance& instance, std::span<const Affine> world, std::span<const Affine> rest_world,
                 Palette& out) {
  try {
    return fill(model, instance, world, rest_world, out);
  } catch (const std::bad_alloc&) {
    return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
  }
}

}  // namespace sinew::deform

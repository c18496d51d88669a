// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "deform/bind.hpp"
#include "deform/rig.hpp"
#include "math/map_columns.hpp"
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

Unexpected not_finite(const Model& model, Index node, const std::string& what) {
  return Unexpected(error("SINEW_TRANSFORM_NOT_FINITE"_code, Failure::input, place_of(model, model.nodes[node]), what));
}

/// The map of a slot: `left`, or left·right.
struct Factors {
  const Affine* left;
  const Affine* right = nullptr;
};

/// Finds the factors of the maps of an instance's slots; what must be computed first is kept for one slot.
class SlotFactors {
 public:
  SlotFactors(const Model& model, const Instance& instance, std::span<const Affine> world, std::span<const Affine> rest_world)
      : model_(model), skin_(model.skins[instance.skin]), instance_(instance), world_(world), rest_world_(rest_world) {
    if (skin_.bind == Skin::Bind::skeleton_pose) moved_ = moved_with_node(model, skin_, instance.node, world, rest_world);
    if (skin_.bind == Skin::Bind::identity) computed_ = Affine(model.dimension);
  }
  Factors operator[](std::size_t slot) {
    const Index node = skin_.slots[slot];
    if (node == none) return {&world_[instance_.node]};
    if (skin_.bind == Skin::Bind::matrices) return {&world_[node], &skin_.joint_from_mesh[slot]};
    if (skin_.bind == Skin::Bind::identity) return {&world_[node], &computed_};
    computed_ = slot_map(model_, skin_, slot, instance_.node, world_, rest_world_, moved_);
    return {&computed_};
  }

 private:
  const Model& model_;
  const Skin& skin_;
  const Instance& instance_;
  std::span<const Affine> world_, rest_world_;
  std::optional<Affine> moved_;
  Affine computed_;
};

/// Writes a map and its rounded form. Returns false if a number does not fit or is not finite.
template <class D>
bool write_map(D n, const Factors& map, double* exact, float* columns, std::array<double, 2>& size) {
  if (map.right != nullptr)
    detail::multiply_columns(n, map.left->values().data(), map.right->values().data(), exact, kernels::column_stride(n));
  else
    for (std::size_t j = 0; j <= n; ++j)
      std::copy_n(map.left->values().data() + j * n, std::size_t{n}, exact + j * kernels::column_stride(n));
  return finish_map(n, exact, columns, size);
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
  auto& size = sizes_.emplace_back();
  with_dimension(dimension_, [&](auto n) { static_cast<void>(finish_map(n, &exact_[begin], &columns_[begin], size)); });
  return {};
}
SINEW_CATCH()

void Palette::clear(std::size_t dimension) noexcept {
  dimension_ = dimension;
  sizes_.clear();
  exact_.clear();
  columns_.clear();
}

Result<> Rig::fill(const Model& model, const Instance& instance, std::span<const Affine> world, std::span<const Affine> rest_world,
                   Palette& out) {
  const std::size_t slots = instance.skin == none ? 0 : model.skins[instance.skin].slots.size();
  const auto [exact, columns, sizes] = room(out, model.dimension, slots + 1);
  const std::size_t failed = with_dimension(model.dimension, [&](auto n) {
    const std::size_t stride = kernels::map_stride(n);
    const auto write = [&](std::size_t slot, const Factors& map) {
      return write_map(n, map, exact + slot * stride, columns + slot * stride, sizes[slot]);
    };
    std::size_t slot = 0;
    if (slots > 0)
      for (SlotFactors factors(model, instance, world, rest_world); slot < slots; ++slot)
        if (!write(slot, factors[slot])) return slot;
    return write(slot, {&world[instance.node], copy_of(model, instance)}) ? slots + 1 : slots;
  });
  if (failed > slots) return {};
  out.clear();
  if (failed == slots) return not_finite(model, instance.node, format_text("node {}", instance.node));
  const Index node = model.skins[instance.skin].slots[failed];
  if (node != none) return not_finite(model, node, format_text("joint slot {} of skin {} (node {})", failed, instance.skin, node));
  return not_finite(model, instance.node, format_text("joint slot {} of skin {}, which has no node", failed, instance.skin));
}

Result<> palette(const Model& model, const Instance& instance, std::span<const Affine> world, std::span<const Affine> rest_world,
                 Palette& out) SINEW_TRY {
  return Rig::fill(model, instance, world, rest_world, out);
}
SINEW_CATCH()

}  // namespace sinew::deform

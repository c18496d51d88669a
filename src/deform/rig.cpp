// SPDX-License-Identifier: MIT
#include "deform/rig.hpp"

#include <algorithm>

#include "deform/bind.hpp"
#include "math/rotation.hpp"

namespace sinew::deform {

namespace {

void store(const Affine& map, double* out) {
  const std::size_t n = map.dimension();
  for (std::size_t j = 0; j <= n; ++j)
    for (std::size_t i = 0; i < n; ++i) out[j * kernels::column_stride(n) + i] = map(i, j);
}

/// affine_of, as a map of the kernels.
template <class D>
void store_local(D n, const LocalTransform& local, double* out) {
  if (n != 3 || !local.basis.empty() || local.rotor.size() != 4) return store(affine_of(n, local), out);
  detail::matrix_of_rotor_3d(local.rotor.data(), 4, out);
  if (!local.scale.empty())
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t i = 0; i < 3; ++i) out[j * 4 + i] *= local.scale.data()[j];
  for (std::size_t i = 0; i < 3; ++i) out[12 + i] = local.translation.empty() ? 0 : local.translation.data()[i];
}

}  // namespace

Rig::Rig(const Model& model, std::span<const Instance> instances)
    : model_(&model),
      instances_(instances.begin(), instances.end()),
      rest_world_(world_transforms(model, model.rest_pose)),
      place_(model.nodes.size(), nowhere) {
  for (const Instance& instance : instances_) bound_.push_back(bind(instance));
}

/// The place of a node; it and its ancestors get one where they have none.
std::uint32_t Rig::add(Index node) {
  std::vector<Index> chain;
  while (node < place_.size() && place_[node] == nowhere && chain.size() <= place_.size()) {
    chain.push_back(node);
    node = model_->nodes[node].parent;
  }
  std::uint32_t parent = node < place_.size() ? place_[node] : nowhere;
  for (; !chain.empty(); chain.pop_back()) {
    steps_.push_back({chain.back(), parent});
    parent = place_[chain.back()] = static_cast<std::uint32_t>(steps_.size() - 1);
  }
  return parent;
}

Rig::Bound Rig::bind(const Instance& instance) {
  Bound out;
  const std::uint32_t own = add(instance.node);
  if (instance.skin != none) {
    const Skin& skin = model_->skins[instance.skin];
    const std::size_t n = model_->dimension, stride = kernels::map_stride(n);
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const Index node = skin.slots[slot];
      if (node == none) {
        out.slots.push_back({own, nowhere});
      } else if (const auto bound = joint_from_mesh(skin, slot, instance.node, rest_world_, n)) {
        out.slots.push_back({add(node), static_cast<std::uint32_t>(binds_.size() / stride)});
        binds_.resize(binds_.size() + stride);
        store(*bound, &binds_[binds_.size() - stride]);
      } else {
        const Index follows = skin.bind == Skin::Bind::skeleton_pose ? instance.node : skin.frame;
        out.slots.push_back({follows == none ? nowhere : add(follows), nowhere});
      }
    }
    if (skin.bind == Skin::Bind::skeleton_pose) {
      Index node = instance.node;
      for (; node < place_.size() && node != skin.frame; node = model_->nodes[node].parent) out.still.push_back(node);
      out.always_asked = node != skin.frame;
    }
  }
  out.slots.push_back({own, nowhere});
  return out;
}

Affine Rig::bind_matrix(std::uint32_t number) const {
  Affine map(model_->dimension);
  const std::size_t n = map.dimension();
  for (std::size_t j = 0; number != nowhere && j <= n; ++j)
    for (std::size_t i = 0; i < n; ++i) map(i, j) = binds_[number * kernels::map_stride(n) + j * kernels::column_stride(n) + i];
  return map;
}

void Rig::pose(const Pose& pose, AlignedVector<double>& world) const {
  const std::size_t stride = kernels::map_stride(model_->dimension);
  world.resize(steps_.size() * stride);
  with_dimension(model_->dimension, [&](auto n) {
    double local[kernels::map_stride(capacity_of<decltype(n)>)] = {};
    double* out = world.data();
    for (const Step& step : steps_) {
      store_local(n, pose.locals[step.node], step.parent == nowhere ? out : local);
      if (step.parent != nowhere) kernels::multiply(n, world.data() + step.parent * stride, local, out);
      out += stride;
    }
  });
}

Result<> Rig::palette(std::size_t instance, const Pose& pose, const AlignedVector<double>& world, Palette& out) const {
  const Bound& bound = bound_[instance];
  const auto moved = [&](Index node) { return pose.locals[node] != model_->rest_pose.locals[node]; };
  if (bound.always_asked || std::ranges::any_of(bound.still, moved))
    return deform::palette(*model_, instances_[instance], world_transforms(*model_, pose), rest_world_, out);
  const std::size_t stride = kernels::map_stride(model_->dimension);
  if (out.dimension_ != model_->dimension) out.clear(model_->dimension);
  out.sizes_.resize(bound.slots.size());
  out.exact_.resize(bound.slots.size() * stride);
  out.columns_.resize(bound.slots.size() * stride);
  const bool fits = with_dimension(model_->dimension, [&](auto n) {
    bool all = true;
    double* map = out.exact_.data();
    float* columns = out.columns_.data();
    for (std::size_t i = 0; i < bound.slots.size(); ++i, map += stride, columns += stride) {
      const Slot& slot = bound.slots[i];
      const double* left = world.data() + slot.place * stride;
      if (slot.place == nowhere)
        store(Affine(n), map);
      else if (slot.bind == nowhere)
        std::copy_n(left, stride, map);
      else
        kernels::multiply(n, left, &binds_[slot.bind * stride], map);
      all &= finish_map(n, map, columns, out.sizes_[i]);
    }
    return all;
  });
  if (fits) return {};
  return deform::palette(*model_, instances_[instance], world_transforms(*model_, pose), rest_world_, out);  // says what and where
}

}  // namespace sinew::deform

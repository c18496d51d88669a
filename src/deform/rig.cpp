// SPDX-License-Identifier: MIT
#include "deform/rig.hpp"

#include <algorithm>
#include <cmath>

#include "animate/clip_plan.hpp"
#include "base/guard.hpp"
#include "deform/bind.hpp"
#include "math/rotation.hpp"

namespace sinew::deform {

namespace {

/// Computes affine_of in the layout of the kernels.
template <class D>
void store_local(D n, const LocalTransform& local, double* out) {
  if (n != 3 || !local.basis.empty() || local.rotor.size() != 4) return kernels::store(affine_of(n, local), out);
  std::fill_n(out, 16, 0.0);
  detail::matrix_of_rotor_3d(local.rotor.data(), 4, out);
  if (!local.scale.empty())
    for (std::size_t i = 0; i < 12; ++i) out[i] *= local.scale.data()[i / 4];
  for (std::size_t i = 0; i < 3; ++i) out[12 + i] = local.translation.empty() ? 0 : local.translation.data()[i];
}

}  // namespace

Rig::Rig(const Model& model, std::span<const Instance> instances, const kernels::SimdKernel* simd, Worlds rest_world)
    : model_(&model),
      simd_(model.dimension == 3 && simd != nullptr && simd->local_maps != nullptr ? simd : nullptr),
      instances_(instances.begin(), instances.end()),
      rest_world_(rest_world ? std::move(rest_world)
                             : std::make_shared<const std::vector<Affine>>(need(world_transforms(model, model.rest_pose)))),
      binds_(kernels::map_stride(model.dimension)) {
  kernels::store(Affine(model.dimension), binds_.data());
  for (const Instance& instance : instances_) bound_.push_back(bind(instance));
  if (std::ranges::all_of(bound_, [](const Bound& bound) { return bound.still.empty(); })) return;
  rest_locals_ = table();
  locals(model.rest_pose, rest_locals_);
}

/// Returns the step of a node. Adds it and its ancestors if they have none.
std::uint32_t Rig::add(Index node) {
  std::vector<Index> chain;
  const std::size_t nodes = model_->nodes.size();
  while (node < nodes && place(node) == nowhere && chain.size() <= nodes) {
    chain.push_back(node);
    node = model_->nodes[node].parent;
  }
  std::uint32_t parent = place(node);
  for (; !chain.empty(); chain.pop_back()) {
    products_.push_back({parent + 1, static_cast<std::uint32_t>(steps_.size() + 1)});
    steps_.push_back({chain.back(), parent});
    parent = place_[chain.back()] = static_cast<std::uint32_t>(steps_.size() - 1);
  }
  return parent;
}

Rig::Bound Rig::bind(const Instance& instance) {
  Bound out;
  const std::uint32_t own = add(instance.node);
  const std::size_t stride = kernels::map_stride(model_->dimension);
  const auto add_bind = [&](const Affine& bind) {
    const auto number = static_cast<std::uint32_t>(binds_.size() / stride - 1);
    binds_.resize(binds_.size() + stride);
    kernels::store(bind, &binds_[binds_.size() - stride]);
    return number;
  };
  if (instance.skin != none) {
    const Skin& skin = model_->skins[instance.skin];
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const Index node = skin.slots[slot];
      if (node == none) {
        out.slots.push_back({own, nowhere});
      } else if (const auto bound = joint_from_mesh(*model_, skin, slot, instance.node, *rest_world_)) {
        out.slots.push_back({add(node), add_bind(*bound)});
      } else {
        const Index follows = skin.bind == Skin::Bind::skeleton_pose ? instance.node : skin.frame;
        out.slots.push_back({follows == none ? nowhere : add(follows), nowhere});
      }
    }
    if (skin.bind == Skin::Bind::skeleton_pose) {
      if (skin.frame != none) add(skin.frame);
      Index node = instance.node;
      for (; node < model_->nodes.size() && node != skin.frame; node = model_->nodes[node].parent) out.still.push_back(add(node));
      out.always_asked = node != skin.frame;
    }
  }
  const Affine* const copy = copy_of(*model_, instance);
  out.slots.push_back({own, copy != nullptr ? add_bind(*copy) : nowhere});
  for (const Slot& slot : out.slots) out.products.push_back({slot.place + 1, slot.bind + 1});
  return out;
}

void Rig::multiply(const double* left, const double* right, std::span<const kernels::MapPair> pairs, double* out) const {
  if (simd_ != nullptr) return simd_->multiply_maps(left, right, pairs.data(), pairs.size(), out);
  with_dimension(model_->dimension, [&](auto n) {
    const std::size_t stride = kernels::map_stride(n);
    for (const auto& [a, b] : pairs) {
      kernels::multiply(n, left + a * stride, right + b * stride, out);
      out += stride;
    }
  });
}

AlignedVector<double> Rig::table() const {
  constexpr std::size_t group = kernels::JointKeys::joints;
  AlignedVector<double> table(((steps_.size() + group - 1) / group * group + 1) * kernels::map_stride(model_->dimension));
  kernels::store(Affine(model_->dimension), table.data());
  return table;
}

std::shared_ptr<const animate::ClipPlan> Rig::plan(const Clip& clip) const {
  std::vector<Index> nodes;
  for (const Step& step : steps_) nodes.push_back(step.node);
  const bool plain = simd_ != nullptr && model_->avatar.constraints.empty();
  return !plain ? nullptr : std::make_shared<const animate::ClipPlan>(*model_, clip, nodes, *simd_);
}

void Rig::locals(const Pose& pose, std::span<double> out) const {
  with_dimension(model_->dimension, [&](auto n) {
    double* map = maps(out).data();
    for (const Step& step : steps_) {
      store_local(n, pose.locals[step.node], map);
      map += kernels::map_stride(n);
    }
  });
}

void Rig::world(std::span<const double> locals, std::span<double> out) const {
  multiply(out.data(), locals.data(), products_, maps(out).data());
}

/// Returns whether a step's local map differs from the stored one by more than the rounding of ClipPlan.
bool Rig::moved(std::uint32_t step, std::span<const double> locals) const {
  if (locals.empty()) return true;
  const std::size_t stride = kernels::column_stride(model_->dimension), first = (step + 1) * kernels::map_stride(model_->dimension);
  for (std::size_t column = 0; column <= model_->dimension; ++column) {
    double difference = 0, size = 0;
    for (std::size_t i = first + column * stride; i < first + (column + 1) * stride; ++i) {
      difference = std::max(difference, std::abs(locals[i] - rest_locals_[i]));
      size = std::max(size, std::abs(rest_locals_[i]));
    }
    if (!(difference <= 1e-14 * size)) return true;
  }
  return false;
}

/// World transforms of all nodes; those that do not matter are as stored.
std::vector<Affine> Rig::affine_worlds(std::span<const double> world) const {
  std::vector<Affine> worlds = *rest_world_;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    worlds[steps_[i].node] = kernels::affine_at(model_->dimension, &world[(i + 1) * kernels::map_stride(model_->dimension)]);
  return worlds;
}

Rig::Room Rig::room(Palette& out, std::size_t dimension, std::size_t maps) {
  if (out.dimension_ != dimension) out.clear(dimension);
  const std::size_t numbers = maps * kernels::map_stride(dimension);
  out.sizes_.resize(maps);
  out.exact_.resize(numbers);
  out.columns_.resize(numbers);
  return {out.exact_.data(), out.columns_.data(), out.sizes_.data()};
}

Result<> Rig::palette(std::size_t instance, std::span<const double> locals, std::span<const double> world, Palette& out) const {
  const Bound& bound = bound_[instance];
  const auto ask = [&] { return fill(*model_, instances_[instance], affine_worlds(world), *rest_world_, out); };
  if (bound.always_asked || std::ranges::any_of(bound.still, [&](std::uint32_t step) { return moved(step, locals); })) return ask();
  const std::size_t count = bound.slots.size(), stride = kernels::map_stride(model_->dimension);
  const auto [exact, columns, sizes] = room(out, model_->dimension, count);
  multiply(world.data(), binds_.data(), bound.products, exact);
  const bool fit = simd_ != nullptr ? simd_->round_maps(exact, count, columns, sizes) : with_dimension(model_->dimension, [&](auto n) {
    bool all = true;
    for (std::size_t i = 0; i < count; ++i) all &= finish_map(n, exact + i * stride, columns + i * stride, sizes[i]);
    return all;
  });
  if (fit) return {};
  return ask();  // reports the place
}

}  // namespace sinew::deform

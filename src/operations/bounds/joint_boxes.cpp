// SPDX-License-Identifier: MIT
#include "operations/bounds/joint_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "deform/bind.hpp"
#include "model/place.hpp"

namespace sinew::operations {

namespace {

constexpr float float_max = std::numeric_limits<float>::max();
constexpr double first_overflow = 0x1.ffffffp127;  // the smallest number that is infinite as a float

/// The vertices of an instance that a slot influences, in the joint's space.
class InJoint {
 public:
  InJoint(const Clusters& clusters, std::span<const double> amounts, const std::optional<AmountRange>& range)
      : clusters_(clusters), amounts_(amounts), range_(range) {}

  void add(const Affine& joint_from_mesh, std::uint32_t vertex, Extent& out) const {
    const std::size_t n = clusters_.dimension();
    double low[max_dimension], high[max_dimension], size[max_dimension] = {};
    std::fill_n(size, n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      low[i] = high[i] = joint_from_mesh.translation(i);
      size[i] = std::abs(low[i]);
    }
    const auto move = [&](const double* vector, double least, double most) {
      for (std::size_t i = 0; i < n; ++i) {
        double moved = 0;
        for (std::size_t j = 0; j < n; ++j) {
          moved += joint_from_mesh(i, j) * vector[j];
          size[i] += std::abs(joint_from_mesh(i, j) * vector[j]) * std::max(std::abs(least), std::abs(most));
        }
        low[i] += std::min(least * moved, most * moved);
        high[i] += std::max(least * moved, most * moved);
      }
    };
    move(clusters_.position(vertex), 1, 1);
    const auto shapes = clusters_.shapes(vertex);
    for (std::size_t s = 0; s < shapes.size(); ++s) {
      const double stored = range_ ? 0 : amounts_[shapes[s]];
      move(clusters_.offsets(vertex) + s * n, range_ ? range_->least : stored, range_ ? range_->most : stored);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double rounding = 64 * std::numeric_limits<double>::epsilon() * size[i];
      out.add(i, low[i] - rounding, high[i] + rounding);
    }
  }

 private:
  const Clusters& clusters_;
  std::span<const double> amounts_;
  const std::optional<AmountRange>& range_;
};

}  // namespace

bool fits(const Extent& extent, std::size_t dimension) {
  if (extent.empty()) return true;
  for (std::size_t i = 0; i < dimension; ++i)
    if (!(extent.low[i] > -first_overflow && extent.high[i] < first_overflow)) return false;
  return true;
}

Extent in_float(Extent extent) {
  for (std::size_t i = 0; !extent.empty() && i < max_dimension; ++i) {
    extent.low[i] = std::max(extent.low[i], -static_cast<double>(float_max));
    extent.high[i] = std::min(extent.high[i], static_cast<double>(float_max));
  }
  return extent;
}

Box rounded(const Extent& extent, std::size_t dimension) {
  Box box;
  for (std::size_t i = 0; !extent.empty() && i < dimension; ++i) {
    auto low = static_cast<float>(extent.low[i]), high = static_cast<float>(extent.high[i]);
    if (static_cast<double>(low) > extent.low[i]) low = std::nextafter(low, -float_max);
    if (static_cast<double>(high) < extent.high[i]) high = std::nextafter(high, float_max);
    box.min.push_back(low + 0.0F);  // no negative zeros
    box.max.push_back(high + 0.0F);
  }
  return box;
}

Unexpected overflow(const Model& model, Index node) {
  return Unexpected(error("SINEW_TRANSFORM_NOT_FINITE"_code, Failure::input, place_of(model, model.nodes[node]),
                          format_text("node {}, or a bound of it between two keys,", node)));
}

std::vector<Bounds::OfJoint> joint_boxes(const Model& model, const std::vector<Instance>& instances,
                                         std::span<const Clusters* const> clusters, const std::optional<AmountRange>& range) {
  std::map<Index, Extent> boxes;  // by node
  const std::vector<Affine> rest_world = need(world_transforms(model, model.rest_pose));
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (instances[i].skin == none) continue;
    const Skin& skin = model.skins[instances[i].skin];
    std::vector<Extent*> of_slot(skin.slots.size() + 1);
    std::vector<Affine> binds(skin.slots.size());
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      if (skin.slots[slot] == none) continue;
      Extent& box = boxes[skin.slots[slot]];
      const auto bind = deform::joint_from_mesh(model, skin, slot, instances[i].node, rest_world);
      if (!bind) continue;  // bound to nothing
      of_slot[slot] = &box;
      binds[slot] = *bind;
    }
    const InJoint in_joint(*clusters[i], model.rest_pose.amounts[instances[i].node], range);
    for (std::uint32_t vertex = 0; vertex < clusters[i]->vertices(); ++vertex)
      for (const std::uint32_t slot : clusters[i]->slots(vertex))
        if (of_slot[slot] != nullptr) in_joint.add(binds[slot], vertex, *of_slot[slot]);
  }
  std::vector<Bounds::OfJoint> out;
  for (const auto& [node, extent] : boxes) {
    out.push_back({node, fits(extent, model.dimension) ? rounded(extent, model.dimension) : Box()});
  }
  return out;
}

}  // namespace sinew::operations

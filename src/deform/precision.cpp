// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "deform/packed.hpp"

namespace sinew::deform {

namespace {

constexpr double double_rounding = 0x1p-53;
constexpr double least_float = 0x1p-149;
/// Weights, relative to the largest sum, that are noise: they change nothing, wherever their joints are.
constexpr double noise = 0x1p-110;

void measure_positions(Prepared::Packed& packed) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  std::vector<float> low(packed.dimension, infinite), high(packed.dimension, -infinite);
  double largest = 0, largest_offset = 0;
  packed.shape_reach.assign(packed.shapes, 0);
  for (const PackedBlock& block : packed.blocks) {
    const List<float>& values = block.positions.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t axis = i % packed.dimension;
      low[axis] = std::min(low[axis], values[i]);
      high[axis] = std::max(high[axis], values[i]);
      largest = std::max<double>(largest, std::abs(values[i]));
    }
    for (const PackedOffsets& offsets : block.positions.offsets) {
      double& reach = packed.shape_reach[offsets.shape];
      for (const float value : offsets.values) reach = std::max<double>(reach, std::abs(value));
      largest_offset = std::max(largest_offset, reach);
    }
  }
  packed.reach = largest + largest_offset;
  for (std::size_t axis = 0; axis < packed.dimension; ++axis)
    if (high[axis] >= low[axis]) packed.extent = std::max(packed.extent, static_cast<double>(high[axis]) - static_cast<double>(low[axis]));
}

void measure_weights(Prepared::Packed& packed) {
  std::vector<double> largest(packed.slots + 1, -1);
  for (std::size_t b = 0; b < packed.blocks.size(); ++b) {
    const PackedBlock& block = packed.blocks[b];
    if (!block.skinned && block.vertices != 0) {
      largest[packed.slots] = packed.largest_sum = std::max(packed.largest_sum, 1.0);
      packed.most_in_float = std::max(packed.most_in_float, 1.0);
      if (packed.heaviest.size < 1) packed.heaviest = {1, 1, b, 0};
    }
    const kernels::InfluenceRows rows = block.influences();
    for (std::size_t v = 0; block.skinned && v < block.vertices; ++v) {
      double size = 0, size_in_double = 0, sum = 0;
      for (std::uint32_t i = rows.first[v]; i < rows.first[v + 1]; ++i) {
        const double weight = rows.weight_as<double>(i), rounded = std::abs(static_cast<double>(rows.weight[i]));
        size += rounded;
        size_in_double += std::abs(weight);
        sum += weight;
        largest[rows.slot[i]] = std::max(largest[rows.slot[i]], rounded);
      }
      packed.most_influences = std::max(packed.most_influences, rows.first[v + 1] - rows.first[v]);
      packed.largest_sum = std::max(packed.largest_sum, std::abs(sum));
      packed.most_in_float = std::max(packed.most_in_float, size);
      if (size_in_double > packed.heaviest.size) packed.heaviest = {size_in_double, sum, b, v};
    }
  }
  if (!packed.order.empty() && packed.heaviest.size > 0) {  // back to the stored order
    const std::size_t first = packed.blocks[packed.heaviest.block].first;
    packed.heaviest.vertex = packed.order[first + packed.heaviest.vertex] - first;
  }
  for (std::uint32_t slot = 0; slot < largest.size(); ++slot) {
    if (largest[slot] < 0) continue;
    packed.used_slots.push_back(slot);
    packed.used_weights.push_back(largest[slot] > noise * packed.most_in_float ? largest[slot] : 0);
  }
}

/// Sizes of the results of a palette.
struct Sizes {
  double reach = 0;     ///< no coordinate of a term, without its weight, is larger
  double linear = 0;    ///< no row of a map is larger
  double size = 0;      ///< about the longest side of the result
  double smallest = 0;  ///< the same for the joint that makes the mesh smallest, with its largest weight; 0: all maps are flat
};

Sizes sizes_of(const Prepared::Packed& packed, const Palette& palette) {
  Sizes out;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < packed.used_slots.size(); ++i) {
    const Palette::MapSize& map = palette.map_size(packed.used_slots[i]);
    out.reach = std::max(out.reach, map.linear * packed.reach + map.translation);
    out.linear = std::max(out.linear, map.linear);
    const double share = packed.used_weights[i] * map.linear;
    if (share > 0) smallest = std::min(smallest, share);
  }
  out.size = out.linear * packed.extent;
  if (std::isfinite(smallest)) out.smallest = smallest * packed.extent;
  return out;
}

/// The largest sum of |amount| · |coordinate of an offset|, and the number of shapes that count.
struct Blend {
  double size = 0;
  std::size_t shapes = 0;
};

Blend blend_of(const Prepared::Packed& packed, std::span<const double> amounts) {
  Blend out;
  for (std::size_t shape = 0; shape < std::min(amounts.size(), packed.shape_reach.size()); ++shape) {
    if (amounts[shape] == 0 || packed.shape_reach[shape] == 0) continue;
    out.size += std::abs(amounts[shape]) * packed.shape_reach[shape];
    ++out.shapes;
  }
  return out;
}

}  // namespace

void measure(Prepared::Packed& packed) {
  measure_positions(packed);
  measure_weights(packed);
}

double most_blended(std::size_t shapes) { return 80 / std::sqrt(static_cast<double>(std::max<std::size_t>(shapes, 1))); }

Underflow underflow(const Prepared::Packed& packed, double reach) {
  double offsets = 0;
  for (const double shape : packed.shape_reach) offsets += shape;
  const auto n = static_cast<double>(packed.dimension), products = static_cast<double>(packed.most_influences) + 2 + packed.most_in_float;
  return {least_float * products * (n * reach + 2), least_float * (static_cast<double>(packed.shapes) + offsets)};
}

/// Products and sums of a map are rounded relative to Σ |weight| · (|L|·|v| + |t|), but the result has a size of about |Σ weight| ·
/// |L|·extent. If the first is much larger (weights of opposite signs; vertices far from the origin that the palette moves back; a model
/// far from the world's origin), the kernels run in double. 16 · 7 roundings · 2⁻²⁴ is about 7e-6. More influences than 8 take more
/// roundings.
bool needs_double(const Prepared::Packed& packed, const Palette& palette, std::span<const double> amounts) {
  if (packed.cancels()) return true;
  const Sizes sizes = sizes_of(packed, palette);
  const double more = packed.most_in_float > 1.01 * packed.largest_sum ? packed.most_in_float / packed.largest_sum : 1;
  const double factor = packed.most_influences <= 8 ? 16 : 160 / (static_cast<double>(packed.most_influences) + 7);
  if (sizes.reach * more > factor * sizes.size) return true;
  const Blend blend = packed.shapes == 0 ? Blend() : blend_of(packed, amounts);
  if (blend.shapes != 0 && blend.size > most_blended(blend.shapes) * packed.extent) return true;
  const Underflow lost = underflow(packed, packed.reach + blend.size);
  if (lost.position > most_underflow * sizes.smallest || (blend.shapes != 0 && lost.blend > most_underflow * packed.extent)) return true;
  constexpr double most = 0x1p120;  // products and sums stay far below the largest float
  return !(packed.reach + blend.size < most && std::max(1.0, packed.most_in_float) * (sizes.reach + sizes.linear) < most);
}

bool too_inexact(const Prepared::Packed& packed, const Palette& palette) {
  if (packed.heaviest.size <= 0x1p20 * (packed.largest_sum > 0 ? packed.largest_sum : 1)) return false;
  const Sizes sizes = sizes_of(packed, palette);
  const double roundings = static_cast<double>(packed.most_influences) + static_cast<double>(packed.dimension) + 8;
  return roundings * double_rounding * packed.heaviest.size * sizes.reach > 1e-5 * packed.largest_sum * sizes.size;
}

}  // namespace sinew::deform

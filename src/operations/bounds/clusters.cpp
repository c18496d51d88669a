// SPDX-License-Identifier: MIT
#include "operations/bounds/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "deform/packed.hpp"
#include "math/dimension.hpp"
#include "math/extent.hpp"
#include "math/spectral_norm.hpp"
#include "operations/bounds/track_growth.hpp"

namespace sinew::operations {

namespace {

constexpr std::uint32_t leaf_size = 16, fan_out = 8;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// Interleaves the bits of a grid position (Morton order), with as many bits per axis as fit.
std::uint64_t place_in_grid(const float* position, std::size_t n, const double* low, const double* scale, unsigned bits) {
  std::uint64_t key = 0;
  for (unsigned bit = bits; bit-- > 0;)
    for (std::size_t axis = 0; axis < n; ++axis) {
      const auto cell = static_cast<std::uint64_t>((static_cast<double>(position[axis]) - low[axis]) * scale[axis]);
      key = key << 1 | (cell >> bit & 1);
    }
  return key;
}

/// Stores the lowest and the highest value of each axis as a middle and half sides that contain both.
void store_box(std::size_t n, const double* low, const double* high, std::vector<double>& boxes) {
  const std::size_t begin = boxes.size();
  boxes.resize(begin + 2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const double middle = low[i] + (high[i] - low[i]) / 2;
    boxes[begin + i] = middle;
    boxes[begin + n + i] = std::max(high[i] - middle, middle - low[i]) * (1 + 4 * std::numeric_limits<double>::epsilon());
  }
}

/// For vertices that do not have the slot.
void include_zero(Clusters::Share& share) {
  share.least = std::min(share.least, 0.0);
  share.most = std::max(share.most, 0.0);
}

}  // namespace

Clusters::Clusters(const deform::Prepared& prepared, std::span<const Affine> binds, const std::vector<bool>& shapes,
                   const std::optional<AmountRange>& range)
    : n_(prepared.dimension()), prepared_(prepared) {
  sort(prepared);
  copy(prepared, shapes);
  measure(range, shapes.size());
  for (const Affine& bind : binds) {
    bind_norms_.push_back(spectral_norm(bind));
    bind_distances_.push_back(norm(bind.values().subspan(n_ * n_)));
  }
  build(binds, range);
}

void Clusters::sort(const deform::Prepared& prepared) {
  const deform::Prepared::Packed& packed = prepared.packed();
  Extent corners;
  for (const deform::PackedBlock& block : packed.blocks)
    for (std::size_t i = 0; i < block.vertices * n_; ++i) corners.add(i % n_, block.positions.values[i], block.positions.values[i]);
  const unsigned bits = static_cast<unsigned>(std::min<std::size_t>(16, n_ == 0 ? 0 : 40 / n_));
  double scale[max_dimension];
  for (std::size_t i = 0; i < n_; ++i)
    scale[i] = corners.high[i] > corners.low[i] ? ((1U << bits) - 1) / (corners.high[i] - corners.low[i]) : 0;
  struct Entry {
    std::uint64_t key;
    std::uint32_t vertex, group;
  };
  std::vector<Entry> entries;
  entries.reserve(packed.vertices);
  for (const deform::PackedBlock& block : packed.blocks)
    for (std::size_t v = 0; v < block.vertices; ++v) {
      auto group = static_cast<std::uint32_t>(packed.slots);
      float heaviest = -1;
      for (std::uint32_t i = block.skinned ? block.row_first[v] : 0; i < (block.skinned ? block.row_first[v + 1] : 0); ++i)
        if (std::abs(block.weight[i]) > heaviest) {
          heaviest = std::abs(block.weight[i]);
          group = block.slot[i];
        }
      const std::uint64_t place = place_in_grid(&block.positions.values[v * n_], n_, corners.low, scale, bits);
      entries.push_back({place, static_cast<std::uint32_t>(block.first + v), group});
    }
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return a.group != b.group ? a.group < b.group : a.key != b.key ? a.key < b.key : a.vertex < b.vertex;
  });
  for (const Entry& entry : entries) {
    order_.push_back(entry.vertex);
    group_.push_back(entry.group);
  }
}

/// Adds an influence to the current row. A slot that the row already has gets the sum of both weights.
void Clusters::add_influence(std::uint32_t slot, double weight, double size) {
  const auto found = std::find(slots_.begin() + influence_first_.back(), slots_.end(), slot);
  if (found != slots_.end()) {
    const auto at = static_cast<std::size_t>(found - slots_.begin());
    weights_[at] += weight;
    weight_sizes_[at] += size;
    return;
  }
  slots_.push_back(slot);
  weights_.push_back(weight);
  weight_sizes_.push_back(size);
}

void Clusters::copy(const deform::Prepared& prepared, const std::vector<bool>& shapes) {
  const deform::Prepared::Packed& packed = prepared.packed();
  std::vector<std::uint32_t> place(order_.size());
  positions_.reserve(order_.size() * n_);
  influence_first_.push_back(0);
  for (std::uint32_t at = 0; at < order_.size(); ++at) {
    const std::uint32_t vertex = order_[at];
    place[vertex] = at;
    const auto after = std::ranges::upper_bound(packed.blocks, vertex, {}, &deform::PackedBlock::first);
    const deform::PackedBlock& block = *std::prev(after);
    const std::size_t v = vertex - block.first;
    positions_.insert(positions_.end(), &block.positions.values[v * n_], &block.positions.values[v * n_] + n_);
    if (block.skinned) {
      for (std::uint32_t i = block.row_first[v]; i < block.row_first[v + 1]; ++i) {
        const double weight = block.influences().weight_as<double>(i);
        add_influence(block.slot[i], weight, std::abs(packed.cancels() ? weight : static_cast<double>(block.weight[i])));
      }
    } else {
      add_influence(static_cast<std::uint32_t>(packed.slots), 1, 1);
    }
    influence_first_.push_back(static_cast<std::uint32_t>(slots_.size()));
  }

  // Calls `take` for offsets other than 0, in the order of the shapes.
  const auto each_offset = [&](const auto& take) {
    for (const deform::PackedBlock& block : packed.blocks)
      for (const deform::PackedOffsets& offsets : block.positions.offsets) {
        if (offsets.shape >= shapes.size() || !shapes[offsets.shape]) continue;
        for (std::size_t row = 0; row < offsets.values.size() / n_; ++row) {
          const float* values = &offsets.values[row * n_];
          if (std::all_of(values, values + n_, [](float x) { return x == 0; })) continue;
          take(place[block.first + (offsets.sparse ? offsets.rows[row] : row)], offsets.shape, values);
        }
      }
  };
  offset_first_.assign(order_.size() + 1, 0);
  each_offset([&](std::uint32_t at, Index, const float*) { ++offset_first_[at + 1]; });
  for (std::size_t i = 1; i < offset_first_.size(); ++i) offset_first_[i] += offset_first_[i - 1];
  shapes_.resize(offset_first_.back());
  offsets_.resize(shapes_.size() * n_);
  std::vector<std::uint32_t> next(offset_first_.begin(), offset_first_.end() - 1);
  each_offset([&](std::uint32_t at, Index shape, const float* values) {
    shapes_[next[at]] = shape;
    std::copy_n(values, n_, &offsets_[next[at]++ * n_]);
  });
}

/// Each product and each sum in the kernels, in any order, adds at most half a unit in the last place of a float (2⁻²⁴ of the value).
/// Counted are: the map, the weight times the map and its sum, the map times the position and its sum, the blended position and its sum,
/// and the result. Sums in double lose as much in units of a double, and then half a unit of a float in the result.
void Clusters::measure(const std::optional<AmountRange>& range, std::size_t most_shapes) {
  const deform::Prepared::Packed& packed = prepared_.packed();
  std::uint32_t blended = 0;
  for (std::size_t v = 0; v < order_.size(); ++v) blended = std::max(blended, offset_first_[v + 1] - offset_first_[v]);
  const auto roundings = static_cast<double>(2 * packed.most_influences + 2 * n_ + 2 * blended + 8);
  rounding_ = roundings * (packed.cancels() ? 0x1p-53 : 0x1p-24) * 1.01;
  last_rounding_ = packed.cancels() ? 0x1p-24 * 1.01 : 0;
  for (const double x : positions_) reach_ = std::max(reach_, std::abs(x));
  shape_reach_.assign(most_shapes, 0);
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    for (std::size_t axis = 0; axis < n_; ++axis)
      shape_reach_[shapes_[i]] = std::max(shape_reach_[shapes_[i]], std::abs(offsets_[i * n_ + axis]));
  if (range)
    for (double& reach : shape_reach_) reach_ += std::exchange(reach, 0) * std::max(std::abs(range->least), std::abs(range->most));
}

double Clusters::most_blended() const { return deform::most_blended(1) * prepared_.packed().extent; }

/// Float is used only if it loses at most most_underflow of the size that some used joint, with its weight, gives the mesh.
double Clusters::underflow(std::span<const double> sizes, double reach) const {
  if (in_double()) return 0;
  const deform::Prepared::Packed& packed = prepared_.packed();
  const deform::Underflow lost = deform::underflow(packed, reach);
  double largest = 0, weighted = 0;
  for (std::size_t i = 0; i < packed.used_slots.size(); ++i) {
    largest = std::max(largest, sizes[packed.used_slots[i]]);
    weighted = std::max(weighted, packed.used_weights[i] * sizes[packed.used_slots[i]]);
  }
  const double blend = packed.shapes == 0 ? 0 : std::min(lost.blend, deform::most_underflow * packed.extent);
  return std::min(lost.position, deform::most_underflow * weighted * packed.extent) + blend * packed.most_in_float * largest;
}

/// Computes the box of a vertex over all blends in the range; returns the farthest distance that a blend moves it.
double Clusters::blended_box(std::uint32_t vertex, const AmountRange& range, double* low, double* high, double* size) const {
  double farthest = 0;
  for (std::size_t s = 0; s < shapes(vertex).size(); ++s) {
    const std::span offset(offsets(vertex) + s * n_, n_);
    for (std::size_t i = 0; i < n_; ++i) {
      low[i] += std::min(range.least * offset[i], range.most * offset[i]);
      high[i] += std::max(range.least * offset[i], range.most * offset[i]);
      size[i] += std::max(std::abs(range.least), std::abs(range.most)) * std::abs(offset[i]);
    }
    farthest += norm(offset) * std::max(std::abs(range.least), std::abs(range.most));
  }
  return farthest;
}

/// Computes the shares of a leaf. `blended`: how far a blend moves each vertex.
void Clusters::add_shares(Node& leaf, std::span<const Affine> binds, std::span<const double> blended) {
  double joint[max_dimension];
  for (std::uint32_t v = leaf.vertices.first; v < leaf.vertices.last; ++v) {
    double sum = 0;
    for (std::size_t k = 0; k < slots(v).size(); ++k) {
      const std::uint32_t slot = slots(v)[k];
      const double weight = weights(v)[k], excess = std::max(0.0, weight_sizes(v)[k] - std::abs(weight));
      sum += weight;
      binds[slot].apply({position(v), n_}, {joint, n_});
      const double radius = norm({joint, n_}) + blended[v - leaf.vertices.first] * bind_norms_[slot];
      const auto found = std::find_if(shares_.begin() + leaf.shares.first, shares_.end(), [&](const Share& s) { return s.slot == slot; });
      if (found != shares_.end())
        *found = {slot, std::min(found->least, weight), std::max(found->most, weight), std::max(found->radius, radius),
                  std::max(found->excess, excess)};
      else
        shares_.push_back({slot, weight, weight, radius, excess});
    }
    leaf.least_sum = std::min(leaf.least_sum, sum);
    leaf.most_sum = std::max(leaf.most_sum, sum);
  }
  leaf.shares.last = static_cast<std::uint32_t>(shares_.size());
  for (std::size_t s = leaf.shares.first; s < shares_.size(); ++s)
    for (std::uint32_t v = leaf.vertices.first; v < leaf.vertices.last; ++v)
      if (std::ranges::find(slots(v), shares_[s].slot) == slots(v).end()) {
        include_zero(shares_[s]);
        break;
      }
}

/// Computes the drifts of a leaf.
void Clusters::add_drifts(Node& leaf) {
  std::vector<std::uint32_t> met;
  for (std::uint32_t v = leaf.vertices.first; v < leaf.vertices.last; ++v) met.insert(met.end(), shapes(v).begin(), shapes(v).end());
  std::ranges::sort(met);
  met.erase(std::unique(met.begin(), met.end()), met.end());
  const std::vector<double> zeros(n_);
  for (const std::uint32_t shape : met) {
    Extent moved;
    double reach = 0;
    for (std::uint32_t v = leaf.vertices.first; v < leaf.vertices.last; ++v) {
      const auto found = std::ranges::find(shapes(v), shape);
      const double* offset =
          found == shapes(v).end() ? zeros.data() : offsets(v) + static_cast<std::size_t>(found - shapes(v).begin()) * n_;
      for (std::size_t i = 0; i < n_; ++i) moved.add(i, offset[i], offset[i]);
      reach = std::max(reach, norm({offset, n_}));
    }
    drifts_.push_back({shape, reach});
    store_box(n_, moved.low, moved.high, drift_boxes_);
  }
  leaf.drifts.last = static_cast<std::uint32_t>(drifts_.size());
}

Clusters::Node Clusters::begin_node(Run vertices, Run children) const {
  const auto shares = static_cast<std::uint32_t>(shares_.size()), drifts = static_cast<std::uint32_t>(drifts_.size());
  return {vertices, children, {shares, shares}, {drifts, drifts}, infinite, -infinite};
}

void Clusters::add_leaf(Run vertices, std::span<const Affine> binds, const std::optional<AmountRange>& range) {
  Node leaf = begin_node(vertices, {});
  Extent corners;
  double low[max_dimension], high[max_dimension], size[max_dimension];
  std::vector<double> blended, sizes(n_);
  for (std::uint32_t v = vertices.first; v < vertices.last; ++v) {
    for (std::size_t i = 0; i < n_; ++i) {
      low[i] = high[i] = position(v)[i];
      size[i] = std::abs(low[i]);
    }
    blended.push_back(range ? blended_box(v, *range, low, high, size) : 0);
    for (std::size_t i = 0; i < n_; ++i) {
      corners.add(i, low[i], high[i]);
      sizes[i] = std::max(sizes[i], size[i]);
    }
  }
  sizes_.insert(sizes_.end(), sizes.begin(), sizes.end());
  store_box(n_, corners.low, corners.high, boxes_);
  add_shares(leaf, binds, blended);
  if (!range) add_drifts(leaf);
  nodes_.push_back(leaf);
}

void Clusters::add_parent(Run children) {
  Node parent = begin_node({nodes_[children.first].vertices.first, nodes_[children.last - 1].vertices.last}, children);
  Extent corners;
  std::vector<double> sizes(n_);
  for (std::uint32_t c = children.first; c < children.last; ++c) {
    const double* box = &boxes_[c * 2 * n_];
    for (std::size_t i = 0; i < n_; ++i) {
      corners.add(i, box[i] - box[n_ + i], box[i] + box[n_ + i]);
      sizes[i] = std::max(sizes[i], sizes_[c * n_ + i]);
    }
    parent.least_sum = std::min(parent.least_sum, nodes_[c].least_sum);
    parent.most_sum = std::max(parent.most_sum, nodes_[c].most_sum);
  }
  sizes_.insert(sizes_.end(), sizes.begin(), sizes.end());
  store_box(n_, corners.low, corners.high, boxes_);
  join_shares(parent);
  join_drifts(parent);
  nodes_.push_back(parent);
}

void Clusters::join_shares(Node& parent) {
  std::vector<std::uint32_t> met;  // children with each share
  for (std::uint32_t c = parent.children.first; c < parent.children.last; ++c)
    for (std::uint32_t s = nodes_[c].shares.first; s < nodes_[c].shares.last; ++s) {
      const Share share = shares_[s];
      const auto found =
          std::find_if(shares_.begin() + parent.shares.first, shares_.end(), [&](const Share& o) { return o.slot == share.slot; });
      if (found != shares_.end()) {
        ++met[static_cast<std::size_t>(found - shares_.begin()) - parent.shares.first];
        *found = {share.slot, std::min(found->least, share.least), std::max(found->most, share.most), std::max(found->radius, share.radius),
                  std::max(found->excess, share.excess)};
      } else {
        met.push_back(1);
        shares_.push_back(share);
      }
    }
  parent.shares.last = static_cast<std::uint32_t>(shares_.size());
  for (std::size_t s = 0; s < met.size(); ++s)
    if (met[s] != parent.children.size()) include_zero(shares_[parent.shares.first + s]);
}

void Clusters::join_drifts(Node& parent) {
  struct Moved {
    double reach = 0;
    std::uint32_t children = 0;
    Extent corners;
  };
  std::map<std::uint32_t, Moved> drifts;  // by shape
  for (std::uint32_t c = parent.children.first; c < parent.children.last; ++c)
    for (std::uint32_t d = nodes_[c].drifts.first; d < nodes_[c].drifts.last; ++d) {
      Moved& moved = drifts[drifts_[d].shape];
      moved.reach = std::max(moved.reach, drifts_[d].reach);
      ++moved.children;
      const double* box = drift_box(d);
      for (std::size_t i = 0; i < n_; ++i) moved.corners.add(i, box[i] - box[n_ + i], box[i] + box[n_ + i]);
    }
  for (auto& [shape, moved] : drifts) {
    for (std::size_t i = 0; moved.children != parent.children.size() && i < n_; ++i) moved.corners.add(i, 0, 0);
    drifts_.push_back({shape, moved.reach});
    store_box(n_, moved.corners.low, moved.corners.high, drift_boxes_);
  }
  parent.drifts.last = static_cast<std::uint32_t>(drifts_.size());
}

/// Builds one tree for each group.
void Clusters::build(std::span<const Affine> binds, const std::optional<AmountRange>& range) {
  const auto count = static_cast<std::uint32_t>(order_.size());
  for (std::uint32_t first = 0, last = 0; first < count; first = last) {
    for (last = first; last < count && group_[last] == group_[first];) ++last;
    Run level{static_cast<std::uint32_t>(nodes_.size()), 0};
    for (std::uint32_t v = first; v < last; v += leaf_size) add_leaf({v, std::min(last, v + leaf_size)}, binds, range);
    level.last = static_cast<std::uint32_t>(nodes_.size());
    while (level.size() > 1) {
      for (std::uint32_t c = level.first; c < level.last; c += fan_out) add_parent({c, std::min(level.last, c + fan_out)});
      level = {level.last, static_cast<std::uint32_t>(nodes_.size())};
    }
    roots_.push_back(level.first);
  }
}

}  // namespace sinew::operations

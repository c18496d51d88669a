// SPDX-License-Identifier: MIT
#include "validate/influence_scan.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>

#include "base/parallel.hpp"

namespace sinew::validate {

namespace {

constexpr std::size_t chunk = 1024;        // vertices decoded at once: as many as fit in the first-level cache
constexpr std::size_t grain = 64 * chunk;  // vertices per thread that justify its cost

class BlockScan {
 public:
  // `scan` has one block for the counts of this one.
  BlockScan(const VertexBlock& block, InfluenceScan& scan) : block_(block), scan_(scan), width_(scan.slots.dimension()), run_(width_) {
    const std::size_t most = std::min<std::size_t>(chunk, block.vertices);
    used_.resize(most);
    moved_.resize(most);
    run_.grow(1);
    const Attribute* positions = find_attribute(block.attributes, Semantic::position);
    if (positions != nullptr && positions->index.empty() && positions->values.size() == block.vertices &&
        positions->values.width() == width_)
      positions_ = &positions->values;
    points_.resize(most * width_ + SlotBoxes::slack);
  }

  void run(std::size_t begin, std::size_t end) {
    const Influences& influences = block_.influences;
    BlockInfluences& counted = scan_.blocks.front();
    counted.vertices = end - begin;
    for (std::size_t first = begin; first < end; first += chunk) {
      const std::size_t count = std::min(chunk, end - first);
      if (positions_ != nullptr) positions_->read(first, count, points_.data());
      std::fill_n(used_.begin(), count, 0U);
      std::fill_n(moved_.begin(), count, 0U);
      for (const Influences::Set& set : influences.sets) {  // glTF: sets of four
        read(set.joints, set.weights, first, count, 4);
        entries(count, [](std::size_t i) { return i * 4; });
      }
      if (influences.sets.empty()) {  // G4MF: a run of entries per vertex
        const std::uint32_t* starts = influences.first.data() + first;
        read(influences.slots, influences.weights, starts[0], starts[count] - starts[0], 1);
        entries(count, [&](std::size_t i) { return std::size_t{starts[i] - starts[0]}; });
      }
      add_counts(counted, first, count);
    }
  }

 private:
  void read(const Array& slots, const Array& weights, std::size_t first, std::size_t count, std::size_t width) {
    slots_.resize(std::max(slots_.size(), count * width));
    weights_.resize(slots_.size());
    slots.read(first, count, slots_.data());
    weights.read(first, count, weights_.data());
  }

  // Vertex i has the entries from start(i) to start(i + 1). Neighbours are mostly moved by the same joints, so the box around a run of them
  // is computed first and then added to each joint. A vertex without entries does not move.
  template <class Start>
  void entries(std::size_t count, Start start) {
    const float* weights = weights_.data();
    std::uint32_t *slots = slots_.data(), *total = used_.data(), *any = moved_.data();
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t used = 0, moved = start(i) == start(i + 1);
      for (std::size_t k = start(i); k < start(i + 1); ++k) {
        used += weights[k] != 0;
        moved |= static_cast<std::uint32_t>(weights[k] > 0);
      }
      total[i] += used;
      any[i] |= moved;
    }
    for (std::size_t k = 0; k < start(count); ++k) slots[k] = weights[k] != 0 ? slots[k] : none;
    for (std::size_t i = 0, end = 0; i < count; i = end) {
      const std::size_t first = start(i), size = start(i + 1) - first;
      run_.clear(0);
      do ++end;
      while (end < count && start(end + 1) - start(end) == size && std::equal(slots + first, slots + first + size, slots + start(end)));
      if (positions_ != nullptr) run_.add(0, points_.data() + i * width_, end - i);
      scan_.whole.add(0, run_, 0);
      for (std::size_t k = first; k < first + size; ++k)
        if (slots[k] != none) scan_.slots.add(slots[k], run_, 0);
    }
  }

  void add_counts(BlockInfluences& counted, std::size_t first, std::size_t count) const {
    const auto used = std::span(used_).first(count), moved = std::span(moved_).first(count);
    const auto weightless = static_cast<std::size_t>(std::ranges::count(moved, 0U));
    if (weightless > 0 && counted.weightless == 0)
      counted.first_weightless = first + static_cast<std::size_t>(std::ranges::find(moved, 0U) - moved.begin());
    counted.weightless += weightless;
    counted.many += static_cast<std::size_t>(std::ranges::count_if(used, [](std::uint32_t n) { return n > usual_influences; }));
    counted.most = std::max<std::size_t>(counted.most, std::ranges::max(used));
  }

  const VertexBlock& block_;
  InfluenceScan& scan_;
  std::size_t width_;
  SlotBoxes run_;
  const Array* positions_ = nullptr;
  std::vector<float> points_, weights_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint32_t> used_;   // by vertex: weights that are not 0
  std::vector<std::uint32_t> moved_;  // by vertex: 0 if it has weights and none is above 0
};

}  // namespace

void SlotBoxes::grow(std::size_t slots) {
  const std::size_t known = size();
  touched_.resize(slots);
  boxes_.resize(slots * 2 * stride_);
  for (std::size_t slot = known; slot < slots; ++slot) clear(slot);
}

void SlotBoxes::clear(std::size_t slot) {
  touched_[slot] = 0;
  std::fill_n(boxes_.data() + slot * 2 * stride_, stride_, std::numeric_limits<float>::infinity());
  std::fill_n(boxes_.data() + (slot * 2 + 1) * stride_, stride_, -std::numeric_limits<float>::infinity());
}

// Four columns at a time, each with one instruction.
void SlotBoxes::add(std::size_t slot, const float* points, std::size_t count) {
  if (slot >= size()) grow(slot + 1);
  for (std::size_t first = 0; first < stride_; first += 4) {
    float* corners = boxes_.data() + slot * 2 * stride_ + first;
    std::array<float, 4> low, high;
    std::copy_n(corners, 4, low.begin());
    std::copy_n(corners + stride_, 4, high.begin());
    for (const float *point = points + first, *end = point + count * dimension_; point != end; point += dimension_) {
      for (std::size_t c = 0; c < 4; ++c) low[c] = point[c] < low[c] ? point[c] : low[c];
      for (std::size_t c = 0; c < 4; ++c) high[c] = point[c] > high[c] ? point[c] : high[c];
    }
    std::ranges::copy(low, corners);
    std::ranges::copy(high, corners + stride_);
  }
}

void SlotBoxes::add(std::size_t slot, const SlotBoxes& other, std::size_t from) {
  if (slot >= size()) grow(slot + 1);
  if (!other.has_box(from)) {
    touched_[slot] = 1;
    return;
  }
  float *low = boxes_.data() + slot * 2 * stride_, *high = low + stride_;
  const auto other_low = other.low(from), other_high = other.high(from);
  for (std::size_t c = 0; c < dimension_; ++c) {
    low[c] = std::min(low[c], other_low[c]);
    high[c] = std::max(high[c], other_high[c]);
  }
}

void SlotBoxes::add(const SlotBoxes& other) {
  for (std::size_t slot = 0; slot < other.size(); ++slot)
    if (other.used(slot)) add(slot, other, slot);
}

void BlockInfluences::add(const BlockInfluences& other) {
  if (other.weightless > 0) first_weightless = weightless > 0 ? std::min(first_weightless, other.first_weightless) : other.first_weightless;
  vertices += other.vertices;
  weightless += other.weightless;
  many += other.many;
  most = std::max(most, other.most);
}

namespace {

std::vector<ArrayKey> arrays_of(const VertexBlock& block) {
  std::vector<ArrayKey> out;
  if (const Attribute* positions = find_attribute(block.attributes, Semantic::position); positions != nullptr) {
    out.emplace_back(positions->values);
    out.emplace_back(positions->index);
  }
  for (const Influences::Set& set : block.influences.sets) {
    out.emplace_back(set.joints);
    out.emplace_back(set.weights);
  }
  return out;
}

// This takes a tenth of the time to validate a large skinned mesh, so it uses all cores.
InfluenceScan scan_block(const VertexBlock& block, std::size_t dimension) {
  const InfluenceScan nothing{SlotBoxes(dimension), SlotBoxes(dimension), {BlockInfluences()}};
  InfluenceScan scan = nothing;
  std::mutex adding;
  parallel_for(block.vertices, grain, 0, [&](std::size_t first, std::size_t last) {
    InfluenceScan piece = nothing;
    BlockScan(block, piece).run(first, last);
    const std::scoped_lock lock(adding);
    scan.slots.add(piece.slots);
    scan.whole.add(piece.whole);
    scan.blocks.front().add(piece.blocks.front());
  });
  return scan;
}

}  // namespace

InfluenceScan scan_influences(const Mesh& mesh, std::size_t dimension, InfluenceScans& scans) {
  InfluenceScan scan{SlotBoxes(dimension), SlotBoxes(dimension), {}};
  scan.blocks.resize(mesh.blocks.size());
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const VertexBlock& block = mesh.blocks[b];
    if (block.influences.empty()) continue;
    const bool shared = !block.influences.sets.empty();
    const InfluenceScan own = shared ? InfluenceScan{SlotBoxes(dimension), SlotBoxes(dimension), {}} : scan_block(block, dimension);
    const InfluenceScan& found = shared ? scans.of(arrays_of(block), block.vertices, [&] { return scan_block(block, dimension); }) : own;
    scan.slots.add(found.slots);
    scan.whole.add(found.whole);
    scan.blocks[b] = found.blocks.front();
  }
  return scan;
}

}  // namespace sinew::validate

// SPDX-License-Identifier: MIT
#include "validate/influence_scan.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

#include "base/parallel.hpp"

namespace sinew::validate {

namespace {

constexpr std::size_t chunk = 1024;        // vertices decoded at once: as many as fit in the first-level cache
constexpr std::size_t grain = 64 * chunk;  // vertices per thread that justify its cost

// Counts of one vertex's influences.
struct VertexCount {
  std::size_t influences = 0;
  bool moved = false;   // a weight is above 0
  bool listed = false;  // there are entries, even if all weights are 0

  void add(float weight) {
    influences += weight != 0;
    moved |= weight > 0;
    listed = true;
  }
};

class BlockScan {
 public:
  // `scan` has one block for the counts of this one.
  BlockScan(const VertexBlock& block, InfluenceScan& scan)
      : block_(block), scan_(scan), width_(scan.slots.dimension()), run_(width_), counts_(std::min<std::size_t>(chunk, block.vertices)) {
    run_.grow(1);
    const Attribute* positions = find_attribute(block.attributes, Semantic::position);
    if (positions != nullptr && positions->index.empty() && positions->values.size() == block.vertices &&
        positions->values.width() == width_)
      positions_ = &positions->values;
    points_.resize(counts_.size() * width_ + SlotBoxes::slack);
  }

  void run(std::size_t begin, std::size_t end) {
    const Influences& influences = block_.influences;
    BlockInfluences& counted = scan_.blocks.front();
    counted.vertices = end - begin;
    for (std::size_t first = begin; first < end; first += chunk) {
      const std::size_t count = std::min(chunk, end - first);
      if (positions_ != nullptr) positions_->read(first, count, points_.data());
      std::fill_n(counts_.begin(), count, VertexCount());
      for (const Influences::Set& set : influences.sets) {  // glTF: sets of four
        read(set.joints, set.weights, first, count, 4);
        entries(count, [](std::size_t i) { return i * 4; });
      }
      if (influences.sets.empty()) {  // G4MF: a run of entries per vertex
        const std::uint32_t* starts = influences.first.data() + first;
        read(influences.slots, influences.weights, starts[0], starts[count] - starts[0], 1);
        entries(count, [&](std::size_t i) { return std::size_t{starts[i] - starts[0]}; });
      }
      for (std::size_t i = 0; i < count; ++i) add(counted, first + i, counts_[i]);
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
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = start(i); k < start(i + 1); ++k) counts_[i].add(weights_[k]);
    std::uint32_t* slots = slots_.data();
    for (std::size_t k = 0; k < start(count); ++k) slots[k] = weights_[k] != 0 ? slots[k] : none;
    for (std::size_t i = 0, end = 0; i < count; i = end) {
      const std::size_t first = start(i), size = start(i + 1) - first;
      run_.clear(0);
      do {
        if (positions_ != nullptr) run_.add(0, points_.data() + end * width_);
        ++end;
      } while (end < count && start(end + 1) - start(end) == size && std::equal(slots + first, slots + first + size, slots + start(end)));
      scan_.whole.add(0, run_, 0);
      for (std::size_t k = first; k < first + size; ++k)
        if (slots[k] != none) scan_.slots.add(slots[k], run_, 0);
    }
  }

  static void add(BlockInfluences& counted, std::size_t vertex, const VertexCount& count) {
    if (!count.listed) return;
    if (!count.moved && counted.weightless++ == 0) counted.first_weightless = vertex;
    counted.many += count.influences > usual_influences;
    counted.most = std::max(counted.most, count.influences);
  }

  const VertexBlock& block_;
  InfluenceScan& scan_;
  std::size_t width_;
  SlotBoxes run_;
  const Array* positions_ = nullptr;
  std::vector<float> points_, weights_;
  std::vector<std::uint32_t> slots_;
  std::vector<VertexCount> counts_;
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

void SlotBoxes::add(std::size_t slot, const SlotBoxes& other, std::size_t from) {
  if (!other.has_box(from)) {
    if (slot >= size()) grow(slot + 1);
    touched_[slot] = 1;
    return;
  }
  add(slot, other.low(from).data());
  add(slot, other.high(from).data());
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

// This takes a quarter of the time to validate a large skinned mesh, so it uses all cores.
InfluenceScan scan_influences(const Mesh& mesh, std::size_t dimension) {
  const InfluenceScan nothing{SlotBoxes(dimension), SlotBoxes(dimension), {}};
  InfluenceScan scan = nothing;
  scan.blocks.resize(mesh.blocks.size());
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const VertexBlock& block = mesh.blocks[b];
    if (block.influences.empty()) continue;
    std::mutex adding;
    parallel_for(block.vertices, grain, 0, [&](std::size_t first, std::size_t last) {
      InfluenceScan piece = nothing;
      piece.blocks.resize(1);
      BlockScan(block, piece).run(first, last);
      const std::scoped_lock lock(adding);
      scan.slots.add(piece.slots);
      scan.whole.add(piece.whole);
      scan.blocks[b].add(piece.blocks.front());
    });
  }
  return scan;
}

}  // namespace sinew::validate

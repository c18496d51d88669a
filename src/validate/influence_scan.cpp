// SPDX-License-Identifier: MIT
#include "validate/influence_scan.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

#include "base/parallel.hpp"

namespace sinew::validate {

namespace {

constexpr std::size_t chunk = 1024;        // vertices that are decoded at once: what stays in the first cache
constexpr std::size_t grain = 64 * chunk;  // vertices worth a thread

// The influences of one vertex, counted.
class VertexCount {
 public:
  explicit VertexCount(BlockInfluences& block) : block_(block) {}
  void add(float weight) {
    influences_ += weight != 0;
    any_ = any_ || weight > 0;
  }
  void finish(std::size_t vertex) {
    if (!any_ && block_.weightless++ == 0) block_.first_weightless = vertex;
    block_.many += influences_ > usual_influences;
    block_.most = std::max(block_.most, influences_);
    influences_ = 0;
    any_ = false;
  }

 private:
  BlockInfluences& block_;
  std::size_t influences_ = 0;
  bool any_ = false;
};

class BlockScan {
 public:
  // `scan` has one block, the counts of this one.
  BlockScan(const VertexBlock& block, InfluenceScan& scan)
      : block_(block), scan_(scan), width_(scan.slots.dimension()), count_(scan.blocks.front()) {
    const Attribute* positions = find_attribute(block.attributes, Semantic::position);
    if (positions != nullptr && positions->index.empty() && positions->values.size() == block.vertices &&
        positions->values.width() == width_)
      positions_ = &positions->values;
    points_.resize(chunk * width_ + SlotBoxes::slack);
  }

  void run(std::size_t begin, std::size_t end) {
    scan_.blocks.front().vertices = end - begin;
    for (std::size_t first = begin; first < end; first += chunk) {
      const std::size_t count = std::min(chunk, end - first);
      if (positions_ != nullptr) positions_->read(first, count, points_.data());
      for (std::size_t i = 0; i < count && positions_ != nullptr; ++i) scan_.whole.add(0, point(i));
      if (!block_.influences.sets.empty())
        rows(first, count);
      else
        runs(first, count);
    }
  }

 private:
  [[nodiscard]] const float* point(std::size_t i) const { return points_.data() + i * width_; }
  void add(std::size_t slot, std::size_t i) {
    if (positions_ != nullptr)
      scan_.slots.add(slot, point(i));
    else
      scan_.slots.touch(slot);
  }

  // glTF: sets of four.
  void rows(std::size_t first, std::size_t count) {
    const auto& sets = block_.influences.sets;
    joints_.resize(sets.size() * chunk * 4);
    weights_.resize(sets.size() * chunk * 4);
    for (std::size_t s = 0; s < sets.size(); ++s) {
      sets[s].joints.read(first, count, joints_.data() + s * chunk * 4);
      sets[s].weights.read(first, count, weights_.data() + s * chunk * 4);
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t s = 0; s < sets.size(); ++s)
        for (std::size_t k = (s * chunk + i) * 4, end = k + 4; k < end; ++k) {
          count_.add(weights_[k]);
          if (weights_[k] != 0) add(joints_[k], i);
        }
      count_.finish(first + i);
    }
  }

  // G4MF: a run of entries per vertex; a vertex without any stays where it is.
  void runs(std::size_t first, std::size_t count) {
    const Influences& influences = block_.influences;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t begin = influences.first[first + i], entries = influences.first[first + i + 1] - begin;
      if (entries == 0) continue;
      joints_.resize(std::max(joints_.size(), entries));
      weights_.resize(std::max(weights_.size(), entries));
      influences.slots.read(begin, entries, joints_.data());
      influences.weights.read(begin, entries, weights_.data());
      for (std::size_t k = 0; k < entries; ++k) {
        count_.add(weights_[k]);
        if (weights_[k] != 0) add(joints_[k], i);
      }
      count_.finish(first + i);
    }
  }

  const VertexBlock& block_;
  InfluenceScan& scan_;
  std::size_t width_;
  VertexCount count_;
  const Array* positions_ = nullptr;
  std::vector<float> points_, weights_;
  std::vector<std::uint32_t> joints_;
};

}  // namespace

void SlotBoxes::grow(std::size_t slots) {
  const std::size_t known = size();
  touched_.resize(slots);
  boxes_.resize(slots * 2 * stride_, std::numeric_limits<float>::infinity());
  for (std::size_t slot = known; slot < slots; ++slot)
    std::fill_n(boxes_.data() + (slot * 2 + 1) * stride_, stride_, -std::numeric_limits<float>::infinity());
}

void SlotBoxes::touch(std::size_t slot) {
  if (slot >= size()) grow(slot + 1);
  touched_[slot] = 1;
}

void SlotBoxes::add(const SlotBoxes& other) {
  if (other.size() > size()) grow(other.size());
  for (std::size_t slot = 0; slot < other.size(); ++slot) {
    touched_[slot] |= other.touched_[slot];
    if (!other.has_box(slot)) continue;
    add(slot, other.low(slot).data());
    add(slot, other.high(slot).data());
  }
}

void BlockInfluences::add(const BlockInfluences& other) {
  if (other.weightless > 0) first_weightless = weightless > 0 ? std::min(first_weightless, other.first_weightless) : other.first_weightless;
  vertices += other.vertices;
  weightless += other.weightless;
  many += other.many;
  most = std::max(most, other.most);
}

// Half of what validating a large skinned mesh takes, hence on all cores.
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

// SPDX-License-Identifier: MIT
#include "kernels/tiles.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace sinew::kernels {

namespace {

using Run = InfluenceTiles::Run;

// Moving a vertex to its place in the order and its results back costs about as much as two influences.
constexpr std::size_t cost_of_order = 2;
// Tiles whose longest row is at most this long are never split, because they waste little.
constexpr std::size_t always_whole = 32;

/// Returns the runs of rows with these lengths in this order. Their entries start at 0.
std::vector<Run> runs_of(std::span<const std::size_t> lengths, std::span<const std::uint16_t> order) {
  std::vector<Run> runs;
  std::size_t begin = 0;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t longest = 0, sum = 0;
    for (std::size_t r = first; r < std::min(first + InfluenceTiles::tile, order.size()); ++r) {
      longest = std::max(longest, lengths[order[r]]);
      sum += lengths[order[r]];
    }
    const bool alone = longest > always_whole && longest * InfluenceTiles::tile > 4 * sum && lengths[order[first]] == longest;
    const std::uint32_t rows = alone ? 1 : InfluenceTiles::tile;
    if (!alone && !runs.empty() && runs.back().influences == longest && runs.back().rows != 1)
      runs.back().rows += rows;
    else
      runs.push_back({begin, static_cast<std::uint32_t>(longest), rows, static_cast<std::uint16_t>(first), alone});
    begin += rows * longest;
    first += rows;
  }
  return runs;
}

std::size_t entries_of(const std::vector<Run>& runs) {
  return runs.empty() ? 0 : runs.back().begin + std::size_t{runs.back().rows} * runs.back().influences;
}

/// Returns whether `count` rows have the same entries, as in a rigid part.
bool all_same(const InfluenceRows& rows, std::size_t first, std::size_t count) {
  const std::size_t begin = rows.first[first], end = rows.first[first + 1];
  for (std::size_t v = first + 1; v < first + count; ++v) {
    const std::size_t at = rows.first[v];
    if (rows.first[v + 1] - at != end - begin || !std::equal(rows.slot + begin, rows.slot + end, rows.slot + at) ||
        !std::equal(rows.weight + begin, rows.weight + end, rows.weight + at))
      return false;
  }
  return true;
}

/// Writes influences in the order of the tiles.
class Writer {
 public:
  Writer(InfluenceTiles& out, const InfluenceRows& rows, std::size_t dimension, std::size_t slots)
      : out_(out), rows_(rows), unit_(map_stride(dimension) / 2), wide_(slots * unit_ > std::numeric_limits<std::uint16_t>::max()) {}

  void row(std::size_t vertex, std::size_t length) {
    const std::uint32_t begin = rows_.first[vertex], end = rows_.first[vertex + 1];
    for (std::uint32_t i = begin; i < end; ++i) entry(rows_.slot[i], rows_.weight[i]);
    empty(length - (end - begin));
  }
  void empty(std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) entry(0, 0);
  }
  void padding(std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) entry(0, i == 0 ? 1.0F : 0.0F);
  }

 private:
  void entry(std::uint32_t slot, float weight) {
    if (wide_)
      out_.wide.push_back(static_cast<std::uint32_t>(slot * unit_));
    else
      out_.narrow.push_back(static_cast<std::uint16_t>(slot * unit_));
    out_.weights.push_back(weight);
  }

  InfluenceTiles& out_;
  const InfluenceRows& rows_;
  std::size_t unit_;
  bool wide_;
};

}  // namespace

InfluenceTiles InfluenceTiles::make(const InfluenceRows& rows, std::size_t vertices, std::size_t dimension, std::size_t slots) {
  InfluenceTiles out;
  Writer write(out, rows, dimension, slots);
  std::vector<std::size_t> lengths;
  std::vector<std::uint16_t> as_stored, by_length;
  for (std::size_t first = 0; first < vertices; first += block) {
    const std::size_t count = std::min(block, vertices - first);
    lengths.resize(count);
    as_stored.resize(count);
    for (std::size_t v = 0; v < count; ++v) lengths[v] = rows.first[first + v + 1] - rows.first[first + v];
    std::iota(as_stored.begin(), as_stored.end(), std::uint16_t{0});
    by_length = as_stored;
    std::sort(by_length.begin(), by_length.end(),
              [&](std::uint16_t a, std::uint16_t b) { return lengths[a] != lengths[b] ? lengths[a] > lengths[b] : a < b; });
    std::vector<Run> runs = runs_of(lengths, as_stored), ordered = runs_of(lengths, by_length);
    const bool same = all_same(rows, first, count);
    if (same) runs = {{0, static_cast<std::uint32_t>(lengths[0]), static_cast<std::uint32_t>(in_whole_tiles(count)), 0, true}};
    const bool in_order = same || (entries_of(runs) <= entries_of(ordered) + cost_of_order * count &&
                                   std::ranges::all_of(runs, [](const Run& run) { return run.rows != 1; }));
    if (!in_order) runs.swap(ordered);
    const std::vector<std::uint16_t>& order = in_order ? as_stored : by_length;
    out.blocks.push_back({out.runs.size(), in_order});
    out.order.insert(out.order.end(), order.begin(), order.end());
    out.places.resize(out.order.size());
    for (std::size_t i = 0; i < count; ++i) out.places[first + order[i]] = static_cast<std::uint16_t>(i);
    for (Run& run : runs) {
      run.begin = out.weights.size();
      for (std::size_t r = run.first; r < std::size_t{run.first} + (run.same ? 1 : run.rows); ++r) {
        if (r < count)
          write.row(first + order[r], run.influences);
        else
          write.padding(run.influences);
      }
      out.runs.push_back(run);
    }
  }
  out.blocks.push_back({out.runs.size(), true});
  write.empty(4);
  out.one_map = vertices > 0 && all_same(rows, 0, vertices);
  if (std::ranges::all_of(out.blocks, &Block::in_order)) out.order = out.places = {};
  return out;
}

List<float> InfluenceTiles::in_order(std::span<const float> rows, std::size_t width) const {
  List<float> out((in_whole_tiles(order.size()) + tile) * width, 1.0F);
  for (std::size_t v = 0; v < order.size(); ++v) std::copy_n(&rows[(v / block * block + order[v]) * width], width, &out[v * width]);
  return out;
}

}  // namespace sinew::kernels

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/catalogue.hpp"
#include "deform/packed.hpp"

namespace sinew::deform {

namespace {

struct Entry {
  std::uint32_t slot;
  double weight;
};

/// Keeps the entries that have an effect, in stored order unless the strongest are selected: those with a weight and a slot of the palette
/// (G4MF). Weights stay as stored (glTF: a row with the sum 0 collapses to the origin), unless the format divides by the sum or entries are
/// limited.
void keep_what_counts(std::vector<Entry>& row, const PrepareOptions& options, bool divide_by_sum) {
  std::erase_if(row, [&](const Entry& entry) { return entry.weight == 0 || entry.slot >= options.slots; });
  if (options.max_influences != 0 && row.size() > options.max_influences) {
    const auto stronger = [](const Entry& a, const Entry& b) { return a.weight != b.weight ? a.weight > b.weight : a.slot < b.slot; };
    if (!options.keep_first) std::ranges::sort(row, stronger);
    row.resize(options.max_influences);
  }
  if (divide_by_sum || options.max_influences != 0) {
    double sum = 0;
    for (const Entry& entry : row) sum += entry.weight;
    if (sum != 0)
      for (Entry& entry : row) entry.weight /= sum;
    else if (divide_by_sum)
      row.clear();
  }
  if (divide_by_sum && row.empty()) row.push_back({static_cast<std::uint32_t>(options.slots), 1.0});  // stays with the mesh's node
}

/// Adds the weights of a row. The first entry of a slot gets the sum of all its entries, rounded once, the others 0.
void add_exact(std::span<const Entry> row, std::vector<double>& out) {
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(row[i].slot, i); });
  const std::size_t begin = out.size();
  out.resize(begin + row.size());
  for (std::size_t i = 0; i < order.size();) {
    const std::size_t first = order[i];
    double sum = 0, rest = 0;  // Knuth's exact sum of two numbers; the rests are far smaller
    for (; i < order.size() && row[order[i]].slot == row[first].slot; ++i) {
      const double weight = row[order[i]].weight, next = sum + weight, added = next - sum;
      rest += (sum - (next - added)) + (weight - added);
      sum = next;
    }
    out[begin + first] = sum + rest;
  }
}

/// The entries of a vertex as stored, in either form.
class StoredRows {
 public:
  explicit StoredRows(const Influences& influences) : first_(influences.first) {
    if (!influences.sets.empty()) {
      for (const Influences::Set& set : influences.sets) columns_.push_back({set.joints.read<std::uint32_t>(), set.weights.read<double>()});
      width_ = influences.sets.front().joints.width();
    } else {
      columns_.push_back({influences.slots.read<std::uint32_t>(), influences.weights.read<double>()});
    }
  }

  void get(std::size_t vertex, std::vector<Entry>& row) const {
    row.clear();
    for (const Columns& set : columns_) {
      const std::size_t begin = width_ != 0 ? vertex * width_ : first_[vertex];
      const std::size_t end = width_ != 0 ? begin + width_ : first_[vertex + 1];
      for (std::size_t i = begin; i < end; ++i) row.push_back({set.slots[i], set.weights[i]});
    }
  }

 private:
  struct Columns {
    std::vector<std::uint32_t> slots;
    std::vector<double> weights;
  };
  const std::vector<std::uint32_t>& first_;
  std::vector<Columns> columns_;
  std::size_t width_ = 0;  ///< of a set; 0: rows are grouped by `first_`
};

}  // namespace

kernels::InfluenceTiles tiles_of(const PackedBlock& block, std::size_t rows, std::span<const std::uint32_t> vertex,
                                 const Prepared::Packed& packed) {
  const auto make = [&](const kernels::InfluenceRows& influences) {
    return kernels::InfluenceTiles::make(influences, rows, packed.dimension, packed.slots + 1);
  };
  if (block.skinned && vertex.empty()) return make(block.influences());
  std::vector<std::uint32_t> first{0}, slot;
  std::vector<float> weight;
  for (std::size_t row = 0; row < rows; ++row) {
    if (block.skinned)
      for (std::uint32_t i = block.row_first[vertex[row]]; i < block.row_first[vertex[row] + 1]; ++i) {
        slot.push_back(block.slot[i]);
        weight.push_back(block.weight[i]);
      }
    else {  // only the node's map
      slot.push_back(static_cast<std::uint32_t>(packed.slots));
      weight.push_back(1);
    }
    first.push_back(static_cast<std::uint32_t>(slot.size()));
  }
  return make({first.data(), slot.data(), weight.data()});
}

Result<> pack_influences(const Mesh& mesh, std::size_t block, const PrepareOptions& options, PackedBlock& out) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  const Influences& influences = mesh.blocks[block].influences;
  const StoredRows stored(influences);
  std::vector<Entry> row;
  out.skinned = true;
  out.row_first.reserve(out.vertices + 1);
  out.row_first.push_back(0);
  for (std::size_t vertex = 0; vertex < out.vertices; ++vertex) {
    stored.get(vertex, row);
    for (const Entry& entry : row)
      if (!(std::abs(entry.weight) <= std::numeric_limits<float>::max()))
        return Unexpected(error("SINEW_VERTEX_NOT_FINITE"_code, Failure::input, {}, "weight", vertex, block, mesh.name));
    keep_what_counts(row, options, influences.divide_by_sum);
    if (out.slot.size() + row.size() > most)
      return Unexpected(error("SINEW_TOO_MANY_INFLUENCES"_code, Failure::limit, {}, block, mesh.name, most));
    double size = 0, sum = 0;
    for (const Entry& entry : row) {
      size += std::abs(entry.weight);
      sum += entry.weight;
    }
    const bool cancels = size > 2 * std::abs(sum);
    if (out.exact_weight.empty() && cancels) out.exact_weight.assign(out.weight.begin(), out.weight.end());
    if (cancels || !out.exact_weight.empty()) add_exact(row, out.exact_weight);
    for (const Entry& entry : row) {
      out.slot.push_back(entry.slot);
      out.weight.push_back(static_cast<float>(entry.weight));
    }
    out.row_first.push_back(static_cast<std::uint32_t>(out.slot.size()));
  }
  return {};
}

}  // namespace sinew::deform

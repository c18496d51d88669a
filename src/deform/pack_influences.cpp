// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/catalogue.hpp"
#include "deform/packed.hpp"
#include "model/influences.hpp"

namespace sinew::deform {

namespace {

/// Keeps the entries that have an effect, in stored order unless the strongest are selected: those with a weight and a slot of the palette
/// (G4MF). Weights stay as stored (glTF: a row with the sum 0 collapses to the origin), unless the format divides by the sum or entries are
/// limited.
void keep_what_counts(std::vector<Influence>& row, const PrepareOptions& options, bool divide_by_sum) {
  std::erase_if(row, [&](const Influence& entry) { return entry.weight == 0 || entry.slot >= options.slots; });
  if (options.max_influences != 0 && row.size() > options.max_influences) {
    if (!options.keep_first) std::ranges::sort(row, is_stronger);
    row.resize(options.max_influences);
  }
  if (divide_by_sum || options.max_influences != 0) {
    double sum = 0;
    for (const Influence& entry : row) sum += entry.weight;
    if (sum != 0)
      for (Influence& entry : row) entry.weight /= sum;
    else if (divide_by_sum)
      row.clear();
  }
  if (divide_by_sum && row.empty()) row.push_back({static_cast<std::uint32_t>(options.slots), 1.0});  // stays with the mesh's node
}

/// Adds the weights of a row. The first entry of a slot gets the sum of all its entries, rounded once, the others 0.
void add_exact(std::span<const Influence> row, List<double>& out) {
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
  const InfluenceTable stored(influences);
  std::vector<Influence> row;
  out.skinned = true;
  out.row_first.reserve(out.vertices + 1);
  out.row_first.push_back(0);
  for (std::size_t vertex = 0; vertex < out.vertices; ++vertex) {
    row.assign(stored[vertex].begin(), stored[vertex].end());
    for (const Influence& entry : row)
      if (!(std::abs(entry.weight) <= std::numeric_limits<float>::max()))
        return Unexpected(error("SINEW_VERTEX_NOT_FINITE"_code, Failure::input, {}, "weight", vertex, block, mesh.name));
    keep_what_counts(row, options, influences.divide_by_sum);
    if (out.slot.size() + row.size() > most)
      return Unexpected(error("SINEW_TOO_MANY_INFLUENCES"_code, Failure::limit, {}, block, mesh.name, most));
    double size = 0, sum = 0;
    for (const Influence& entry : row) {
      size += std::abs(entry.weight);
      sum += entry.weight;
    }
    const bool cancels = size > 2 * std::abs(sum);
    if (out.exact_weight.empty() && cancels) out.exact_weight.assign(out.weight.begin(), out.weight.end());
    if (cancels || !out.exact_weight.empty()) add_exact(row, out.exact_weight);
    for (const Influence& entry : row) {
      out.slot.push_back(entry.slot);
      out.weight.push_back(static_cast<float>(entry.weight));
    }
    out.row_first.push_back(static_cast<std::uint32_t>(out.slot.size()));
  }
  return {};
}

}  // namespace sinew::deform

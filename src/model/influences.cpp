// SPDX-License-Identifier: MIT
#include "model/influences.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace sinew {

bool is_stronger(const Influence& a, const Influence& b) { return a.weight != b.weight ? a.weight > b.weight : a.slot < b.slot; }

double sum_of(std::span<const Influence> row) {
  return std::accumulate(row.begin(), row.end(), 0.0, [](double sum, const Influence& entry) { return sum + entry.weight; });
}

InfluenceRow without_repeats(std::span<const Influence> row) {
  InfluenceRow merged;
  for (const Influence& entry : row) {
    if (entry.weight == 0) continue;
    const auto known = std::ranges::find(merged, entry.slot, &Influence::slot);
    if (known != merged.end())
      known->weight += entry.weight;
    else
      merged.push_back(entry);
  }
  return merged;
}

Affine blended(std::span<const Influence> row, std::span<const Affine> maps) {
  const std::size_t n = maps.empty() ? 0 : maps.front().dimension();
  const double sum = sum_of(row);
  const auto first = std::ranges::find_if(row, [](const Influence& entry) { return entry.weight != 0; });
  if (first == row.end() || sum == 0) return Affine(n);
  if (std::all_of(first, row.end(), [&](const Influence& entry) { return entry.weight == 0 || entry.slot == first->slot; }))
    return maps[first->slot];
  std::vector<double> values(n * (n + 1));
  for (const auto [slot, weight] : row)
    for (std::size_t i = 0; weight != 0 && i < values.size(); ++i) values[i] += weight / sum * maps[slot].values()[i];
  return Affine(n, values);
}

InfluenceTable::InfluenceTable(const Influences& influences) : first_(influences.first) {
  const auto add = [&](const Array& slots, const Array& weights, std::size_t columns, std::size_t begin) {
    const std::vector<std::uint32_t> numbers = slots.read<std::uint32_t>();
    const std::vector<double> values = weights.read<double>();
    const std::size_t rows = std::min({numbers.size() / columns, values.size() / columns, entries_.size() / width_});
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        entries_[row * width_ + begin + column] = {numbers[row * columns + column], values[row * columns + column]};
  };
  if (!first_.empty()) {
    width_ = 1;
    entries_.resize(influences.slots.size());
    add(influences.slots, influences.weights, 1, 0);
    return;
  }
  for (const Influences::Set& set : influences.sets) width_ += set.joints.width();
  if (width_ == 0) return;
  entries_.resize(influences.sets.front().joints.size() * width_);
  std::size_t begin = 0;
  for (const Influences::Set& set : influences.sets) {
    add(set.joints, set.weights, set.joints.width(), begin);
    begin += set.joints.width();
  }
}

std::vector<InfluenceRow> weighted_rows(const Influences& influences) {
  const InfluenceTable table(influences);
  std::vector<InfluenceRow> rows(table.size());
  for (std::size_t vertex = 0; vertex < rows.size(); ++vertex)
    std::ranges::copy_if(table[vertex], std::back_inserter(rows[vertex]), [](const Influence& entry) { return entry.weight != 0; });
  return rows;
}

void mark_weighted(const Mesh& mesh, std::vector<bool>& used) {
  for (const VertexBlock& block : mesh.blocks) {
    const InfluenceTable table(block.influences);
    for (std::size_t vertex = 0; vertex < table.size(); ++vertex)
      for (const auto [slot, weight] : table[vertex])
        if (weight != 0 && slot < used.size()) used[slot] = true;
  }
}

std::vector<double> weight_sums(const Influences& influences) {
  const InfluenceTable table(influences);
  std::vector<double> sums(table.size());
  for (std::size_t vertex = 0; vertex < sums.size(); ++vertex) sums[vertex] = sum_of(table[vertex]);
  return sums;
}

}  // namespace sinew

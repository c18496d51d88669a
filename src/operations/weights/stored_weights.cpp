// SPDX-License-Identifier: MIT
#include "operations/weights/stored_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew::operations::weights {

namespace {

using WeightRow = std::vector<std::pair<std::uint32_t, double>>;

/// Returns integers with the sum `one`: the largest remainders are rounded up.
std::vector<std::uint32_t> shares_of(const WeightRow& row, std::uint32_t one) {
  std::vector<std::uint32_t> out;
  std::vector<double> rest;
  for (const auto& [slot, weight] : row) {
    const double exact = weight * one;
    out.push_back(static_cast<std::uint32_t>(std::floor(exact)));
    rest.push_back(exact - std::floor(exact));
  }
  const std::uint32_t sum = std::accumulate(out.begin(), out.end(), 0u);
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return rest[a] != rest[b] ? rest[a] > rest[b] : a < b; });
  for (std::size_t i = 0; sum + i < one && i < order.size(); ++i) ++out[order[i]];
  return out;
}

template <class Number>
Array numbers_of(const std::vector<std::vector<std::uint32_t>>& rows, std::size_t set) {
  std::vector<Number> out(rows.size() * 4);
  for (std::size_t vertex = 0; vertex < rows.size(); ++vertex)
    for (std::size_t i = 0; i < 4 && set * 4 + i < rows[vertex].size(); ++i)
      out[vertex * 4 + i] = static_cast<Number>(rows[vertex][set * 4 + i]);
  return Array::own(std::move(out), 4, true);
}

}  // namespace

void WeightStorage::widen(const Mesh& mesh) {
  for (const VertexBlock& block : mesh.blocks)
    for (const Influences::Set& set : block.influences.sets) {
      const bool whole = set.weights.normalized();
      const std::size_t bits = whole && set.weights.type() == ComponentType::uint8    ? 8
                               : whole && set.weights.type() == ComponentType::uint16 ? 16
                                                                                      : 32;
      bits_ = std::max(bits_, bits);
    }
}

void WeightStorage::store(std::span<const std::uint32_t> point_of, const std::vector<WeightRow>& rows, Mesh& mesh) const {
  std::size_t first = 0;
  for (VertexBlock& block : mesh.blocks) {
    block.influences = {};
    if (find_attribute(block.attributes, Semantic::position) == nullptr) continue;
    std::vector<WeightRow> own;
    for (std::size_t vertex = 0; vertex < block.vertices; ++vertex) {
      WeightRow row = rows[point_of[first + vertex]];
      std::ranges::sort(row, [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
      own.push_back(std::move(row));
    }
    first += block.vertices;
    std::size_t most = 1;
    for (const WeightRow& row : own) most = std::max(most, row.size());
    std::vector<std::vector<std::uint32_t>> shares;
    if (bits_ < 32)
      for (const WeightRow& row : own) shares.push_back(shares_of(row, bits_ == 8 ? 255 : 65535));
    for (std::size_t set = 0; set * 4 < most; ++set) {
      std::vector<std::uint16_t> joints(own.size() * 4);
      std::vector<float> values(own.size() * 4);
      for (std::size_t vertex = 0; vertex < own.size(); ++vertex)
        for (std::size_t i = 0; i < 4 && set * 4 + i < own[vertex].size(); ++i) {
          if (bits_ < 32 && shares[vertex][set * 4 + i] == 0) continue;
          joints[vertex * 4 + i] = static_cast<std::uint16_t>(own[vertex][set * 4 + i].first);
          values[vertex * 4 + i] = static_cast<float>(own[vertex][set * 4 + i].second);
        }
      Influences::Set stored;
      stored.joints = Array::own(std::move(joints), 4);
      stored.weights = bits_ == 8    ? numbers_of<std::uint8_t>(shares, set)
                       : bits_ == 16 ? numbers_of<std::uint16_t>(shares, set)
                                     : Array::own(std::move(values), 4);
      block.influences.sets.push_back(std::move(stored));
    }
  }
}

}  // namespace sinew::operations::weights

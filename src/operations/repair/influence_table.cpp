// SPDX-License-Identifier: MIT
#include "operations/repair/influence_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "model/narrowed.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {
namespace {

/// Uses the old type if the numbers fit.
Array slots_like(const std::vector<std::uint32_t>& numbers, const Array& like) {
  return stored_as(fitting_type(numbers, like.type()), numbers, like.width());
}

double whole_of(const Array& weights) {
  if (weights.type() == ComponentType::uint8) return 255;
  return weights.type() == ComponentType::uint16 ? 65535 : 0;
}

bool is_finer(const Array& a, const Array& b) {
  return std::pair(is_float(a.type()), byte_size(a.type())) > std::pair(is_float(b.type()), byte_size(b.type()));
}

/// Stores weights in their old type if it holds them, otherwise in the finest type of the sets.
Array weights_like(const std::vector<double>& weights, const Array& like, const Array& finest) {
  Array stored = stored_like(weights, like);
  if (like.type() == finest.type()) return stored;
  const auto same = [](double a, double b) { return std::abs(a - b) < 1e-12; };
  return std::ranges::equal(stored.read<double>(), weights, same) ? stored : stored_like(weights, finest);
}

}  // namespace

void apportion(std::span<double> weights, double whole) {
  std::vector<std::pair<double, std::size_t>> lost;
  double left = std::round(whole * std::accumulate(weights.begin(), weights.end(), 0.0));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double exact = weights[i] * whole, floor = std::floor(exact + 1e-9);
    if (weights[i] > 0) lost.emplace_back(floor - exact, i);
    weights[i] = floor / whole;
    left -= floor;
  }
  std::ranges::sort(lost);
  for (std::size_t i = 0; i < lost.size() && left >= 0.5; ++i, --left) weights[lost[i].second] += 1 / whole;
}

bool has_new_types(const Influences& influences, std::span<const Influences::Set> before) {
  const auto same = [](const Influences::Set& a, const Influences::Set& b) { return a.weights.type() == b.weights.type(); };
  return !std::equal(influences.sets.begin(), influences.sets.end(), before.begin(), same);
}

DenseInfluences::DenseInfluences(const Influences& influences) : sets_(influences.sets), width_(4 * sets_.size()) {
  const std::size_t vertices = sets_.front().joints.size();
  table_.resize(vertices * width_);
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    const auto joints = sets_[s].joints.read<std::uint32_t>();
    const Array parts = as_fractions(sets_[s].weights);
    const auto weights = parts.read<double>();
    if (s == 0 || (is_finer(parts, finest_) && std::ranges::any_of(weights, [](double weight) { return weight != 0; }))) finest_ = parts;
    for (std::size_t i = 0; i < std::min({joints.size(), weights.size(), vertices * 4}); ++i)
      table_[i / 4 * width_ + s * 4 + i % 4] = {joints[i], weights[i]};
  }
}

void DenseInfluences::put(std::size_t vertex, const InfluenceRow& row) {
  const std::span<Influence> to = (*this)[vertex];
  std::ranges::fill(to, Influence{});
  std::vector<double> weights(row.size());
  std::ranges::transform(row, weights.begin(), &Influence::weight);
  if (const double whole = whole_of(finest_); whole != 0) apportion(weights, whole);
  for (std::size_t i = 0; i < row.size(); ++i)
    if (weights[i] > 0) to[i] = {row[i].slot, weights[i]};
  std::ranges::sort(to, is_stronger);  // rounding may change the order of two weights
}

void DenseInfluences::compact(std::size_t vertex) {
  const std::span<Influence> row = (*this)[vertex];
  std::size_t next = 0;
  for (const Influence entry : row)
    if (entry.weight != 0) row[next++] = entry;
  std::ranges::fill(row.subspan(next), Influence{});
}

std::vector<Influences::Set> DenseInfluences::sets() {
  std::size_t used = 1;
  for (std::size_t vertex = 0; vertex < vertices(); ++vertex) {
    const std::span<Influence> row = (*this)[vertex];
    for (std::size_t i = row.size(); i > used; --i)
      if (row[i - 1].weight != 0) used = i;
  }
  std::vector<Influences::Set> result;
  for (std::size_t s = 0; s * 4 < used; ++s) {
    std::vector<std::uint32_t> joints;
    std::vector<double> weights;
    for (std::size_t vertex = 0; vertex < vertices(); ++vertex)
      for (const Influence& entry : (*this)[vertex].subspan(s * 4, 4)) {
        joints.push_back(entry.slot);
        weights.push_back(entry.weight);
      }
    const Influences::Set& old = sets_[s];
    const Array parts = as_fractions(old.weights);
    result.push_back({joints == old.joints.read<std::uint32_t>() ? old.joints : slots_like(joints, old.joints),
                      weights == parts.read<double>() ? old.weights : weights_like(weights, parts, finest_)});
  }
  return result;
}

void store_sparse(Influences& influences, const std::vector<InfluenceRow>& rows) {
  std::vector<std::uint32_t> first{0}, slots;
  std::vector<double> weights;
  for (const InfluenceRow& row : rows) {
    for (const Influence& entry : row) {
      slots.push_back(entry.slot);
      weights.push_back(entry.weight);
    }
    first.push_back(static_cast<std::uint32_t>(slots.size()));
  }
  if (slots != influences.slots.read<std::uint32_t>()) influences.slots = slots_like(slots, influences.slots);
  if (weights != influences.weights.read<double>()) influences.weights = stored_like(weights, influences.weights);
  influences.first = std::move(first);
}

}  // namespace sinew::operations

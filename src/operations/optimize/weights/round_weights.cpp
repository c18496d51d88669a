// SPDX-License-Identifier: MIT
#include "operations/optimize/weights/round_weights.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "operations/optimize/weights/weight_fit.hpp"

namespace sinew::operations {

void WeightRounding::improve(std::size_t vertex, std::span<const std::uint32_t> joints, std::span<const double> weights,
                             std::span<double> rounded, double whole) const {
  constexpr int most_moves = 8;
  constexpr double unit = 1;  // units of 1 / whole
  std::vector<std::size_t> used;
  std::vector<std::uint32_t> slots;
  std::vector<double> exact, tried;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0 && joints[i] < motion_.slots()) {
      used.push_back(i);
      slots.push_back(joints[i]);
      exact.push_back(weights[i]);
      tried.push_back(rounded[i]);
    }
  if (used.size() < 2 || used.size() > 16) return;
  const WeightFit fit(dimension_, std::move(exact), places_.places(vertex, slots));
  double best = fit.error(tried);
  for (int move = 0; move < most_moves && best > enough_; ++move) {
    std::pair<std::size_t, std::size_t> chosen{0, 0};
    for (std::size_t from = 0; from < tried.size(); ++from)
      for (std::size_t to = 0; to < tried.size(); ++to) {
        if (from == to || tried[from] < (unit - 0.5) / whole) continue;
        tried[from] -= unit / whole, tried[to] += unit / whole;
        if (const double error = fit.error(tried, best); error < best) best = error, chosen = {from, to};
        tried[from] += unit / whole, tried[to] -= unit / whole;
      }
    if (chosen.first == chosen.second) break;
    tried[chosen.first] -= unit / whole, tried[chosen.second] += unit / whole;
  }
  for (std::size_t k = 0; k < used.size(); ++k) rounded[used[k]] = std::round(std::max(tried[k], 0.0) * whole) / whole;
}

}  // namespace sinew::operations

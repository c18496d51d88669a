// SPDX-License-Identifier: MIT
#include "operations/optimize/weights/weight_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace sinew::operations {

namespace {

constexpr std::size_t most_choices = 130;  ///< up to C(9, 4): all are tried, otherwise influences are removed one by one
constexpr std::size_t most_refined = 4;    ///< choices whose largest distance is lowered
constexpr int rounds = 16;                 ///< of Lawson's algorithm

/// Solves A·x = (1, …, 1) for a symmetric positive matrix by Cholesky factors, in place. The diagonal is raised a little, so that joints
/// that move alike do not make it singular.
std::vector<double> solve_for_ones(std::vector<double> a, std::size_t n) {
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += a[i * n + i];
  std::vector<double> x(n, 1);
  if (!(trace > 0)) return x;
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] += 1e-13 * trace;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-15 * trace)) : sum / a[j * n + j];
    }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= a[i * n + k] * x[k];
    x[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= a[k * n + i] * x[k];
    x[i] /= a[i * n + i];
  }
  return x;
}

/// The weights of some influences with the sum 1 that minimise the quadratic form, without the limit of 0.
std::vector<double> unlimited(const std::vector<std::size_t>& chosen, const std::vector<double>& squares, std::size_t count) {
  const std::size_t n = chosen.size();
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] = squares[chosen[i] * count + chosen[j]];
  std::vector<double> x = solve_for_ones(std::move(matrix), n);
  const double sum = std::accumulate(x.begin(), x.end(), 0.0);
  for (double& value : x) value /= sum;
  return x;
}

std::vector<std::size_t> used(std::span<const double> weights) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) list.push_back(i);
  return list;
}

/// The number of ways to choose `most` of `count`, or more than most_choices.
std::size_t ways(std::size_t count, std::size_t most) {
  std::size_t number = 1;
  for (std::size_t i = 1; i <= most && number <= most_choices; ++i) number = number * (count - most + i) / i;
  return number;
}

}  // namespace

WeightFit::WeightFit(std::size_t dimension, std::vector<double> weights, std::vector<double> places)
    : dimension_(dimension),
      count_(weights.size()),
      poses_(places.size() / dimension / weights.size()),
      weights_(std::move(weights)),
      offsets_(places.size()),
      squares_(count_ * count_) {
  for (std::size_t pose = 0; pose < poses_; ++pose)
    for (std::size_t c = 0; c < dimension_; ++c) {
      double* const row = &offsets_[(pose * dimension_ + c) * count_];
      double place = 0;
      for (std::size_t k = 0; k < count_; ++k) {
        row[k] = places[(pose * count_ + k) * dimension_ + c];
        place += weights_[k] * row[k];
      }
      for (std::size_t k = 0; k < count_; ++k) row[k] -= place;
      for (std::size_t i = 0; i < count_; ++i)
        for (std::size_t k = 0; k < count_; ++k) squares_[i * count_ + k] += row[i] * row[k];
    }
}

double WeightFit::distance(std::size_t pose, std::span<const double> weights) const {
  double squares = 0;
  for (std::size_t c = 0; c < dimension_; ++c) {
    const double* const row = &offsets_[(pose * dimension_ + c) * count_];
    double moved = 0;
    for (std::size_t k = 0; k < count_; ++k) moved += weights[k] * row[k];
    squares += moved * moved;
  }
  return std::sqrt(squares);
}

double WeightFit::error(std::span<const double> weights, double limit) const {
  double largest = 0;
  for (std::size_t pose = 0; pose < poses_ && largest <= limit; ++pose) largest = std::max(largest, distance(pose, weights));
  return largest;
}

double WeightFit::error(std::span<const double> weights) const { return error(weights, std::numeric_limits<double>::infinity()); }

double WeightFit::sum_of_squares(std::span<const double> weights) const {
  double sum = 0;
  for (std::size_t i = 0; i < count_; ++i)
    for (std::size_t k = 0; k < count_; ++k) sum += weights[i] * squares_[i * count_ + k] * weights[k];
  return sum;
}

// An active set: influences whose weight would be below 0 leave; those whose weight would lower the sum of squares come back.
std::vector<double> WeightFit::least_squares(const Chosen& chosen, const std::vector<double>& squares) const {
  std::vector<double> weights(count_);
  Chosen active = chosen;
  for (const std::size_t k : active) weights[k] = 1.0 / static_cast<double>(active.size());
  for (std::size_t round = 0; round < 4 * count_; ++round) {
    const std::vector<double> wanted = unlimited(active, squares, count_);
    double step = 1;
    std::size_t leaves = active.size();
    for (std::size_t i = 0; i < active.size(); ++i)
      if (wanted[i] <= 0)
        if (const double part = weights[active[i]] / (weights[active[i]] - wanted[i]); part < step || leaves == active.size()) {
          step = std::min(step, part);
          leaves = i;
        }
    for (std::size_t i = 0; i < active.size(); ++i) weights[active[i]] += step * (wanted[i] - weights[active[i]]);
    if (leaves != active.size()) {
      weights[active[leaves]] = 0;
      active.erase(active.begin() + static_cast<std::ptrdiff_t>(leaves));
      continue;
    }
    // At the minimum the gradient is the same for all active influences, and not smaller for the others.
    const auto gradient = [&](std::size_t k) { return std::inner_product(weights.begin(), weights.end(), &squares[k * count_], 0.0); };
    const double least = gradient(active.front());
    double best = least - 1e-9 * std::abs(least);
    std::size_t comes = count_;
    for (const std::size_t k : chosen)
      if (weights[k] == 0)
        if (const double slope = gradient(k); slope < best) {
          best = slope;
          comes = k;
        }
    if (comes == count_) break;
    active.push_back(comes);
  }
  for (double& weight : weights) weight = std::max(weight, 0.0);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::vector<double> WeightFit::lower_worst(const Chosen& chosen, std::vector<double> weights) const {
  std::vector<double> best = weights, factors(poses_, 1), squares;
  double least = error(weights);
  for (int round = 0; round < rounds && least > 0; ++round) {
    double largest = 0;
    for (std::size_t pose = 0; pose < poses_; ++pose) {
      factors[pose] *= distance(pose, weights);
      largest = std::max(largest, factors[pose]);
    }
    if (!(largest > 0)) break;
    squares.assign(count_ * count_, 0);
    for (std::size_t pose = 0; pose < poses_; ++pose) {
      factors[pose] /= largest;
      if (factors[pose] < 1e-12) continue;
      for (std::size_t c = 0; c < dimension_; ++c) {
        const double* const row = &offsets_[(pose * dimension_ + c) * count_];
        for (const std::size_t i : chosen)
          for (const std::size_t k : chosen) squares[i * count_ + k] += factors[pose] * row[i] * row[k];
      }
    }
    weights = least_squares(chosen, squares);
    if (const double now = error(weights, least); now < least) {
      least = now;
      best = weights;
    }
  }
  return best;
}

std::vector<WeightFit::Chosen> WeightFit::choices(std::size_t most) const {
  std::vector<Chosen> list;
  if (ways(count_, most) <= most_choices) {
    Chosen chosen(most);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    for (;;) {
      list.push_back(chosen);
      std::size_t i = most;
      while (i > 0 && chosen[i - 1] == count_ - most + i - 1) --i;
      if (i == 0) return list;
      ++chosen[i - 1];
      for (; i < most; ++i) chosen[i] = chosen[i - 1] + 1;
    }
  }
  Chosen left(count_);
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (left.size() > most) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t goes = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      Chosen without = left;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      const double sum = sum_of_squares(least_squares(without));
      if (sum >= least) continue;
      least = sum;
      goes = i;
    }
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(goes));
  }
  return {left, used(drop(most))};
}

std::vector<double> WeightFit::drop(std::size_t most) const {
  Chosen order(count_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return weights_[a] != weights_[b] ? weights_[a] > weights_[b] : a < b; });
  std::vector<double> kept(count_);
  double sum = 0;
  for (std::size_t i = 0; i < std::min(most, count_); ++i) sum += weights_[order[i]];
  for (std::size_t i = 0; i < std::min(most, count_); ++i) kept[order[i]] = weights_[order[i]] / sum;
  return kept;
}

std::vector<double> WeightFit::fit(std::size_t most) const {
  if (count_ <= most) return weights_;
  struct Candidate {
    double error;
    std::vector<double> weights;
  };
  std::vector<Candidate> best;  // the smallest error first
  const auto add = [&](std::vector<double> weights) {
    const double limit = best.size() < most_refined ? std::numeric_limits<double>::infinity() : best.back().error;
    const double now = error(weights, limit);
    if (!(now < limit)) return;
    if (best.size() == most_refined) best.pop_back();
    const auto place = std::ranges::upper_bound(best, now, {}, &Candidate::error);
    best.insert(place, {now, std::move(weights)});
  };
  const std::vector<double> dropped = drop(most);
  for (const Chosen& chosen : choices(most)) add(least_squares(chosen));
  Candidate result{error(dropped), dropped};
  const double squares = sum_of_squares(dropped);
  const auto take = [&](double now, const std::vector<double>& weights) {
    if (now < result.error && sum_of_squares(weights) <= squares) result = {now, weights};
  };
  for (const Candidate& candidate : best) {
    take(candidate.error, candidate.weights);
    if (most == 1) continue;
    const std::vector<double> lower = lower_worst(used(candidate.weights), candidate.weights);
    take(error(lower), lower);
  }
  return std::move(result.weights);
}

std::vector<double> WeightFit::fit_within(double limit) const {
  std::vector<double> weights = weights_;
  for (Chosen left = used(weights); left.size() > 1;) {
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> best;
    for (std::size_t i = 0; i < left.size(); ++i) {
      Chosen without = left;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      std::vector<double> fitted = least_squares(without);
      const double now = error(fitted, std::min(least, limit));
      if (now > limit || now >= least) continue;
      least = now;
      best = std::move(fitted);
    }
    if (best.empty()) break;
    weights = std::move(best);
    left = used(weights);
  }
  return weights;
}

}  // namespace sinew::operations

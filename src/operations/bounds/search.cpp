// SPDX-License-Identifier: MIT
#include "operations/bounds/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/deadline.hpp"
#include "kernels/maps.hpp"

namespace sinew::operations {

namespace {

// Beyond this depth, bounds are accepted as they are: a curve may have no bounded derivative. After this many halvings the slack grows:
// rounding may not allow the requested slack, or a hostile file may be made to take long.
constexpr unsigned most_depth = 40;
constexpr std::size_t halvings_per_piece = 32, halvings_at_least = 4096;
constexpr double relaxing = 4, most_relaxed = 1e6;

/// Rounding error of double arithmetic in poses and palettes, relative to the sum of the terms: far below float rounding, unless large
/// numbers cancel.
constexpr double double_rounding = 1e-14;

struct Interval1 {
  double low, high;
};

/// Returns the product of two intervals.
Interval1 product(double a_low, double a_high, double b_low, double b_high) {
  const double corners[] = {a_low * b_low, a_low * b_high, a_high * b_low, a_high * b_high};
  return {std::min(std::min(corners[0], corners[1]), std::min(corners[2], corners[3])),
          std::max(std::max(corners[0], corners[1]), std::max(corners[2], corners[3]))};
}

}  // namespace

Search::Search(const Clusters& clusters, const Motion& motion, RestPoses& poses, WorkMeter& work, const Goal& goal, const Extent& reached)
    : clusters_(clusters),
      motion_(motion),
      work_(work),
      goal_(goal),
      player_(motion, poses),
      reached_(reached),
      axes_(goal.center.empty() ? clusters.dimension() : 1) {}

Result<> Search::run(std::size_t first_piece, std::size_t last_piece) {
  most_halvings_ = halvings_at_least + halvings_per_piece * (last_piece - first_piece);
  Look begin, end;
  for (std::size_t piece = first_piece; piece < last_piece; ++piece) {
    const Motion::Piece& at = motion_.pieces()[piece];
    player_.enter(piece);
    if (auto done = player_.look(at.begin, begin); !done) return done;
    if (auto done = player_.look(at.end, end); !done) return done;
    if (auto done = refine(begin, end, Nodes(clusters_.roots().begin(), clusters_.roots().end()), 0); !done) return done;
  }
  return {};
}

Result<> Search::refine(const Look& begin, const Look& end, Nodes nodes, unsigned depth) {
  ask_deadline();
  constexpr std::uint64_t steps_to_begin = 700, steps_per_node = 90, steps_per_slot = 30;
  const std::uint64_t steps = steps_to_begin + steps_per_node * motion_.steps() + steps_per_slot * begin.palette.size();
  if (auto fits = work_.allow(steps, "the moments of the boxes"); !fits) return fits;
  Interval interval{{&begin, &end}, {}, {}};
  prepare(interval);
  const double middle = begin.seconds + (end.seconds - begin.seconds) / 2;
  const bool can_halve = depth < most_depth && relaxed_ < most_relaxed && interval.known && begin.seconds < middle && middle < end.seconds;
  Nodes left;
  with_dimension(clusters_.dimension(), [&](auto n) { look_at(n, interval, std::move(nodes), can_halve, left); });
  if (left.empty()) return {};
  if (++halvings_ == most_halvings_) {
    halvings_ = 0;
    relaxed_ *= relaxing;
  }
  Look between;
  if (auto done = player_.look(middle, between); !done) return done;
  if (auto done = refine(begin, between, left, depth + 1); !done) return done;
  return refine(between, end, std::move(left), depth + 1);
}

void Search::prepare(Interval& interval) {
  const auto& [begin, end] = interval.ends;
  player_.between(begin->seconds, end->seconds, interval.growth);
  const auto axes = static_cast<double>(clusters_.dimension());
  double reach = clusters_.reach();
  for (std::size_t s = 0; s < interval.growth.amounts.size(); ++s) reach += interval.growth.amounts[s].at * clusters_.shape_reach(s);
  const auto changes = [](const Growth& amount) { return amount.first != 0 || amount.second != 0 || amount.jump != 0; };
  const bool fixed = !goal_.range && std::ranges::none_of(interval.growth.amounts, changes);
  interval.most_blended = fixed ? clusters_.most_blended() : HUGE_VAL;
  interval.rounding.resize(begin->palette.size());
  std::vector<double> sizes(begin->palette.size());
  for (std::size_t slot = 0; slot < interval.rounding.size(); ++slot) {
    const MapGrowth& grown = interval.growth.slots[slot];
    const double bind = clusters_.bind_norm(slot), away = clusters_.bind_distance(slot);
    interval.known &= std::isfinite(grown.linear.at) && std::isfinite(grown.translation.at);
    const Growth linear = grown.linear * Growth{bind, 0, 0, 0}, moved = grown.linear * Growth{away, 0, 0, 0} + grown.translation;
    double& rounding = interval.rounding[slot];
    rounding = clusters_.rounding() * (linear.deviation() * reach + moved.deviation()) * axes;
    if (!motion_.still() || clusters_.in_double()) rounding += double_rounding * (linear.at * reach * axes + moved.at);
    sizes[slot] = linear.at * std::sqrt(axes) * (1 + double_rounding);
  }
  interval.underflow = clusters_.underflow(sizes, reach);
  tolerance_ = relaxed_ * goal_.slack * (goal_.center.empty() ? reached_.diagonal(axes_) : goal_.diagonal);
}

bool Search::within(const Extent& extent) const {
  for (std::size_t i = 0; i < axes_; ++i)
    if (!(extent.low[i] >= reached_.low[i] - tolerance_ && extent.high[i] <= reached_.high[i] + tolerance_)) return false;
  return true;
}

/// Limits the size of a coordinate for the rounding of blend shapes. `stored`: without them; `blended`: after they cancelled each other.
double Search::most_size(const Interval& interval, double size, double stored, double blended) {
  return std::min(size, std::max(stored + interval.most_blended, blended) + 0x1p-28 * size);
}

Extent Search::measured(const Extent& box) const {
  if (goal_.center.empty()) return box;
  double squares = 0;
  for (std::size_t i = 0; i < goal_.center.size(); ++i) {
    const double away = std::max(box.high[i] - goal_.center[i], goal_.center[i] - box.low[i]);
    squares += away * away;
  }
  Extent ball;
  ball.add(0, 0, std::sqrt(squares));
  return ball;
}

/// Computes the bounds of `nodes`; nodes that need a shorter time go to `left`.
template <class D>
void Search::look_at(D n, const Interval& interval, Nodes nodes, bool can_halve, Nodes& left) {
  DeadlineSteps steps;
  while (!nodes.empty()) {
    steps.step();
    const std::uint32_t index = nodes.back();
    nodes.pop_back();
    const Clusters::Node& node = clusters_.node(index);
    find_errors(interval, node);
    Extent extent;
    if (bounded_)
      bound_node(n, interval, index, extent);
    else
      for (std::size_t i = 0; i < n; ++i) extent.add(i, -HUGE_VAL, HUGE_VAL);
    extent = measured(extent);
    if (within(extent)) {
      bound_.add(extent);
    } else if (node.children.size() == 0) {
      if (look_at_leaf(n, interval, node, can_halve)) left.push_back(index);
    } else if (can_halve && (!bounded_ || (gain_ > tolerance_ && gain_ > 0.5 * spread_))) {
      left.push_back(index);
    } else {
      for (std::uint32_t child = node.children.first; child < node.children.last; ++child) nodes.push_back(child);
    }
  }
}

void Search::find_errors(const Interval& interval, const Clusters::Node& node) {
  errors_.resize(interval.rounding.size());
  Growth blended;
  for (const Clusters::Drift& drift : clusters_.drifts(node))
    blended = blended + interval.growth.amounts[drift.shape] * Growth{drift.reach, 0, 0, 0};
  gain_ = 0;
  bounded_ = true;
  for (const Clusters::Share& share : clusters_.shares(node)) {
    const MapGrowth& grown = interval.growth.slots[share.slot];
    const Growth in_joint = Growth{share.radius, 0, 0, 0} + Growth{clusters_.bind_norm(share.slot), 0, 0, 0} * blended;
    const Growth way = grown.linear * in_joint + grown.translation;
    const double deviation = way.deviation(), stays = 2 * way.jump + interval.rounding[share.slot];
    errors_[share.slot] = {deviation * (1 + clusters_.rounding() + clusters_.last_rounding()) + interval.rounding[share.slot], stays};
    bounded_ &= std::isfinite(errors_[share.slot].all);
    gain_ += std::max(std::abs(share.least), std::abs(share.most)) * (errors_[share.slot].all - stays);
  }
}

/// Computes the box of a cluster at both looks, enlarged by its error. A vertex is at Σ w·x, with its weights w and the positions x by its
/// slots, each in an interval. Relative to a point r near all x this is r·Σw + Σ w·(x − r), so that variation of the weights matters
/// little.
template <class D>
void Search::bound_node(D n, const Interval& interval, std::uint32_t index, Extent& out) {
  constexpr std::size_t room = capacity_of<D>;
  const Clusters::Node& node = clusters_.node(index);
  const auto shares = clusters_.shares(node);
  extents_.resize(shares.size() * 2 * n);
  sizes_.resize(shares.size() * n);
  const bool blends = clusters_.drifts(node).size() != 0;
  for (const Look* look : interval.ends) {
    std::array<double, room> middle{}, half{}, size{}, rounding{}, around{};
    for (std::size_t i = 0; i < n; ++i) {
      middle[i] = clusters_.box(index)[i];
      half[i] = clusters_.box(index)[n + i];
      size[i] = clusters_.size_in_box(index)[i];
    }
    if (blends)
      for (std::uint32_t d = node.drifts.first; d < node.drifts.last; ++d) {
        const double amount = look->amounts[clusters_.drifts(node)[d - node.drifts.first].shape];
        const double* drift = clusters_.drift_box(d);
        for (std::size_t i = 0; i < n; ++i) {
          middle[i] += amount * drift[i];
          half[i] += std::abs(amount) * drift[n + i];
          size[i] += std::abs(amount) * (std::abs(drift[i]) + drift[n + i]);
        }
      }
    for (std::size_t i = 0; i < n; ++i)
      rounding[i] = clusters_.rounding() * most_size(interval, size[i], clusters_.size_in_box(index)[i], std::abs(middle[i]) + half[i]);
    double sum = 0;
    for (std::size_t s = 0; s < shares.size(); ++s) {
      const double* map = look->palette.columns<double>().data() + shares[s].slot * kernels::map_stride(n);
      double *x = &extents_[s * 2 * n], *side = x + n;
      for (std::size_t i = 0; i < n; ++i) {
        x[i] = map[n * kernels::column_stride(n) + i];
        side[i] = errors_[shares[s].slot].all + clusters_.rounding() * std::abs(x[i]);
        sizes_[s * n + i] = std::abs(x[i]);
      }
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) {
          const double entry = map[j * kernels::column_stride(n) + i];
          x[i] += entry * middle[j];
          side[i] += std::abs(entry) * (half[j] + rounding[j]);
          sizes_[s * n + i] += std::abs(entry) * size[j];
        }
      const double weight = std::max(0.0, shares[s].least + shares[s].most);
      sum += weight;
      for (std::size_t i = 0; i < n; ++i) around[i] += weight * x[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double r = sum > 0 ? around[i] / sum : 0;
      Interval1 all = product(node.least_sum, node.most_sum, r, r);
      for (std::size_t s = 0; s < shares.size(); ++s) {
        const double x = extents_[s * 2 * n + i] - r, side = extents_[s * 2 * n + n + i];
        // a slot that is listed several times has more rounding than its sum
        const double errors = shares[s].excess == 0 ? 0 : errors_[shares[s].slot].all + clusters_.rounding() * sizes_[s * n + i];
        const Interval1 part = product(shares[s].least, shares[s].most, x - side, x + side);
        all.low += part.low - shares[s].excess * errors;
        all.high += part.high + shares[s].excess * errors;
      }
      const bool zero = all.low == 0 && all.high == 0;  // exactly, in float too
      const double more = zero ? 0 : interval.underflow + clusters_.last_rounding() * std::max(std::abs(all.low), std::abs(all.high));
      out.add(i, all.low - more, all.high + more);
    }
  }
  spread_ = 0;
  for (std::size_t i = 0; i < n; ++i) spread_ = std::max(spread_, (out.high[i] - out.low[i]) / 2);
}

/// Bounds each vertex; returns whether some need a shorter time.
template <class D>
bool Search::look_at_leaf(D n, const Interval& interval, const Clusters::Node& leaf, bool can_halve) {
  bool again = false;
  for (std::uint32_t v = leaf.vertices.first; v < leaf.vertices.last; ++v) {
    Error error;
    if (!motion_.still()) error.all = error.stays = interval.underflow;
    for (std::size_t k = 0; k < clusters_.slots(v).size(); ++k) {
      const Error& of_slot = errors_[clusters_.slots(v)[k]];
      const double weight = clusters_.weight_sizes(v)[k];
      error.all += weight * of_slot.all;
      error.stays += weight * of_slot.stays;
    }
    Extent extent;
    double rounding = 0;
    for (const Look* look : interval.ends) {
      Extent exact, rounded;
      reach(n, interval, *look, v, exact, rounded);
      const Extent at = measured(exact), around = measured(rounded);
      reached_.add(at);
      extent.add(around);
      for (std::size_t i = 0; i < axes_; ++i) rounding = std::max({rounding, around.high[i] - at.high[i], at.low[i] - around.low[i]});
    }
    for (std::size_t i = 0; i < axes_; ++i) {
      if (goal_.center.empty()) extent.low[i] -= error.all;
      extent.high[i] += error.all;
    }
    if (!can_halve || within(extent) || error.all - error.stays <= std::max(tolerance_ / 64, error.stays + rounding))
      bound_.add(extent);
    else
      again = true;
  }
  return again;
}

/// Computes the position of a vertex at a look, and the box of its possible float positions; with a range of amounts, the boxes of all
/// possible positions.
template <class D>
void Search::reach(D n, const Interval& interval, const Look& look, std::uint32_t vertex, Extent& exact, Extent& rounded) const {
  constexpr std::size_t room = capacity_of<D>;
  std::array<double, kernels::map_size(room)> map{}, sizes{};
  for (std::size_t k = 0; k < clusters_.slots(vertex).size(); ++k) {
    const double* of_slot = look.palette.columns<double>().data() + clusters_.slots(vertex)[k] * kernels::map_stride(n);
    const double weight = clusters_.weights(vertex)[k], weight_size = clusters_.weight_sizes(vertex)[k];
    for (std::size_t i = 0; i < kernels::map_size(n); ++i) {
      map[i] += weight * of_slot[i];
      sizes[i] += weight_size * std::abs(of_slot[i]);
    }
  }
  const auto moved = [&](const double* vector, double* to) {
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) to[i] += map[j * kernels::column_stride(n) + i] * vector[j];
  };
  std::array<double, room> position{}, low{};
  std::array<double, room> size{};  // of the terms that the kernels add
  for (std::size_t i = 0; i < n; ++i) size[i] = std::abs(position[i] = clusters_.position(vertex)[i]);
  const auto shapes = clusters_.shapes(vertex);
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const double* offset = clusters_.offsets(vertex) + s * n;
    const double amount = goal_.range ? std::max(std::abs(goal_.range->least), std::abs(goal_.range->most)) : look.amounts[shapes[s]];
    for (std::size_t i = 0; i < n; ++i) {
      if (!goal_.range) position[i] += amount * offset[i];
      size[i] += std::abs(amount * offset[i]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    low[i] = map[n * kernels::column_stride(n) + i];
    size[i] = most_size(interval, size[i], std::abs(clusters_.position(vertex)[i]), std::abs(position[i]));
  }
  moved(position.data(), low.data());
  std::array<double, room> high = low;
  for (std::size_t s = 0; goal_.range && s < shapes.size(); ++s) {
    std::array<double, room> way{};
    moved(clusters_.offsets(vertex) + s * n, way.data());
    for (std::size_t i = 0; i < n; ++i) {
      const Interval1 part = product(goal_.range->least, goal_.range->most, way[i], way[i]);
      low[i] += part.low;
      high[i] += part.high;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    double rounding = sizes[n * kernels::column_stride(n) + i];
    for (std::size_t j = 0; j < n; ++j) rounding += sizes[j * kernels::column_stride(n) + i] * size[j];
    rounding *= clusters_.rounding();
    if (rounding > 0) rounding += interval.underflow + clusters_.last_rounding() * std::max(std::abs(low[i]), std::abs(high[i]));
    exact.add(i, low[i], high[i]);
    rounded.add(i, low[i] - rounding, high[i] + rounding);
  }
}

}  // namespace sinew::operations

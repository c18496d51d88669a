// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "operations/weights/weight_field.hpp"

namespace sinew::operations::weights {

namespace {

constexpr int smoothing_steps = 10;
constexpr double smoothing_share = 0.2;

/// Returns the inpainted points, and the matched ones within the reach of them along edges, ascending.
std::vector<std::uint32_t> region_of(const WeldedMesh& mesh, const Neighbours& neighbours, std::span<const PointClass> classes,
                                     double reach) {
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  std::vector<double> distance(classes.size(), std::numeric_limits<double>::infinity());
  for (std::uint32_t i = 0; i < classes.size(); ++i)
    if (classes[i] == PointClass::inpainted) open.emplace(distance[i] = 0, i);
  while (!open.empty()) {
    const auto [length, point] = open.top();
    open.pop();
    if (length > distance[point]) continue;
    for (const std::uint32_t next : neighbours.of(point)) {
      const double there = length + norm(mesh.points[next] - mesh.points[point]);
      if (there > reach || there >= distance[next]) continue;
      open.emplace(distance[next] = there, next);
    }
  }
  std::vector<std::uint32_t> region;
  for (std::uint32_t i = 0; i < classes.size(); ++i)
    if (distance[i] <= reach && classes[i] != PointClass::far) region.push_back(i);
  return region;
}

}  // namespace

void smooth(const WeldedMesh& mesh, const Neighbours& neighbours, std::span<const PointClass> classes, double reach, WeightField& field,
            unsigned threads) {
  const std::vector<std::uint32_t> region = region_of(mesh, neighbours, classes, reach);
  const std::size_t joints = field.joints();
  std::vector<double> next(region.size() * joints);
  for (int step = 0; step < smoothing_steps; ++step) {
    parallel_for(region.size(), 64, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const auto list = neighbours.of(region[i]);
        const auto own = std::as_const(field).row(region[i]);
        double* const out = &next[i * joints];
        std::fill_n(out, joints, 0.0);
        for (const std::uint32_t point : list) {
          const auto theirs = std::as_const(field).row(point);
          for (std::size_t joint = 0; joint < joints; ++joint) out[joint] += theirs[joint];
        }
        const double share = list.empty() ? 0 : smoothing_share, part = list.empty() ? 0 : share / static_cast<double>(list.size());
        for (std::size_t joint = 0; joint < joints; ++joint) out[joint] = (1 - share) * own[joint] + part * out[joint];
      }
    });
    for (std::size_t i = 0; i < region.size(); ++i)
      std::ranges::copy_n(next.begin() + static_cast<std::ptrdiff_t>(i * joints), static_cast<std::ptrdiff_t>(joints),
                          field.row(region[i]).begin());
  }
}

}  // namespace sinew::operations::weights

// SPDX-License-Identifier: MIT
#include "model/key_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "model/rows_of.hpp"

namespace sinew {

namespace {

std::vector<double> times_of(const Track& track, bool rounded) {
  std::vector<double> times = track.times.read<double>();
  if (rounded)
    for (double& time : times) time = static_cast<double>(static_cast<float>(time));
  return times;
}

/// Returns the largest number below a time that a file can store.
double before(double time, bool doubles) {
  constexpr double least = -std::numeric_limits<double>::infinity();
  return doubles ? std::nextafter(time, least) : static_cast<double>(std::nextafter(static_cast<float>(time), static_cast<float>(least)));
}

}  // namespace

bool has_equal_times(const Track& track, bool rounded) {
  const std::vector<double> times = times_of(track, rounded);
  return std::ranges::adjacent_find(times) != times.end();
}

Track with_increasing_times(const Track& track) {
  const bool doubles = track.times.type() == ComponentType::float64;
  const bool step = track.interpolation == Interpolation::step;  // only the first key of all counts before its time
  const std::vector<double> times = times_of(track, !doubles);
  std::vector<double> increasing;
  std::vector<std::size_t> keys;
  for (std::size_t first = 0, last = 0; first < times.size(); first = last + 1) {
    last = first;
    while (last + 1 < times.size() && times[last + 1] == times[first]) ++last;
    const double earlier = before(times[first], doubles);
    const bool counts = keys.empty() ? earlier >= 0 : !step && earlier > increasing.back();
    if (last != first && counts) {
      keys.push_back(first);
      increasing.push_back(earlier);
    }
    keys.push_back(last);
    increasing.push_back(times[last]);
  }
  Track made = track;
  made.values = rows_of(track.values, keys, times.empty() ? 0 : track.values.size() / times.size());
  if (doubles)
    made.times = Array::own(std::move(increasing), 1);
  else
    made.times = Array::own(std::vector<float>(increasing.begin(), increasing.end()), 1);
  return made;
}

}  // namespace sinew

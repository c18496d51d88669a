// SPDX-License-Identifier: MIT
#include <algorithm>

#include "animate/track.hpp"
#include "base/guard.hpp"

#include "sinew/animate.hpp"

namespace sinew::animate {

namespace {

bool shows(const VisibilityTrack& track, double seconds) {
  const std::vector<double> times = track.times.read<double>();
  double value = 0;
  track.values.read(last_key(times.size(), seconds, [&](std::size_t key) { return times[key]; }), 1, &value);
  return value != 0;
}

}  // namespace

Result<> show_at(Model& model, const Clip& clip, double seconds) SINEW_TRY {
  for (const VisibilityTrack& track : clip.visibility) model.nodes[track.node].visible = shows(track, seconds);
  return {};
}
SINEW_CATCH()

Result<std::vector<bool>> visible_nodes(const Model& model, const Clip* clip, double seconds) SINEW_TRY {
  std::vector<bool> own(model.nodes.size());
  for (std::size_t node = 0; node < own.size(); ++node) own[node] = model.nodes[node].visible;
  if (clip != nullptr)
    for (const VisibilityTrack& track : clip->visibility) own[track.node] = shows(track, seconds);
  std::vector<bool> shown = own;
  for (std::size_t node = 0; node < own.size(); ++node) {
    std::size_t steps = 0;  // defective nodes may form cycles
    for (Index up = model.nodes[node].parent; shown[node] && up < own.size() && steps <= own.size(); up = model.nodes[up].parent, ++steps)
      shown[node] = own[up];
  }
  return shown;
}
SINEW_CATCH()

Result<std::vector<double>> visibility_times(const Clip& clip) SINEW_TRY {
  std::vector<double> times{0};
  for (const VisibilityTrack& track : clip.visibility) {
    const std::vector<double> keys = track.times.read<double>();
    times.insert(times.end(), keys.begin(), keys.end());
  }
  std::ranges::sort(times);
  times.erase(std::ranges::unique(times).begin(), times.end());
  return times;
}
SINEW_CATCH()

}  // namespace sinew::animate

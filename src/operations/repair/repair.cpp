// SPDX-License-Identifier: MIT
#include "operations/repair/repair.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/unique_names.hpp"
#include "math/length.hpp"
#include "model/edit_reporter.hpp"
#include "model/key_times.hpp"
#include "model/place.hpp"
#include "operations/files/most_work.hpp"
#include "operations/repair/repair_steps.hpp"
#include "operations/skeletons/hierarchy.hpp"

namespace sinew::operations {

namespace {

constexpr double rotor_tolerance = 0.00769;  // of the validator: quaternions of bytes are not more exact

template <class T>
Array rounded(const std::vector<double>& values, std::size_t width) {
  constexpr double whole = std::numeric_limits<T>::max();
  std::vector<T> stored(values.size());
  std::ranges::transform(values, stored.begin(), [](double value) {
    return static_cast<T>(std::lround(std::clamp(value, std::is_signed_v<T> ? -1.0 : 0.0, 1.0) * whole));
  });
  return Array::own(std::move(stored), width, true);
}

void repair_rotations(Model& model, const EditReporter& changes) {
  for (std::size_t i = 0; i < model.rest_pose.locals.size(); ++i) {
    auto& rotor = model.rest_pose.locals[i].rotor;
    if (rotor.empty() || model.nodes[i].defect != none) continue;
    const double length = length_of(rotor);
    if (std::abs(length - 1) <= rotor_tolerance || !std::isfinite(length)) continue;
    if (length > 0)
      for (double& x : rotor) x /= length;
    else
      rotor = {};
    changes.changed(model.nodes[i].source, length > 0 ? format_text("normalized the rotation; its length was {:.6g}", length)
                                                      : std::string("removed the rotation of length 0"));
  }
}

void repair_names(Model& model, const EditReporter& changes) {
  std::set<Index> bones;
  for (const Skin& skin : model.skins)
    if (skin.defect == none) bones.insert(skin.slots.begin(), skin.slots.end());
  std::set<std::string> seen;
  UniqueNames names;
  for (const Node& node : model.nodes) names.add(node.name);
  for (const Index bone : bones) {
    if (bone == none || model.nodes[bone].name.empty() || seen.insert(model.nodes[bone].name).second) continue;
    Node& node = model.nodes[bone];
    std::string instead = names.take(node.name);
    changes.changed(node.source, format_text("renamed \"{}\" to \"{}\", because another bone has the same name", node.name, instead));
    node.name = std::move(instead);
  }
}

/// Repairs the keys of a track. Cubic splines have two tangents per key, which keep their proportion to the value.
void repair_keys(Track& track, const EditReporter& changes) {
  const std::size_t width = track.values.width();
  if (track.path != TrackPath::rotation || width == 0) return;
  std::vector<double> values = track.values.read<double>();
  const std::size_t rows = track.interpolation == Interpolation::cubic_spline ? 3 : 1;
  std::size_t count = 0;
  double worst = 1;
  for (std::size_t begin = 0; begin + rows * width <= values.size(); begin += rows * width) {
    const double length = length_of(std::span(values).subspan(begin + (rows / 2) * width, width));
    if (std::abs(length - 1) <= rotor_tolerance || !(length > 0) || !std::isfinite(length)) continue;
    for (std::size_t i = begin; i < begin + rows * width; ++i) values[i] /= length;
    ++count;
    if (std::abs(length - 1) > std::abs(worst - 1)) worst = length;
  }
  if (count == 0) return;
  track.values = stored_like(values, track.values);
  changes.changed(track.source,
                  format_text("normalized the rotations of {}; the worst length was {:.6g}", count_of(count, "key", "keys"), worst));
}

}  // namespace

std::string count_of(std::size_t count, std::string_view one, std::string_view many) {
  return format_text("{} {}", count, count == 1 ? one : many);
}

Array stored_like(const std::vector<double>& values, const Array& like) {
  const std::size_t width = like.width();
  if (like.type() == ComponentType::float64) return Array::own(std::vector(values), width);
  if (like.normalized() && like.type() == ComponentType::int8) return rounded<std::int8_t>(values, width);
  if (like.normalized() && like.type() == ComponentType::uint8) return rounded<std::uint8_t>(values, width);
  if (like.normalized() && like.type() == ComponentType::int16) return rounded<std::int16_t>(values, width);
  if (like.normalized() && like.type() == ComponentType::uint16) return rounded<std::uint16_t>(values, width);
  std::vector<float> stored(values.size());
  std::ranges::transform(values, stored.begin(), [](double value) { return static_cast<float>(value); });
  return Array::own(std::move(stored), width);
}

void repair_root_hint(Model& model, Index index, std::span<const std::uint32_t> depth, const EditReporter& changes) {
  Skin& skin = model.skins[index];
  if (skin.defect != none || skin.root_hint == none) return;
  const Index root = common_ancestor(model, depth, skin.slots);
  if (root != none && is_above(model, skin.root_hint, root)) return;
  changes.changed(skin.source, root == none ? format_text("removed skin.skeleton, node {}: the joints have no common root", skin.root_hint)
                                            : format_text("set skin.skeleton to node {}; node {} is not an ancestor of all joints", root,
                                                          skin.root_hint));
  skin.root_hint = root;
}

void repair_clips(Model& model, const EditReporter& changes, WorkMeter& work) {
  ScanMemo<bool> equal(work);
  constexpr const char* what = "the keys of all animations";
  constexpr std::uint64_t steps_per_value = 3, steps_per_new_key = 20;
  for (Clip& clip : model.clips) {
    if (clip.defect != none) continue;
    for (Track& track : clip.tracks) {
      if (track.path == TrackPath::rotation) work.add(steps_per_value * track.values.size() * track.values.width(), what);
      repair_keys(track, changes);
      if (!equal.of(track.times, 0, [&] { return has_equal_times(track); })) continue;
      work.add(steps_per_new_key * track.times.size() + steps_per_value * track.values.size() * track.values.width(), what);
      track = with_increasing_times(track);
      changes.changed(track.source, "separated keys with equal times: the value jumps there");
    }
  }
}

Result<Model> repair_model(const Model& model, const RepairOptions& options, FindingSink& sink) SINEW_TRY {
  Model repaired = model;
  const EditReporter changes(model, sink);
  WorkMeter work = meter_of(model);
  SortedOffsets sorted(work);
  for (Index m = 0; m < repaired.meshes.size(); ++m) {
    Mesh& mesh = repaired.meshes[m];
    if (mesh.defect != none) continue;
    repair_influences(repaired, m, options, changes, work);
    repair_vectors(repaired, m, changes, work);
    if (model.stores_values_by_corner()) repair_offsets(mesh, changes, sorted);
  }
  repair_rotations(repaired, changes);
  const std::vector<std::uint32_t> depth = depths(repaired);
  for (Index i = 0; i < repaired.skins.size(); ++i) repair_root_hint(repaired, i, depth, changes);
  repair_clips(repaired, changes, work);
  if (options.names && !model.requires_unique_names()) repair_names(repaired, changes);
  return repaired;
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations

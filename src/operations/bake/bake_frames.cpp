// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cassert>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/place.hpp"
#include "operations/bake/baker.hpp"

#include "sinew/bake.hpp"

namespace sinew::operations {

namespace {

/// Returns frame − base as offsets of a shape, sparse where that is smaller; nothing if all are 0.
std::optional<Offsets> offsets_between(const Array& base, const Array& frame, Index shape, std::size_t columns) {
  if (base.data() == frame.data() || base.size() != frame.size() || base.width() != frame.width() || base.empty()) return std::nullopt;
  const std::vector<float> from = base.read<float>(), to = frame.read<float>();
  const std::size_t width = base.width();
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < base.size(); ++row) {
    const std::size_t first = row * width;
    if (!std::equal(&from[first], &from[first] + columns, &to[first], [](float a, float b) { return b - a == 0; }))
      rows.push_back(static_cast<std::uint32_t>(row));
  }
  if (rows.empty()) return std::nullopt;
  Offsets offsets;
  offsets.shape = shape;
  const std::size_t row_bytes = base.size() <= 0x100 ? 1 : base.size() <= 0x10000 ? 2 : 4;
  offsets.sparse_ = rows.size() * (columns * sizeof(float) + row_bytes) < base.size() * columns * sizeof(float);
  std::vector<float> moved;  // of no more memory than needed: all frames are kept
  moved.reserve((offsets.sparse_ ? rows.size() : base.size()) * columns);
  const auto add = [&](std::size_t row) {
    for (std::size_t at = row * width; at < row * width + columns; ++at) moved.push_back(to[at] - from[at]);
  };
  if (offsets.sparse_) {
    for (const std::uint32_t row : rows) add(row);
    rows.shrink_to_fit();
    offsets.indices = Array::own(std::move(rows), 1);
  } else {
    for (std::size_t row = 0; row < base.size(); ++row) add(row);
  }
  offsets.values = Array::own(std::move(moved), columns);
  return offsets;
}

void add_offsets(std::vector<Attribute>& base, const std::vector<Attribute>& frame, Index shape) {
  for (std::size_t a = 0; a < std::min(base.size(), frame.size()); ++a) {
    if (base[a].semantic == Semantic::custom) continue;
    const std::size_t columns = base[a].semantic == Semantic::tangent ? 3 : base[a].values.width();  // w does not change
    if (auto offsets = offsets_between(base[a].values, frame[a].values, shape, columns)) base[a].offsets.push_back(std::move(*offsets));
  }
}

/// Adds a shape to every mesh of the first frame that moves it to `frame`.
void add_shape(Model& base, const Model& frame, std::size_t number) {
  for (std::size_t m = 0; m < base.meshes.size(); ++m) {
    Mesh& mesh = base.meshes[m];
    const auto shape = static_cast<Index>(mesh.shapes.size());
    mesh.shapes.emplace_back().name = format_text("frame_{:04}", number);
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
      add_offsets(mesh.blocks[b].attributes, frame.meshes[m].blocks[b].attributes, shape);
    for (std::size_t s = 0; s < mesh.surfaces.size(); ++s)
      add_offsets(mesh.surfaces[s].attributes, frame.meshes[m].surfaces[s].attributes, shape);
  }
}

/// Returns a clip that sets one amount to 1 at each time.
Clip clip_of_frames(const Model& model, const FrameList& frames) {
  const std::size_t count = frames.seconds.size();
  std::vector<float> times(count);
  std::ranges::transform(frames.seconds, times.begin(), [](double time) { return static_cast<float>(time); });
  std::vector<std::uint8_t> amounts(count * count);  // 255 is exactly 1
  for (std::size_t i = 0; i < count; ++i) amounts[i * count + i] = 255;
  Clip clip;
  clip.name = frames.name;
  clip.duration = times.back();
  Track track;
  track.path = TrackPath::amounts;
  track.times = Array::own(std::move(times), 1);
  track.values = Array::own(std::move(amounts), 1, true);
  for (const Instance& instance : need(instances(model))) {
    if (vertex_count(model.meshes[instance.mesh]) == 0) continue;
    track.node = instance.node;
    clip.tracks.push_back(track);
  }
  return clip;
}

Result<> check_memory(const Model& model, const FrameList& frames, Index scene) {
  const auto count = static_cast<double>(frames.seconds.size());
  double vertices = 0;
  for (const Instance& instance : need(instances(model, scene))) vertices += static_cast<double>(vertex_count(model.meshes[instance.mesh]));
  const double bytes = count * vertices * 2 * sizeof(float) * static_cast<double>(model.dimension) + count * count;
  if (bytes <= static_cast<double>(frames.most_bytes)) return {};
  return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, place_of(model), format_text("baking {} frames", count),
                          static_cast<std::uint64_t>(std::min(bytes, 1e18)), frames.most_bytes));
}

}  // namespace

Result<Model> bake_frames(const Model& model, const FrameList& frames, const BakeOptions& options) SINEW_TRY {
  assert(!frames.seconds.empty());
  if (auto fits = check_memory(model, frames, options.scene); !fits) return Unexpected(std::move(fits.error()));
  auto baker = Baker::create(model, options);
  if (!baker) return Unexpected(std::move(baker.error()));
  Result<Model> base;
  Pose pose;
  for (std::size_t i = 0; i < frames.seconds.size(); ++i) {
    if (auto posed = frames.pose(frames.seconds[i], pose); !posed) return Unexpected(std::move(posed.error()));
    auto now = baker->at(pose);
    if (!now) return now;
    if (i == 0) base = *now;
    add_shape(*base, *now, i);
    if (frames.progress) frames.progress(i + 1);
  }
  for (std::size_t n = 0; n < base->nodes.size(); ++n)
    if (base->nodes[n].mesh != none) base->rest_pose.amounts[n].assign(frames.seconds.size(), 0.0);
  if (Clip clip = clip_of_frames(*base, frames); !clip.tracks.empty()) base->clips.push_back(std::move(clip));
  return base;
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations

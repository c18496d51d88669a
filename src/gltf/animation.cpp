// SPDX-License-Identifier: MIT
#include "gltf/animation.hpp"

#include <algorithm>

#include "kernels/scan.hpp"

namespace sinew::gltf {

namespace {

constexpr std::size_t path_width(TrackPath path) { return path == TrackPath::rotation ? 4 : path == TrackPath::amounts ? 1 : 3; }

// The first `count` rows.
Array first_rows(const Array& values, std::size_t count) {
  return Array::borrow(values.data(), count, values.width(), values.stride(), values.type(), values.normalized(), values.owner());
}

}  // namespace

Animations::Animations(Reading& reading, Accessors& accessors) : reading_(reading), accessors_(accessors) {
  const JsonValue animations = reading.root()[RootRow::animations];
  reading.model().clips.reserve(animations.size());
  for (const JsonValue value : animations.elements()) {
    Clip clip;
    const auto object = reading.object<AnimationObject>(value);
    identify(clip, value);
    if (auto read = read_clip(object, clip); !read) {
      Reading::mark(clip, read.error());
      clip.tracks.clear();
    }
    reading.model().clips.push_back(std::move(clip));
  }
}

Checked<> Animations::read_clip(const AnimationObject& object, Clip& clip) {
  if (object.defect()) return reading_.refuse(object);
  const std::vector<JsonValue> samplers = list_of(object[AnimationRow::samplers]);
  std::vector<std::optional<SamplerObject>> objects(samplers.size());
  Targets targets;
  Index number = 0;
  for (const JsonValue value : object[AnimationRow::channels].elements()) {
    const Index channel_number = number++;
    const auto channel = read_channel(value, samplers.size());
    if (!channel) return Refused(channel.error());
    if (!*channel) continue;
    auto& sampler = objects[(*channel)->sampler];
    if (!sampler) sampler = reading_.object<SamplerObject>(samplers[(*channel)->sampler]);
    if (sampler->defect()) return reading_.refuse(*sampler);
    auto track = read_track(**channel, *sampler, clip.duration);
    if (!track) return Refused(track.error());
    if (*track) add(clip, targets, **channel, channel_number, std::move(**track));
  }
  return {};
}

// Nothing where the channel moves nothing that we know: no target node (glTF, Animations: to be ignored), or an unknown path.
Checked<std::optional<Animations::Channel>> Animations::read_channel(JsonValue value, std::size_t samplers) {
  const auto object = reading_.object<ChannelObject>(value);
  if (!object.has(ChannelRow::target)) return reading_.refuse(object);
  const auto target = reading_.object<ChannelTargetObject>(object[ChannelRow::target]);
  Channel channel{value, target.value(), none, TrackPath::translation, none};
  const auto node = reading_.resolve(target, ChannelTargetRow::node);
  if (!node) return Refused(node.error());
  const JsonValue path = target.value()["path"];
  if (!target.has(ChannelTargetRow::path) && path.is(JsonKind::string)) return std::nullopt;
  if (target.defect()) return reading_.refuse(target);
  if (*node == none) return std::nullopt;
  if (object.defect()) return reading_.refuse(object);
  channel.node = *node;
  channel.path = static_cast<TrackPath>(target.word(ChannelTargetRow::path));
  const std::uint64_t sampler = *object.index(ChannelRow::sampler);
  if (sampler >= samplers)
    return reading_.refuse_known<"UNRESOLVED_REFERENCE"_code>(object[ChannelRow::sampler], sampler, samplers,
                                                              array_name(Reference::animation_sampler));
  channel.sampler = static_cast<Index>(sampler);
  return channel;
}

Checked<std::optional<Track>> Animations::read_track(const Channel& channel, const SamplerObject& sampler, double& duration) {
  const Model& model = reading_.model();
  const auto input = reading_.resolve(sampler, SamplerRow::input);
  if (!input) return Refused(input.error());
  const auto output = reading_.resolve(sampler, SamplerRow::output);
  if (!output) return Refused(output.error());
  const auto times = read_times(sampler[SamplerRow::input], *input);
  if (!times) return Refused(times.error());
  const std::size_t keys = times->size();
  if (keys == 0) return std::nullopt;  // reported with the accessor's count
  double last = 0;
  times->read(keys - 1, 1, &last);
  duration = std::max(duration, last);

  Track track;
  track.node = channel.node;
  track.path = channel.path;
  track.interpolation = static_cast<Interpolation>(sampler.word(SamplerRow::interpolation));
  track.quaternions = channel.path == TrackPath::rotation;
  track.times = *times;
  track.source = source_of(channel.value);
  std::uint64_t count = keys;
  if (track.interpolation == Interpolation::cubic_spline) {
    if (keys < 2)
      reading_.report<"ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS"_code>(sampler[SamplerRow::input], keys, 2, "CUBICSPLINE");
    count *= 3;
  }
  if (channel.path == TrackPath::amounts) {
    const Index mesh = model.nodes[channel.node].mesh;
    const std::size_t shapes = mesh < model.meshes.size() ? model.meshes[mesh].shapes.size() : 0;
    if (mesh < model.meshes.size() && model.meshes[mesh].defect != none) return std::nullopt;  // its shapes are not known
    if (shapes == 0) {
      reading_.report<"ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS"_code>(channel.target);
      return std::nullopt;
    }
    count *= shapes;  // both below 2^32
  } else if (!model.rest.locals[channel.node].basis.empty()) {
    reading_.report<"ANIMATION_CHANNEL_TARGET_NODE_MATRIX"_code>(channel.target);
  }
  auto values = read_values(sampler[SamplerRow::output], *output, channel, count);
  if (!values) return Refused(values.error());
  track.values = std::move(*values);
  return track;
}

Checked<Array> Animations::read_times(JsonValue at, Index accessor) {
  if (const auto known = times_.find(accessor); known != times_.end()) return known->second;
  const auto read = [&]() -> Checked<Array> {
    const auto& format = accessors_.format(accessor);
    if (!format) return Refused(format.error());
    if (format->width() != 1) return reading_.refuse<"ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT"_code>(at, format->text());
    if (format->component != ComponentType::float32)  // usable: seconds are numbers of any type
      reading_.report<"ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT"_code>(at, format->text());
    if (format->strided) reading_.report<"ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"_code>(at);
    auto times = accessors_.array(accessor);
    if (!times) return Refused(times.error());
    if (auto checked = check_times(*times, format->value); !checked) return Refused(checked.error());
    return times;
  };
  return times_.emplace(accessor, read()).first->second;
}

Checked<> Animations::check_times(const Array& times, JsonValue accessor) {
  std::vector<float> converted;
  strided_view<const float> view;
  if (times.holds<float>()) {
    view = times.view<float>();
  } else {
    if (auto taken = reading_.take(accessor, times.size(), sizeof(float)); !taken) return taken;
    converted = times.read<float>();
    view = {converted.data(), converted.size(), 1};
  }
  if (const std::size_t row = kernels::first_not_finite(view); row < times.size())
    return reading_.refuse_known<"ACCESSOR_INVALID_FLOAT"_code>(accessor, row);
  if (const std::size_t row = kernels::first_not_increasing(view); row < times.size())
    return reading_.refuse<"ACCESSOR_ANIMATION_INPUT_NON_INCREASING"_code>(accessor, row);
  if (!view.empty() && view[0][0] < 0) reading_.report<"ACCESSOR_ANIMATION_INPUT_NEGATIVE"_code>(accessor, view[0][0]);
  return {};
}

Checked<Array> Animations::read_values(JsonValue at, Index accessor, const Channel& channel, std::uint64_t count) {
  const auto& format = accessors_.format(accessor);
  if (!format) return Refused(format.error());
  const std::size_t width = path_width(channel.path);
  if (format->width() != width)
    return reading_.refuse<"ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT"_code>(
        at, format->text(), channel_paths[static_cast<std::size_t>(channel.path)], accessor_types[width - 1]);
  // More values than keys are harmless, unless it is open which of them belong to a key.
  if (format->count < count || (format->count > count && channel.path == TrackPath::amounts))
    return reading_.refuse<"ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT"_code>(at, format->count, count);
  if (format->count > count) reading_.report<"ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT"_code>(at, format->count, count);
  if (format->strided) reading_.report<"ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"_code>(at);
  auto values = accessors_.array(accessor);
  if (!values) return values;
  if (values->holds<float>()) {
    auto known = finite_.find(accessor);
    if (known == finite_.end()) {
      const std::size_t row = kernels::first_not_finite(values->view<float>());
      known =
          finite_
              .emplace(accessor, row < values->size() ? Checked<>(reading_.refuse_known<"ACCESSOR_INVALID_FLOAT"_code>(format->value, row))
                                                      : Checked<>())
              .first;
    }
    if (!known->second) return Refused(known->second.error());
  }
  return first_rows(*values, count);
}

void Animations::add(Clip& clip, Targets& targets, const Channel& channel, Index number, Track track) {
  const auto [known, fresh] = targets.try_emplace({channel.node, channel.path}, number, clip.tracks.size());
  if (fresh) {
    clip.tracks.push_back(std::move(track));
    return;
  }
  reading_.report<"ANIMATION_DUPLICATE_TARGETS"_code>(channel.target, known->second.first);
  known->second.first = number;
  clip.tracks[known->second.second] = std::move(track);
}

}  // namespace sinew::gltf

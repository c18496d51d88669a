// SPDX-License-Identifier: MIT
#include "gltf/read/animations.hpp"

#include <algorithm>
#include <unordered_map>

#include "gltf/check/attributes.hpp"
#include "gltf/check/values.hpp"
#include "kernels/scan.hpp"

namespace sinew::gltf {

namespace {

constexpr std::size_t path_width(TrackPath path) { return path == TrackPath::rotation ? 4 : path == TrackPath::amounts ? 1 : 3; }

// The first `count` rows.
Array first_rows(const Array& values, std::size_t count) {
  return Array::borrow(values.data(), count, values.width(), values.stride(), values.type(), values.normalized(), values.owner());
}

// Later channels that move the same as an earlier one replace it.
void add(Clip& clip, std::map<std::pair<Index, TrackPath>, std::size_t>& places, Track track) {
  const auto [place, fresh] = places.try_emplace({track.node, track.path}, clip.tracks.size());
  if (fresh)
    clip.tracks.push_back(std::move(track));
  else
    clip.tracks[place->second] = std::move(track);
}

}  // namespace

Animations::Animations(Reading& reading, Accessors& accessors, const Meshes& meshes)
    : reading_(reading), accessors_(accessors), meshes_(meshes), thorough_(reading.checks() == Checks::all) {
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
  samplers_.clear();
  for (const JsonValue value : object[AnimationRow::samplers].elements()) samplers_.push_back({value, {}, none, none, 0, {}});
  if (thorough_)
    for (Index i = 0; i < samplers_.size(); ++i) static_cast<void>(sampler(i));
  const std::vector<JsonValue> channels = list_of(object[AnimationRow::channels]);
  check_duplicates(channels);
  FirstDefect defect;
  std::map<std::pair<Index, TrackPath>, std::size_t> places;
  for (Index number = 0; number < channels.size() && (!defect || thorough_); ++number) {
    const auto channel = read_channel(channels[number]);
    defect.take(channel);
    if (!channel || !channel->path) continue;
    auto track = read_track(*channel, clip.duration);
    defect.take(track);
    if (track && *track) add(clip, places, std::move(**track));
  }
  if (defect) return defect.refused();
  return {};
}

const Animations::Sampler& Animations::sampler(Index index) {
  Sampler& sampler = samplers_[index];
  if (sampler.object) return sampler;
  const SamplerObject& object = sampler.object.emplace(reading_.object<SamplerObject>(sampler.value));
  if (object.defect()) sampler.input = sampler.output = reading_.refuse(object);
  if (!object.defect() || (thorough_ && object.has(SamplerRow::input))) sampler.input = reading_.resolve(object, SamplerRow::input);
  if (!object.defect() || (thorough_ && object.has(SamplerRow::output))) sampler.output = reading_.resolve(object, SamplerRow::output);
  if (sampler.output)
    if (const auto& format = accessors_.format(*sampler.output); format && format->strided)
      reading_.report<"ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"_code>(object[SamplerRow::output]);
  if (!sampler.input) {
    sampler.times = Refused(sampler.input.error());
    return sampler;
  }
  if (const auto& format = accessors_.format(*sampler.input)) sampler.keys = format->count;
  sampler.times = read_times(object, *sampler.input);
  return sampler;
}

Checked<Array> Animations::read_times(const SamplerObject& sampler, Index accessor) {
  const JsonValue at = sampler[SamplerRow::input];
  const auto& format = accessors_.format(accessor);
  if (!format) return Refused(format.error());
  if (format->strided) reading_.report<"ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"_code>(at);
  if (thorough_) check_bounds(at, *format);
  if (static_cast<Interpolation>(sampler.word(SamplerRow::interpolation)) == Interpolation::cubic_spline && format->count < 2)
    reading_.report<"ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS"_code>(at, format->count, 2, "CUBICSPLINE");
  if (format->width() != 1) return reading_.refuse<"ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT"_code>(at, format->text());
  if (format->component != ComponentType::float32)  // usable: seconds are numbers of any type
    reading_.report<"ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT"_code>(at, format->text());
  if (format->view == none && !format->sparse && format->count > 1) {
    reading_.report<"GLTF_ANIMATION_INPUT_NO_DATA"_code>(at, format->count);
    return Array();
  }
  auto times = accessors_.array(accessor);
  if (!times) return Refused(times.error());
  if (auto checked = check_times(at, accessor, *times); !checked) return Refused(checked.error());
  return times;
}

// With every check each sampler is told all that is wrong with its keys; else only what makes them unusable, once.
Checked<> Animations::check_times(JsonValue at, Index accessor, const Array& times) {
  const auto known = sound_.find(accessor);
  if (known != sound_.end() && (known->second || !thorough_)) return known->second;
  const AccessorFormat& format = *accessors_.format(accessor);
  const bool checked = thorough_ && format.component == ComponentType::float32 && format.has_data();
  const bool clean = !checked || check_keys(reading_, at, times);
  const auto check = [&]() -> Checked<> {
    if (auto taken = reading_.take(format.value, times.holds<float>() ? 0 : times.size(), sizeof(float)); !taken) return taken;
    const std::vector<float> converted = times.holds<float>() ? std::vector<float>() : times.read<float>();
    const auto view = times.holds<float>() ? times.view<float>() : strided_view<const float>(converted.data(), converted.size(), 1);
    if (const std::size_t row = kernels::first_not_finite(view); row < times.size())
      return reading_.refuse_known<"ACCESSOR_INVALID_FLOAT"_code>(format.value, row);
    if (const std::size_t row = kernels::first_not_increasing(view); row < times.size())
      return reading_.refuse_known<"ACCESSOR_ANIMATION_INPUT_NON_INCREASING"_code>(at, row);
    if (!thorough_ && !view.empty() && view[0][0] < 0) reading_.report<"ACCESSOR_ANIMATION_INPUT_NEGATIVE"_code>(at, view[0][0]);
    return {};
  };
  return clean ? sound_.insert_or_assign(accessor, check()).first->second : check();
}

// Without a path where the channel moves nothing that we know: no target node (glTF, Animations: to be ignored), or an unknown path.
Checked<Animations::Channel> Animations::read_channel(JsonValue value) {
  const auto object = reading_.object<ChannelObject>(value);
  if (!object.has(ChannelRow::target)) return reading_.refuse(object);
  const auto target = reading_.object<ChannelTargetObject>(object[ChannelRow::target]);
  Channel channel{value, object[ChannelRow::sampler], target.value(), none, std::nullopt, none};
  const auto node = reading_.resolve(target, ChannelTargetRow::node);
  if (!node && !thorough_) return Refused(node.error());
  if (!target.has(ChannelTargetRow::path) && target.value()["path"].is(JsonKind::string)) return channel;
  if (target.defect()) return reading_.refuse(target);
  if (node && *node == none && !thorough_) return channel;
  if (object.defect()) return reading_.refuse(object);
  channel.node = node ? *node : none;
  const std::uint64_t sampler = *object.index(ChannelRow::sampler);
  if (sampler >= samplers_.size())
    return reading_.refuse_known<"UNRESOLVED_REFERENCE"_code>(channel.at, sampler, samplers_.size(),
                                                              array_name(Reference::animation_sampler));
  channel.sampler = static_cast<Index>(sampler);
  channel.path = static_cast<TrackPath>(target.word(ChannelTargetRow::path));
  return channel;
}

// Each channel is told of all later ones that move the same.
void Animations::check_duplicates(const std::vector<JsonValue>& channels) {
  std::unordered_map<std::string, std::vector<Index>> known;
  std::vector<const std::vector<Index>*> groups(channels.size());
  for (Index i = 0; i < channels.size(); ++i) {
    const JsonValue target = channels[i]["target"], path = target["path"];
    const auto node = document::whole_number(target["node"]);
    if (!node || !path.is(JsonKind::string) || !document::whole_number(channels[i]["sampler"])) continue;
    std::vector<Index>& group = known[fmt::format("{} {}", *node, path.string())];
    group.push_back(i);
    groups[i] = &group;
  }
  for (Index i = 0; i < channels.size(); ++i)
    if (groups[i] != nullptr && groups[i]->back() != i)
      for (auto later = std::ranges::upper_bound(*groups[i], i); later != groups[i]->end() && !reading_.sink().full(); ++later)
        reading_.report<"ANIMATION_DUPLICATE_TARGETS"_code>(channels[i]["target"], *later);
}

Checked<std::optional<Track>> Animations::read_track(const Channel& channel, double& duration) {
  const Sampler& from = sampler(channel.sampler);
  FirstDefect defect;
  defect.take(from.times);
  defect.take(from.output);
  if (defect && !thorough_) return defect.refused();
  const auto interpolation = static_cast<Interpolation>(from.object->word(SamplerRow::interpolation));
  const std::uint64_t per_key = values_per_key(channel, interpolation);
  if (!from.output) return defect.refused();
  const auto& format = accessors_.format(*from.output);
  if (!format) return Refused(format.error());
  if (per_key == 0 && !thorough_) return std::nullopt;
  const std::uint64_t count = checked_mul(from.keys, per_key).value_or(std::numeric_limits<std::uint64_t>::max());
  defect.take(check_values(channel, *format, count));
  if (thorough_ && channel.path == TrackPath::rotation)
    check_rotations(channel, *from.output, interpolation == Interpolation::cubic_spline);
  if (defect) return defect.refused();
  if (per_key == 0 || channel.node == none || from.times->empty()) return std::nullopt;
  auto values = read_values(*from.output, count);
  if (!values) return Refused(values.error());

  double last = 0;
  from.times->read(from.keys - 1, 1, &last);
  duration = std::max(duration, last);
  Track track;
  track.node = channel.node;
  track.path = *channel.path;
  track.interpolation = interpolation;
  track.quaternions = channel.path == TrackPath::rotation;
  track.times = *from.times;
  track.values = std::move(*values);
  track.source = source_of(channel.value);
  return track;
}

// 0 where it is not known what is moved.
std::uint64_t Animations::values_per_key(const Channel& channel, Interpolation interpolation) {
  const Model& model = reading_.model();
  const std::uint64_t values = interpolation == Interpolation::cubic_spline ? 3 : 1;
  const bool amounts = channel.path == TrackPath::amounts;
  if (channel.node == none) return amounts ? 0 : values;
  const Node& node = model.nodes[channel.node];
  if (!amounts) {
    if (!model.rest.locals[channel.node].basis.empty()) reading_.report<"ANIMATION_CHANNEL_TARGET_NODE_MATRIX"_code>(channel.target);
    if (thorough_ && node.skin != none) check_skinned(channel);
    return values;
  }
  const bool broken = node.mesh < model.meshes.size() && model.meshes[node.mesh].defect != none;  // its shapes are not known
  const std::size_t shapes = node.mesh >= model.meshes.size() ? 0
                             : broken                         ? meshes_.targets(node.mesh).value_or(0)
                                                              : model.meshes[node.mesh].shapes.size();
  if (shapes == 0 && !(broken && !thorough_)) reading_.report<"ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS"_code>(channel.target);
  return broken && !thorough_ ? 0 : values * shapes;
}

Checked<> Animations::check_values(const Channel& channel, const AccessorFormat& format, std::uint64_t count) {
  const TrackPath path = *channel.path;
  const std::size_t width = path_width(path);
  const std::string_view moved = channel_paths[static_cast<std::size_t>(path)], expected = accessor_types[width - 1];
  FirstDefect defect;
  if (format.width() != width)
    defect.take(reading_.refuse<"ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT"_code>(channel.at, format.text(), moved, expected));
  else if (thorough_)
    check_format(channel, format);
  // More values than keys are harmless, unless it is open which of them belong to a key.
  if (count != 0 && (format.count < count || (format.count > count && path == TrackPath::amounts)))
    defect.take(reading_.refuse<"ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT"_code>(channel.at, format.count, count));
  else if (count != 0 && format.count > count)
    reading_.report<"ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT"_code>(channel.at, format.count, count);
  if (defect) return defect.refused();
  return {};
}

Checked<Array> Animations::read_values(Index accessor, std::uint64_t count) {
  auto values = accessors_.array(accessor);
  if (!values) return values;
  if (values->holds<float>()) {
    auto known = finite_.find(accessor);
    if (known == finite_.end()) {
      const std::size_t row = kernels::first_not_finite(values->view<float>());
      Checked<> finite;
      if (row < values->size()) finite = reading_.refuse_known<"ACCESSOR_INVALID_FLOAT"_code>(accessors_.format(accessor)->value, row);
      known = finite_.emplace(accessor, finite).first;
    }
    if (!known->second) return Refused(known->second.error());
  }
  return first_rows(*values, count);
}

}  // namespace sinew::gltf

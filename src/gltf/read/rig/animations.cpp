// SPDX-License-Identifier: MIT
#include "gltf/read/rig/animations.hpp"

#include <algorithm>
#include <string>

#include "gltf/extensions/KHR_animation_pointer.hpp"
#include "kernels/scan.hpp"

namespace sinew::gltf {

Animations::Animations(Reader& reader, Accessors& accessors)
    : reader_(reader),
      accessors_(accessors),
      work_(reader.most_work()),
      sound_(reader.count(Reference::accessor)),
      finite_(sound_.size()),
      places_(paths * reader.model().nodes.size()) {
  const JsonValue animations = reader.root()["animations"];
  reader.model().clips.reserve(animations.size());
  for (const JsonValue value : animations.elements()) {
    Clip clip;
    const auto object = reader.object<AnimationObject>(value);
    identify(clip, value, object["name"]);
    if (auto read = read_clip(object, clip); !read) {
      Reader::mark(clip, read.error());
      clip.tracks.clear();
    }
    reader.model().clips.push_back(std::move(clip));
  }
}

Checked<> Animations::read_clip(const AnimationObject& object, Clip& clip) {
  if (object.defect()) return reader_.refuse(object);
  samplers_.clear();
  samplers_.reserve(object["samplers"].size());
  for (const JsonValue value : object["samplers"].elements()) samplers_.push_back({value, {}, none, none, 0, {}});
  const std::vector<JsonValue> channels = list_of(object["channels"]);
  check_duplicates(channels);
  amounts_.clear();
  join_ = moves_single_amounts(channels);
  for (const JsonValue value : channels) {
    const auto channel = read_channel(value);
    if (!channel) return Refused(channel.error());
    if (channel->sampler == none) continue;
    if (auto read = read_into(clip, *channel); !read) return read;
  }
  // A matrix that another track replaces is not kept.
  for (Track& kept : clip.tracks)
    if (kept.keeps_basis)
      kept.keeps_basis = std::ranges::none_of(clip.tracks, [&](const Track& track) {
        return track.node == kept.node && track.path != TrackPath::amounts && !track.keeps_basis;
      });
  return join_ ? join_amount_channels(reader_, amounts_, clip) : Checked<>();
}

bool Animations::moves_single_amounts(const std::vector<JsonValue>& channels) {
  return std::ranges::any_of(channels, [&](JsonValue channel) {
    const JsonValue pointer = pointer_of_target(channel["target"]);
    const PointerTarget target = pointer ? pointer_target(reader_.root().value(), reader_.model(), pointer.string()) : PointerTarget();
    return target.mesh != none && (target.shape != none || target.node == none);
  });
}

Checked<> Animations::read_into(Clip& clip, const Channel& channel) {
  if (channel.path) {
    auto track = read_track(channel);
    if (!track) return Refused(track.error());
    if (!*track) return {};
    if (channel.path == TrackPath::amounts && join_)
      amounts_.push_back({channel.node, channel.mesh, channel.shape, std::move(**track)});
    else
      add(clip, std::move(**track));
  } else if (channel.shows) {
    read_visibility(clip, channel);
  }
  const Sampler& from = sampler(channel.sampler);
  if (!from.times || from.times->empty()) return {};  // only of a channel that moves nothing
  double first = 0, last = 0;
  from.times->read(0, 1, &first);
  from.times->read(from.times->size() - 1, 1, &last);
  clip.start = clip.channels == 0 ? first : std::min(clip.start, first);
  clip.duration = std::max(clip.duration, last);
  ++clip.channels;
  if (channel.by_pointer) ++clip.pointer_channels;
  return {};
}

// What does not have the form of a visibility has no effect, because it moves no vertex.
void Animations::read_visibility(Clip& clip, const Channel& channel) {
  const Sampler& from = sampler(channel.sampler);
  if (!from.times || from.times->empty() || !from.output) return;
  const auto& format = accessors_.format(*from.output);
  const bool steps = static_cast<Interpolation>(from.object->word("interpolation")) == Interpolation::step;
  if (!steps || !format || format->width() != 1 || format->component != ComponentType::uint8 || format->count < from.keys) return;
  const auto& values = accessors_.array(*from.output);
  if (!values) return;
  std::erase_if(clip.visibility, [&](const VisibilityTrack& earlier) { return earlier.node == channel.node; });
  clip.visibility.push_back({channel.node, *from.times, *values, source_of(channel.value)});
}

// Later channels that move the same as an earlier one replace it.
void Animations::add(Clip& clip, Track track) {
  std::size_t& place = places_[paths * track.node + static_cast<std::size_t>(track.path)];
  const bool known = place < clip.tracks.size() && clip.tracks[place].node == track.node && clip.tracks[place].path == track.path;
  if (!known) place = clip.tracks.size();
  if (known)
    clip.tracks[place] = std::move(track);
  else
    clip.tracks.push_back(std::move(track));
}

const Animations::Sampler& Animations::sampler(Index index) {
  Sampler& sampler = samplers_[index];
  if (sampler.object) return sampler;
  const SamplerObject& object = sampler.object.emplace(reader_.object<SamplerObject>(sampler.value));
  if (object.defect()) {
    sampler.input = sampler.output = reader_.refuse(object);
  } else {
    sampler.input = reader_.resolve(object, "input");
    sampler.output = reader_.resolve(object, "output");
  }
  if (sampler.output)
    if (const auto& format = accessors_.format(*sampler.output); format && format->strided)
      reader_.report("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"_code, object["output"]);
  if (!sampler.input) {
    sampler.times = Refused(sampler.input.error());
    return sampler;
  }
  if (const auto& format = accessors_.format(*sampler.input)) sampler.keys = format->count;
  sampler.times = read_times(object, *sampler.input);
  return sampler;
}

Checked<Array> Animations::read_times(const SamplerObject& sampler, Index accessor) {
  const JsonValue at = sampler["input"];
  const auto& format = accessors_.format(accessor);
  if (!format) return Refused(format.error());
  if (format->strided) reader_.report("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"_code, at);
  if (static_cast<Interpolation>(sampler.word("interpolation")) == Interpolation::cubic_spline && format->count < 2)
    reader_.report("ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS"_code, at, format->count, 2, "CUBICSPLINE");
  if (format->width() != 1) return reader_.refuse("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT"_code, at, format->text());
  if (format->component != ComponentType::float32)  // seconds may have any component type
    reader_.report("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT"_code, at, format->text());
  if (format->view == none && !format->sparse && format->count > 1) {
    reader_.report("GLTF_ANIMATION_INPUT_NO_DATA"_code, at, format->count);
    return Array();
  }
  const auto& times = accessors_.array(accessor);
  if (!times) return Refused(times.error());
  if (auto checked = check_times(at, accessor, *times); !checked) return Refused(checked.error());
  return times;
}

// Times that several samplers share are checked once.
Checked<> Animations::check_times(JsonValue at, Index accessor, const Array& times) {
  if (sound_[accessor]) return *sound_[accessor];
  const AccessorFormat& format = *accessors_.format(accessor);
  const auto check = [&]() -> Checked<> {
    if (auto taken = reader_.take(format.value, times.holds<float>() ? 0 : times.size(), sizeof(float)); !taken) return taken;
    if (auto counted = reader_.work(work_, times.size(), "the keys of all samplers"); !counted) return counted;
    const std::vector<float> converted = times.holds<float>() ? std::vector<float>() : times.read<float>();
    const auto view = times.holds<float>() ? times.view<float>() : strided_view<const float>(converted.data(), converted.size(), 1);
    if (const std::size_t row = kernels::first_not_finite(view); row < times.size())
      return reader_.refuse("ACCESSOR_INVALID_FLOAT"_code, format.value, row);
    if (const std::size_t row = kernels::first_decreasing(view); row < times.size())
      return reader_.refuse("ACCESSOR_ANIMATION_INPUT_NON_INCREASING"_code, at, row);
    if (const std::size_t row = kernels::first_not_increasing(view); row < times.size())  // a jump
      reader_.report("ACCESSOR_ANIMATION_INPUT_NON_INCREASING"_code, at, row);
    if (!view.empty() && view[0][0] < 0) reader_.report("ACCESSOR_ANIMATION_INPUT_NEGATIVE"_code, at, view[0][0]);
    return {};
  };
  return sound_[accessor].emplace(check());
}

// `sampler` stays empty if the channel has no effect: no target node (to be ignored: glTF, Animations), an unknown path, or a pointer that
// names no property.
Checked<Animations::Channel> Animations::read_channel(JsonValue value) {
  const auto object = reader_.object<ChannelObject>(value);
  if (!object.has("target")) return reader_.refuse(object);
  Channel channel{value, object["sampler"], object["target"], {}};
  if (channel.target["path"].equals("pointer") && channel.target["extensions"]) {
    if (const JsonValue pointer = pointer_of_target(channel.target); pointer) return read_pointer_channel(value, pointer);
    return channel;
  }
  const auto target = reader_.object<ChannelTargetObject>(channel.target);
  const auto node = reader_.resolve(target, "node");
  if (!node) return Refused(node.error());
  if (!target.has("path") && target.value()["path"].is(JsonKind::string)) return channel;
  if (target.defect()) return reader_.refuse(target);
  if (*node == none) return channel;
  channel.node = *node;
  channel.mesh = reader_.model().nodes[*node].mesh;
  channel.path = static_cast<TrackPath>(target.word("path"));
  if (auto taken = take_sampler(object, channel); !taken) return Refused(taken.error());
  return channel;
}

Checked<Animations::Channel> Animations::read_pointer_channel(JsonValue value, JsonValue pointer) {
  using Moves = MutableProperty::Moves;
  const auto object = reader_.object<ChannelObject>(value);
  Channel channel{value, object["sampler"], object["target"], {}};
  channel.by_pointer = true;
  const PointerTarget target = pointer_target(reader_.root().value(), reader_.model(), pointer.string());
  if (!target.counts()) return channel;
  channel.node = target.node;
  channel.mesh = target.mesh;
  channel.shape = target.shape;
  channel.shows = target.moves() == Moves::visibility;
  switch (target.moves()) {
    case Moves::translation:
      channel.path = TrackPath::translation;
      break;
    case Moves::rotation:
      channel.path = TrackPath::rotation;
      break;
    case Moves::scale:
      channel.path = TrackPath::scale;
      break;
    case Moves::weights:
    case Moves::weight:
      channel.path = TrackPath::amounts;
      break;
    default:
      break;
  }
  channel.keeps_basis = channel.path == TrackPath::translation && !reader_.model().rest_pose.locals[channel.node].basis.empty();
  if (auto taken = take_sampler(object, channel); !taken) return Refused(taken.error());
  return channel;
}

Checked<> Animations::take_sampler(const ChannelObject& object, Channel& channel) {
  if (object.defect()) return reader_.refuse(object);
  const std::uint64_t sampler = *object.index("sampler");
  if (sampler >= samplers_.size())
    return reader_.refuse("UNRESOLVED_REFERENCE"_code, channel.at, sampler, samplers_.size(), array_name(Reference::animation_sampler));
  channel.sampler = static_cast<Index>(sampler);
  return {};
}

// Reports at each channel all later ones with the same target.
void Animations::check_duplicates(const std::vector<JsonValue>& channels) {
  struct Moved {
    std::uint64_t node;
    std::string path;
    Index channel;
  };
  std::vector<Moved> all;
  all.reserve(channels.size());
  for (Index i = 0; i < channels.size(); ++i) {
    const JsonValue target = channels[i]["target"], path = target["path"];
    const auto node = whole_number(target["node"]);
    if (node && path.is(JsonKind::string) && whole_number(channels[i]["sampler"])) all.push_back({*node, path.string(), i});
  }
  std::ranges::sort(all, [](const Moved& a, const Moved& b) {
    if (a.node != b.node) return a.node < b.node;
    const int order = a.path.compare(b.path);
    return order != 0 ? order < 0 : a.channel < b.channel;
  });
  const auto same = [](const Moved& a, const Moved& b) { return a.node == b.node && a.path == b.path; };
  std::vector<std::size_t> places(channels.size(), all.size());  // by channel
  for (std::size_t place = 0; place < all.size(); ++place) places[all[place].channel] = place;
  for (Index i = 0; i < channels.size(); ++i)
    for (std::size_t k = places[i] + 1; k < all.size() && same(all[k], all[places[i]]) && !reader_.sink().full(); ++k)
      reader_.report("ANIMATION_DUPLICATE_TARGETS"_code, channels[i]["target"], all[k].channel);
}

Checked<std::optional<Track>> Animations::read_track(const Channel& channel) {
  const Sampler& from = sampler(channel.sampler);
  if (!from.times) return Refused(from.times.error());
  if (!from.output) return Refused(from.output.error());
  const auto interpolation = static_cast<Interpolation>(from.object->word("interpolation"));
  const std::uint64_t per_key = values_per_key(channel, interpolation);
  const auto& format = accessors_.format(*from.output);
  if (!format) return Refused(format.error());
  if (per_key == 0) return std::nullopt;
  const std::uint64_t count = checked_mul(from.keys, per_key).value_or(std::numeric_limits<std::uint64_t>::max());
  if (auto fits = check_values(channel, *format, count); !fits) return Refused(fits.error());
  if (from.times->empty()) return std::nullopt;
  auto values = read_values(*from.output, count);
  if (!values) return Refused(values.error());

  Track track;
  track.node = channel.node;
  track.path = *channel.path;
  track.interpolation = interpolation;
  track.quaternions = channel.path == TrackPath::rotation;
  track.keeps_basis = channel.keeps_basis;
  track.times = *from.times;
  track.values = std::move(*values);
  track.source = source_of(channel.value);
  return track;
}

// Returns 0 if the mesh, and so its number of shapes, is unknown.
std::uint64_t Animations::values_per_key(const Channel& channel, Interpolation interpolation) {
  const Model& model = reader_.model();
  const std::uint64_t values = interpolation == Interpolation::cubic_spline ? 3 : 1;
  if (channel.path != TrackPath::amounts) {
    if (!channel.by_pointer && !model.rest_pose.locals[channel.node].basis.empty())
      reader_.report("ANIMATION_CHANNEL_TARGET_NODE_MATRIX"_code, channel.target);
    return values;
  }
  if (channel.shape != none) return values;
  if (channel.mesh < model.meshes.size() && model.meshes[channel.mesh].defect != none) return 0;  // unknown number of shapes
  const std::size_t shapes = channel.mesh < model.meshes.size() ? model.meshes[channel.mesh].shapes.size() : 0;
  if (shapes == 0) reader_.report("ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS"_code, channel.target);
  return values * shapes;
}

Checked<> Animations::check_values(const Channel& channel, const AccessorFormat& format, std::uint64_t count) {
  const TrackPath path = *channel.path;
  const std::size_t width = path_width(path);
  const std::string_view moved = channel_paths[static_cast<std::size_t>(path)], expected = accessor_types[width - 1];
  if (channel.by_pointer) {
    if (format.width() != width) return reader_.refuse("GLTF_POINTER_OUTPUT_TYPE"_code, channel.value, format.text(), moved, expected);
    if (format.count < count) return reader_.refuse("GLTF_POINTER_OUTPUT_COUNT"_code, channel.value, format.count, count);
    return {};
  }
  if (format.width() != width)
    return reader_.refuse("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT"_code, channel.at, format.text(), moved, expected);
  // Extra values are harmless if the number of values per key is certain.
  if (count != 0 && (format.count < count || (format.count > count && path == TrackPath::amounts)))
    return reader_.refuse("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT"_code, channel.at, format.count, count);
  if (count != 0 && format.count > count)
    reader_.report("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT"_code, channel.at, format.count, count);
  return {};
}

Checked<Array> Animations::read_values(Index accessor, std::uint64_t count) {
  const auto& values = accessors_.array(accessor);
  if (!values) return values;
  if (values->holds<float>()) {
    std::optional<Checked<>>& finite = finite_[accessor];
    if (!finite) {
      finite.emplace();
      if (auto counted = reader_.work(work_, values->size() * values->width(), "the values of all samplers"); !counted)
        finite = counted;
      else if (const std::size_t row = kernels::first_not_finite(values->view<float>()); row < values->size())
        finite = reader_.refuse("ACCESSOR_INVALID_FLOAT"_code, accessors_.format(accessor)->value, row);
    }
    if (!*finite) return Refused(finite->error());
  }
  return Array::borrow(values->data(), count, values->width(), values->stride(), values->type(), values->normalized(), values->owner());
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/deadline.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/edit_members.hpp"
#include "document/json/pointer.hpp"
#include "document/schema/orphans.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/KHR_animation_pointer.hpp"
#include "gltf/extensions/references.hpp"
#include "gltf/read/parsed.hpp"
#include "gltf/schema/tables.hpp"
#include "gltf/write/editor.hpp"
#include "operations/clips/edit_clips.hpp"
#include "operations/files/update.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonKind;
using document::JsonValue;
using gltf::Reference;

/// Animations of glTF. Their channels are read from the JSON, because a model has none that move no vertex.
class GltfClips : public ClipFile {
 public:
  GltfClips(std::shared_ptr<const document::Document> document, FindingSink& changes)
      : document_(std::move(document)), changes_(changes), parsed_(*document_, ignored_) {}

  [[nodiscard]] Result<> open() {
    if (auto read = gltf::parse_asset(parsed_); !read) return read;
    if (auto read = gltf::parse_contents(parsed_); !read) return read;
    animations_ = document::list_of(document_->json().root()["animations"]);
    nodes_ = document::list_of(document_->json().root()["nodes"]);
    return {};
  }

  [[nodiscard]] std::vector<EditedClip> clips() const override {
    std::vector<EditedClip> list;
    for (Index i = 0; i < model().clips.size(); ++i) list.push_back({model().clips[i].name, model().clips[i].duration, i, {}, none});
    return list;
  }

  [[nodiscard]] Result<std::vector<EditedTrack>> tracks(Index clip) override {
    if (const Index defect = model().clips[clip].defect; defect != none) return Unexpected(model().defects[defect]);
    const std::vector<JsonValue>& channels = channels_of(clip);
    const std::vector<JsonValue> samplers = document::list_of(animations_[clip]["samplers"]);
    std::map<std::string, std::size_t> last;  // by target: the channel that counts
    std::vector<EditedTrack> found;
    for (std::size_t number = 0; number < channels.size(); ++number) {
      ask_deadline();
      EditedTrack track;
      track.clip = clip;
      track.channel = number;
      if (!find_target(channels[number]["target"], track)) continue;
      last[track.target] = number;
      found.push_back(std::move(track));
    }
    std::vector<EditedTrack> list;
    for (EditedTrack& track : found) {
      if (last[track.target] != track.channel) continue;
      const auto sampler = document::whole_number(channels[track.channel]["sampler"]);
      const auto read = read_keys(sampler && *sampler < samplers.size() ? samplers[*sampler] : JsonValue(), track);
      if (!read) return Unexpected(read.error());
      list.push_back(std::move(track));
    }
    return list;
  }

  [[nodiscard]] Result<std::vector<double>> rest(const EditedTrack& track) override {
    using Fate = gltf::PointerTarget::Fate;
    using Moves = gltf::MutableProperty::Moves;
    const JsonValue root = document_->json().root();
    const gltf::PointerTarget target = gltf::pointer_target(root, model(), track.target);
    const bool of_matrix = target.node != none && !model().rest_pose.locals[target.node].basis.empty();
    const bool whole = target.moves() == Moves::translation || target.fate == Fate::of_matrix;
    if (of_matrix && whole) return refuse(track.target, "clips cannot be appended if only one of them moves a node that has a `matrix`");
    if (target.moves() == Moves::weights || target.moves() == Moves::weight) {
      const std::vector<double> amounts = amounts_of(target);
      if (target.moves() == Moves::weights) return amounts;
      return std::vector<double>{target.shape < amounts.size() ? amounts[target.shape] : 0.0};
    }
    const std::vector<document::PointerStep> steps = document::steps_of(track.target);
    const bool of_node = target.node < nodes_.size() && steps.size() > 1;  // at() would walk over all nodes before it
    JsonValue at = of_node ? nodes_[target.node] : root;
    for (const document::PointerStep& step : std::span(steps).subspan(of_node ? 2 : 0))
      at = at.is(JsonKind::array) ? at.at(step.index().value_or(none)) : at[step.name()];
    std::vector<double> numbers;
    if (at.is(JsonKind::boolean)) return std::vector<double>{at.text() == "true" ? 1.0 : 0.0};
    if (const auto number = at.number()) return std::vector<double>{*number};
    for (const JsonValue element : at.elements()) numbers.push_back(element.number().value_or(0));
    return at ? Result<std::vector<double>>(numbers) : default_of(track);
  }

  [[nodiscard]] Result<std::shared_ptr<const document::Document>> write(const std::vector<EditedClip>& clips) override {
    gltf::Editor editor(document_, changes_);
    if (auto done = drop(editor, clips); !done) return Unexpected(std::move(done.error()));
    std::size_t place = 0;
    for (const EditedClip& clip : clips) {
      if (clip.dropped) continue;
      if (clip.stored == none)
        editor.element("animations", place) = animation(editor, clip);
      else if (clip.name != model().clips[clip.stored].name)
        document::set_name(editor.element("animations", place), clip.name);
      ++place;
    }
    auto made = editor.finish();
    if (!made) return made;
    return without_orphans(document_.get(), std::move(*made), {});
  }

 private:
  [[nodiscard]] const Model& model() const { return parsed_.model; }
  [[nodiscard]] Unexpected refuse(std::string pointer, std::string_view what) const {
    return Unexpected(
        error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{path_text(document_->path()), std::move(pointer), {}}, what));
  }

  /// Returns false for a channel without effect.
  [[nodiscard]] bool find_target(JsonValue target, EditedTrack& track) const {
    if (const JsonValue pointer = gltf::pointer_of_target(target)) {
      track.target = pointer.string();
      const gltf::PointerTarget named = gltf::pointer_target(document_->json().root(), model(), track.target);
      const bool turns = named.property != nullptr && named.property->width == 4 && named.property->path.ends_with("/rotation");
      track.keys.turns = turns ? 3 : 0;
      return named.counts();
    }
    const auto node = document::whole_number(target["node"]);
    const std::string path = target["path"].string();
    constexpr std::array<std::string_view, 4> paths{"translation", "rotation", "scale", "weights"};
    if (!node || *node >= model().nodes.size() || std::ranges::find(paths, path) == paths.end()) return false;
    track.target = format_text("/nodes/{}/{}", *node, path);
    track.keys.turns = path == "rotation" ? 3 : 0;
    return true;
  }

  [[nodiscard]] Result<> read_keys(JsonValue sampler, EditedTrack& track) {
    const auto times = array_of(sampler["input"]), values = array_of(sampler["output"]);
    if (!times) return Unexpected(times.error());
    if (!values) return Unexpected(values.error());
    TrackKeys& keys = track.keys;
    const JsonValue how = sampler["interpolation"];
    keys.interpolation = how.equals("STEP")          ? Interpolation::step
                         : how.equals("CUBICSPLINE") ? Interpolation::cubic_spline
                                                     : Interpolation::linear;
    keys.times = times->read<double>();
    keys.values = values->read<double>();
    const std::size_t parts = keys.times.size() * (keys.cubic() ? 3 : 1);
    if (parts == 0 || keys.values.size() < parts)
      return refuse(sampler["output"].pointer(), format_text("{} keys have {} numbers", keys.times.size(), keys.values.size()));
    const bool list = track.target.ends_with("/weights");  // as many numbers as there are morph targets
    keys.width = list ? keys.values.size() / parts : values->width();
    if (keys.values.size() < parts * keys.width)
      return refuse(sampler["output"].pointer(), format_text("{} keys have {} values", keys.times.size(), values->size()));
    keys.values.resize(parts * keys.width);
    track.booleans = keys.interpolation == Interpolation::step && values->type() == ComponentType::uint8 && !values->normalized();
    return {};
  }

  [[nodiscard]] Result<Array> array_of(JsonValue index) {
    const auto accessor = document::whole_number(index);
    const std::size_t count = document_->json().root()["accessors"].size();
    if (!accessor || *accessor >= count) return refuse(index.pointer(), "a clip without its keys cannot be changed");
    const auto& array = parsed_.accessors->array(static_cast<Index>(*accessor));
    if (!array) return refuse(index.pointer(), "the accessor cannot be read");
    return *array;
  }

  [[nodiscard]] std::vector<double> amounts_of(const gltf::PointerTarget& target) const {
    if (target.node != none) return model().rest_pose.amounts[target.node];
    std::vector<double> amounts;
    for (const BlendShape& shape : model().meshes[target.mesh].shapes) amounts.push_back(shape.amount);
    return amounts;
  }

  /// Returns the default of a property that the file does not store (glTF 2.0, Properties Reference).
  [[nodiscard]] Result<std::vector<double>> default_of(const EditedTrack& track) const {
    if (track.keys.turns != 0) return std::vector<double>{0, 0, 0, 1};
    const std::string_view name = std::string_view(track.target).substr(track.target.rfind('/') + 1);
    if (track.keys.width > 1) {
      constexpr std::array<std::string_view, 4> zeros{"translation", "emissiveFactor", "sheenColorFactor", "offset"};
      return std::vector<double>(track.keys.width, std::ranges::find(zeros, name) == zeros.end() ? 1.0 : 0.0);
    }
    const document::Property* const row = gltf::row_of_pointer(document_->json().root(), track.target);
    // A rotation with one number is that of a texture.
    const bool turn = row == nullptr && name == "rotation";
    if (!turn && (row == nullptr || !std::isfinite(row->fallback)))
      return refuse(track.target, "clips cannot be appended if only one of them moves a property that the file does not store");
    return std::vector<double>{turn ? 0.0 : row->fallback};
  }

  [[nodiscard]] Result<> drop(gltf::Editor& editor, const std::vector<EditedClip>& clips) const {
    const document::ReferenceScheme& scheme = gltf::reference_scheme();
    const JsonValue root = document_->json().root();
    document::ElementFlags gone(scheme.lists.size());
    std::vector<bool>& animations = gone[static_cast<std::size_t>(Reference::animation)];
    for (const EditedClip& clip : clips)
      if (clip.stored != none) animations.push_back(clip.dropped);
    if (std::ranges::find(animations, true) == animations.end()) return {};
    if (document::visit_references(root, scheme, [](const document::Property&, std::uint64_t) {}))
      return refuse("/animations", "a clip cannot be dropped: an extension, or a value of a wrong type, may refer to clips by index");
    document::remove_elements(editor.root(), root, scheme, gone);
    return {};
  }

  /// at() would walk over all channels before.
  const std::vector<JsonValue>& channels_of(Index clip) {
    const auto [known, added] = channels_.try_emplace(clip);
    if (added) known->second = document::list_of(animations_[clip]["channels"]);
    return known->second;
  }

  [[nodiscard]] JsonEdit animation(gltf::Editor& editor, const EditedClip& clip) {
    JsonEdit made = clip.like == none ? JsonEdit::object() : JsonEdit(animations_[clip.like]);
    document::set_name(made, clip.name);
    JsonEdit channels = JsonEdit::array(), samplers = JsonEdit::array();
    for (const EditedTrack& track : clip.tracks) {
      TrackKeys keys = track.keys;
      round_times(keys);
      JsonEdit channel(channels_of(track.clip)[track.channel]);
      channel.set("sampler", JsonEdit::integer(samplers.size()));
      channels.push_back(std::move(channel));
      samplers.push_back(sampler(editor, track, keys));
    }
    made.set("channels", std::move(channels));
    made.set("samplers", std::move(samplers));
    return made;
  }

  [[nodiscard]] JsonEdit sampler(gltf::Editor& editor, const EditedTrack& track, const TrackKeys& keys) const {
    JsonEdit made = JsonEdit::object();
    const std::size_t width = track.target.ends_with("/weights") ? 1 : keys.width;
    const Array times = Array::own(std::vector<float>(keys.times.begin(), keys.times.end()), 1);
    made.set("input", JsonEdit::integer(editor.add(times, gltf::AccessorUse::times)));
    if (keys.interpolation != Interpolation::linear) made.set("interpolation", JsonEdit::string(keys.cubic() ? "CUBICSPLINE" : "STEP"));
    const auto as_bytes = [&] {
      std::vector<std::uint8_t> bytes;
      for (const double value : keys.values) bytes.push_back(static_cast<std::uint8_t>(value));
      return Array::own(std::move(bytes), width);
    };
    const Array values = track.booleans ? as_bytes() : Array::own(std::vector<float>(keys.values.begin(), keys.values.end()), width);
    made.set("output", JsonEdit::integer(editor.add(values, gltf::AccessorUse::data)));
    return made;
  }

  std::shared_ptr<const document::Document> document_;
  FindingSink& changes_;
  FindingList ignored_;  // reading for the new file reports them
  gltf::Parsed parsed_;
  std::vector<JsonValue> animations_, nodes_;
  std::map<Index, std::vector<JsonValue>> channels_;  ///< of the animations that were asked for
};

}  // namespace

Result<std::unique_ptr<ClipFile>> open_gltf_clips(const std::shared_ptr<const document::Document>& document, FindingSink& changes) {
  auto file = std::make_unique<GltfClips>(document, changes);
  if (auto opened = file->open(); !opened) return Unexpected(std::move(opened.error()));
  return std::unique_ptr<ClipFile>(std::move(file));
}

}  // namespace sinew::operations

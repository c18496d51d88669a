// SPDX-License-Identifier: MIT
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/edit_members.hpp"
#include "g4mf/extensions/SINEW_animation.hpp"
#include "g4mf/write/editor.hpp"
#include "g4mf/write/names.hpp"
#include "g4mf/write/update.hpp"
#include "io/load/read.hpp"
#include "model/edit_reporter.hpp"
#include "operations/clips/edit_clips.hpp"
#include "operations/files/update.hpp"
#include "operations/optimize/steps.hpp"

#include "sinew/geometry.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;

/// Clips in the extension SINEW_animation. The model holds everything that they have.
class G4mfClips : public ClipFile {
 public:
  G4mfClips(std::shared_ptr<const document::Document> document, Model model, FindingSink& changes)
      : document_(std::move(document)), model_(std::move(model)), changes_(changes) {}

  [[nodiscard]] std::vector<EditedClip> clips() const override {
    std::vector<EditedClip> list;
    for (Index i = 0; i < model_.clips.size(); ++i) list.push_back({model_.clips[i].name, model_.clips[i].duration, i, {}, none});
    return list;
  }

  [[nodiscard]] Result<std::vector<EditedTrack>> tracks(Index clip) override {
    const Clip& stored = model_.clips[clip];
    if (stored.defect != none) return Unexpected(model_.defects[stored.defect]);
    std::vector<EditedTrack> list;
    for (std::size_t i = 0; i < stored.tracks.size(); ++i) {
      const Track& track = stored.tracks[i];
      if (track.times.empty()) continue;
      constexpr std::string_view names[] = {"position", "rotor", "scale", "blendAmounts"};
      EditedTrack& made = list.emplace_back();
      made.target = format_text("/nodes/{}/{}", track.node, names[static_cast<std::size_t>(track.path)]);
      made.clip = clip;
      made.channel = i;
      made.keys.interpolation = track.interpolation;
      made.keys.turns = track.path == TrackPath::rotation ? model_.dimension : 0;
      made.keys.times = track.times.read<double>();
      made.keys.values = track.values.read<double>();
      made.keys.width = made.keys.values.size() / (made.keys.times.size() * (made.keys.cubic() ? 3 : 1));
    }
    return list;
  }

  [[nodiscard]] Result<std::vector<double>> rest(const EditedTrack& track) override {
    const Track& stored = model_.clips[track.clip].tracks[track.channel];
    std::vector<double> value = resting_values(model_, stored);
    if (stored.path == TrackPath::rotation && !value.empty()) value.resize(track.keys.width);  // a rotor may be stored in part
    if (!value.empty() || stored.path == TrackPath::amounts) return value;
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{path_text(document_->path()), track.target, {}},
                            "clips cannot be appended if only one of them moves a node that has a `basis`"));
  }

  [[nodiscard]] Result<std::shared_ptr<const document::Document>> write(const std::vector<EditedClip>& clips) override {
    g4mf::Editor editor(*document_, *g4mf::revision_of(model_));
    if (const auto begun = editor.begin(); !begun) return Unexpected(editor.error_of(begun.error()));
    if (model_.clips.empty()) return document_;
    g4mf::Names names(document_->json().root());
    // Adding an accessor changes the root, so the list is looked up each time.
    const auto object = [&]() -> JsonEdit& { return *editor.root().find("extensions")->find(g4mf::animation::extension); };
    const auto list = [&]() -> JsonEdit& { return document::list_in(object(), "clips"); };
    std::vector<bool> dropped(list().size());
    for (const EditedClip& clip : clips) {
      if (clip.stored != none) dropped[clip.stored] = clip.dropped;
      if (clip.dropped || (clip.stored != none && clip.name == model_.clips[clip.stored].name)) continue;
      const Index like = clip.stored != none ? clip.stored : clip.like;
      JsonEdit made = like == none ? JsonEdit::object() : list().at(like);
      const std::string name = names.take(g4mf::legal_name(clip.name, editor.revision()));
      if (name != clip.name)
        EditReporter(changes_).changed("", format_text("clip \"{}\" is named \"{}\": names of G4MF are unique", clip.name, name));
      document::set_name(made, name);
      if (clip.stored != none) {
        list().at(clip.stored) = std::move(made);
        continue;
      }
      if (auto done = set_tracks(editor, clip, made); !done) return Unexpected(editor.error_of(done.error()));
      list().push_back(std::move(made));
    }
    dropped.resize(list().size());
    list().erase_where(dropped);
    if (list().size() == 0) object().erase("clips");
    if (object().size() == 0) forget(editor.root());
    auto document = editor.finish();
    if (!document) return document;
    return without_orphans(document_.get(), std::move(*document), g4mf::revision_of(model_));
  }

 private:
  static void forget(JsonEdit& root) {
    document::erase_in(root, "extensions", g4mf::animation::extension);
    if (JsonEdit* const asset = root.find("asset")) document::erase_name(*asset, "extensionsUsed", g4mf::animation::extension);
  }

  [[nodiscard]] g4mf::Checked<> set_tracks(g4mf::Editor& editor, const EditedClip& clip, JsonEdit& made) const {
    JsonEdit tracks = JsonEdit::array();
    for (const EditedTrack& track : clip.tracks) {
      const Track& stored = model_.clips[track.clip].tracks[track.channel];
      TrackKeys keys = track.keys;
      round_times(keys);
      JsonEdit item(stored_track(track));
      item.erase("interpolation");
      item.erase("name");  // names are unique
      if (keys.interpolation != Interpolation::linear)
        item.set("interpolation", JsonEdit::string(g4mf::animation::interpolations[static_cast<std::size_t>(keys.interpolation)]));
      const Array times = Array::own(std::vector<float>(keys.times.begin(), keys.times.end()), 1);
      if (auto done = g4mf::set_accessor(item, "times", editor.add(times)); !done) return done;
      if (auto done = g4mf::set_accessor(item, "values", editor.add(values_of(stored, keys))); !done) return done;
      tracks.push_back(std::move(item));
    }
    made.set("tracks", std::move(tracks));
    return {};
  }

  /// Returns the JSON of a track. A model has no tracks that are broken, so it is found by its place.
  [[nodiscard]] document::JsonValue stored_track(const EditedTrack& track) const {
    return {document_->json(), static_cast<std::uint32_t>(model_.clips[track.clip].tracks[track.channel].source)};
  }

  /// Returns the values as the file stores them: rotors, not quaternions.
  [[nodiscard]] static Array values_of(const Track& stored, const TrackKeys& keys) {
    std::vector<float> values;
    if (stored.path != TrackPath::rotation || !stored.quaternions)
      values.assign(keys.values.begin(), keys.values.end());
    else
      for (std::size_t i = 0; i < keys.values.size(); i += 4)
        for (const double x : rotor_from_quaternion(std::span(keys.values).subspan(i).first<4>())) values.push_back(static_cast<float>(x));
    return Array::own(std::move(values), stored.path == TrackPath::amounts ? 1 : keys.width);
  }

  std::shared_ptr<const document::Document> document_;
  Model model_;
  FindingSink& changes_;
};

}  // namespace

Result<std::unique_ptr<ClipFile>> open_g4mf_clips(const std::shared_ptr<const document::Document>& document, const io::LoadOptions& load,
                                                  FindingSink& changes) {
  FindingList ignored;  // reading for the new file reports them
  auto model = io::read(document, load, ignored);
  if (!model) return Unexpected(std::move(model.error()));
  return std::unique_ptr<ClipFile>(std::make_unique<G4mfClips>(document, std::move(*model), changes));
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "operations/clips/edit_clips.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/deadline.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "io/load/detect.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::operations {

namespace {

class ClipEditor {
 public:
  ClipEditor(ClipFile& file, std::string path, FindingSink& changes)
      : file_(file), path_(std::move(path)), reporter_(changes), clips_(file.clips()) {}

  Result<std::shared_ptr<const document::Document>> run(const ClipEdits& edits) {
    for (const ClipCut& cut : edits.cuts)
      if (auto done = add_part(cut); !done) return Unexpected(std::move(done.error()));
    for (const ClipSequence& sequence : edits.appends)
      if (auto done = add_sequence(sequence); !done) return Unexpected(std::move(done.error()));
    for (const ClipRename& rename : edits.renames)
      if (auto done = give_name(rename); !done) return Unexpected(std::move(done.error()));
    std::vector<Index> dropped;  // found before the first one goes
    for (const std::string& name : edits.drops) {
      const auto clip = find(name);
      if (!clip) return Unexpected(clip.error());
      dropped.push_back(*clip);
    }
    for (const Index clip : dropped)
      if (!std::exchange(clips_[clip].dropped, true)) say(format_text("dropped {}", title(clip)));
    return file_.write(clips_);
  }

 private:
  [[nodiscard]] Unexpected usage(const std::string& what) const {
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, Place{path_, {}, {}}, what));
  }
  void say(const std::string& what) const { reporter_.changed("", what); }
  [[nodiscard]] std::string title(Index clip) const {
    return clips_[clip].name.empty() ? format_text("clip {}", clip) : format_text("clip \"{}\"", clips_[clip].name);
  }

  [[nodiscard]] Result<Index> find(std::string_view name) const {
    std::vector<NamedThing> things;
    for (Index i = 0; i < clips_.size(); ++i)
      if (!clips_[i].name.empty()) things.push_back({clips_[i].name, i});
    return find_by_name(name, things, clips_.size(), "animation");
  }

  /// Refuses a name that is empty or that another clip has.
  [[nodiscard]] Result<> check_new(const std::string& name) const {
    if (name.empty()) return usage("a new clip needs a name");
    if (std::ranges::find(clips_, name, &EditedClip::name) == clips_.end()) return {};
    return usage(format_text("a clip is named \"{}\" already; rename that one first, or use another name", name));
  }

  Result<std::vector<EditedTrack>> tracks_of(Index clip) {
    Result<std::vector<EditedTrack>> tracks = clips_[clip].tracks;
    if (clips_[clip].stored != none) tracks = file_.tracks(clips_[clip].stored);
    if (tracks && tracks->empty()) return usage(format_text("{} moves nothing", title(clip)));
    return tracks;
  }

  Result<> add_part(const ClipCut& cut) {
    const auto from = find(cut.from);
    if (!from) return Unexpected(from.error());
    if (auto fine = check_new(cut.name); !fine) return fine;
    auto tracks = tracks_of(*from);
    if (!tracks) return Unexpected(std::move(tracks.error()));
    const double length = clips_[*from].length;
    constexpr double rounding = 1e-6;  // of decimals: the keys are float32
    if (!(cut.start >= 0 && cut.start < cut.end && cut.end <= length + rounding * std::max(1.0, length)))
      return usage(format_text("cannot cut {} from {:.9g} s to {:.9g} s; expected 0 <= START < END <= {:.9g}", title(*from), cut.start,
                               cut.end, length));
    const double end = std::min(cut.end, length);
    if (!(cut.start < end)) return usage(format_text("nothing is left of {} from {:.9g} s to {:.9g} s", title(*from), cut.start, end));
    EditedClip made{cut.name, end - cut.start, none, std::move(*tracks), clips_[*from].stored};
    if (made.like == none) made.like = clips_[*from].like;
    for (EditedTrack& track : made.tracks) {
      ask_deadline();
      track.keys = operations::cut(track.keys, cut.start, end);
    }
    say(format_text("cut clip \"{}\" from {}, {:.9g} s to {:.9g} s: {}", cut.name, title(*from), cut.start, end,
                    plural(made.tracks.size(), "track", "tracks")));
    clips_.push_back(std::move(made));
    return {};
  }

  static std::string plural(std::size_t count, std::string_view one, std::string_view many) {
    return format_text("{} {}", count, count == 1 ? one : many);
  }

  /// One clip of a sequence, over its whole length.
  struct Part {
    Index clip = none;
    double start = 0;
    std::vector<EditedTrack> tracks;
    std::map<std::string, std::size_t> of_target;  ///< the number of the track
  };

  Result<> add_sequence(const ClipSequence& sequence) {
    if (auto fine = check_new(sequence.name); !fine) return fine;
    if (sequence.parts.size() < 2) return usage(format_text("\"{}\" needs two clips or more, separated by commas", sequence.name));
    std::vector<Part> parts;
    double end = 0;
    std::vector<std::string> targets;  // in the order of their first occurrence
    std::set<std::string, std::less<>> known;
    for (const std::string& name : sequence.parts) {
      const auto clip = find(name);
      if (!clip) return Unexpected(clip.error());
      if (!(clips_[*clip].length > 0)) return usage(format_text("{} lasts 0 s and cannot be appended", title(*clip)));
      auto tracks = tracks_of(*clip);
      if (!tracks) return Unexpected(std::move(tracks.error()));
      for (const EditedTrack& track : *tracks)
        if (known.insert(track.target).second) targets.push_back(track.target);
      Part& part = parts.emplace_back(Part{*clip, end, std::move(*tracks), {}});
      for (std::size_t i = 0; i < part.tracks.size(); ++i) part.of_target.emplace(part.tracks[i].target, i);
      end = static_cast<double>(static_cast<float>(end + clips_[*clip].length));
    }
    if (auto fine = check_overlap(known); !fine) return fine;
    EditedClip made{sequence.name, end, none, {}, none};
    for (const std::string& target : targets) {
      auto track = joined(target, parts);
      if (!track) return Unexpected(std::move(track.error()));
      made.tracks.push_back(std::move(*track));
    }
    say(format_text("appended {} clips as clip \"{}\", {:.9g} s: {}", parts.size(), sequence.name, end,
                    plural(made.tracks.size(), "track", "tracks")));
    clips_.push_back(std::move(made));
    return {};
  }

  /// All weights of a node and one of them cannot be in one clip.
  [[nodiscard]] Result<> check_overlap(const std::set<std::string, std::less<>>& targets) const {
    for (const std::string& one : targets)
      if (const std::string_view all = std::string_view(one).substr(0, one.rfind('/')); all.ends_with("/weights") && targets.contains(all))
        return usage(format_text("cannot append clips of which one moves {} and another one {}", all, one));
    return {};
  }

  Result<EditedTrack> joined(const std::string& target, const std::vector<Part>& parts) {
    std::vector<const EditedTrack*> of_part;
    const EditedTrack* first = nullptr;
    Interpolation interpolation = Interpolation::step;  // they are in the order of what they can express
    for (const Part& part : parts) {
      const auto found = part.of_target.find(target);
      of_part.push_back(found == part.of_target.end() ? nullptr : &part.tracks[found->second]);
      if (of_part.back() == nullptr) continue;
      if (first == nullptr) first = of_part.back();
      interpolation = std::max(interpolation, of_part.back()->keys.interpolation);
      if (of_part.back()->keys.width != first->keys.width || of_part.back()->booleans != first->booleans)
        return usage(format_text("cannot append clips that move {} with values of different types", target));
    }
    ask_deadline();
    EditedTrack track = *first;
    TrackKeys all;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double length = clips_[parts[i].clip].length;
      TrackKeys keys;
      if (of_part[i] != nullptr) {
        keys = as(operations::cut(of_part[i]->keys, 0, length), interpolation, parts[i].start);
      } else {
        const auto rest = file_.rest(*first);
        if (!rest) return Unexpected(rest.error());
        if (rest->size() != first->keys.width)
          return usage(format_text("cannot append clips: one of them moves {}, and its stored value has {} numbers instead of {}", target,
                                   rest->size(), first->keys.width));
        TrackKeys like = first->keys;
        like.interpolation = interpolation;
        keys = held(*rest, length, like);
      }
      if (i == 0)
        all = std::move(keys);
      else
        append(all, parts[i].start, keys);
    }
    track.keys = std::move(all);
    return track;
  }

  Result<> give_name(const ClipRename& rename) {
    const auto clip = find(rename.from);
    if (!clip) return Unexpected(clip.error());
    if (clips_[*clip].name == rename.to) return {};
    if (auto fine = check_new(rename.to); !fine) return fine;
    say(format_text("renamed {} to \"{}\"", title(*clip), rename.to));
    clips_[*clip].name = rename.to;
    return {};
  }

  ClipFile& file_;
  std::string path_;
  EditReporter reporter_;
  std::vector<EditedClip> clips_;
};

}  // namespace

Result<std::shared_ptr<const document::Document>> edit_clips(const std::shared_ptr<const document::Document>& document,
                                                             const ClipEdits& edits, const io::LoadOptions& load, FindingSink& changes) {
  auto file = io::detect(*document) == io::Format::g4mf ? open_g4mf_clips(document, load, changes) : open_gltf_clips(document, changes);
  if (!file) return Unexpected(std::move(file.error()));
  return ClipEditor(**file, path_text(document->path()), changes).run(edits);
}

}  // namespace sinew::operations

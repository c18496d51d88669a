// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "operations/clips/track_keys.hpp"

#include "sinew/convert.hpp"
#include "sinew/document.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// An animated property of a clip.
struct EditedTrack {
  std::string target;  ///< what it moves, as a JSON pointer; unique in a clip
  TrackKeys keys;
  Index clip = none;        ///< of the file
  std::size_t channel = 0;  ///< glTF: the number of its channel; G4MF: of its track
  bool booleans = false;    ///< glTF: stored as unsigned bytes
};

/// A clip of the file, or a new one.
struct EditedClip {
  std::string name;
  double length = 0;
  Index stored = none;              ///< of the file; none: new
  std::vector<EditedTrack> tracks;  ///< of a new clip
  Index like = none;                ///< the clip of the file that a new one is a part of
  bool dropped = false;
};

/// The clips of a file of one format.
class ClipFile {
 public:
  virtual ~ClipFile() = default;
  /// Returns the clips of the file, without tracks.
  [[nodiscard]] virtual std::vector<EditedClip> clips() const = 0;
  /// Returns the tracks of a clip of the file. Of several that move the same, the last one counts.
  [[nodiscard]] virtual Result<std::vector<EditedTrack>> tracks(Index clip) = 0;
  /// Returns the value of the property in the stored state, as the track stores it. Failure::unsupported: there is none.
  [[nodiscard]] virtual Result<std::vector<double>> rest(const EditedTrack& track) = 0;
  /// Writes the list: the clips of the file in their order, then new ones.
  [[nodiscard]] virtual Result<std::shared_ptr<const document::Document>> write(const std::vector<EditedClip>& clips) = 0;
};

/// Open a file for edits of its clips. `changes` must outlive the result.
[[nodiscard]] Result<std::unique_ptr<ClipFile>> open_gltf_clips(const std::shared_ptr<const document::Document>& document,
                                                                FindingSink& changes);
[[nodiscard]] Result<std::unique_ptr<ClipFile>> open_g4mf_clips(const std::shared_ptr<const document::Document>& document,
                                                                const io::LoadOptions& load, FindingSink& changes);

/// Returns the document with other clips (ClipEdits). `changes` gets what was done.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> edit_clips(const std::shared_ptr<const document::Document>& document,
                                                                           const ClipEdits& edits, const io::LoadOptions& load,
                                                                           FindingSink& changes);

}  // namespace sinew::operations

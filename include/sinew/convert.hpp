// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/compare.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"
#include "sinew/project.hpp"
#include "sinew/result.hpp"
#include "sinew/slice.hpp"

namespace sinew::operations {

/// What to do if the new file cannot hold some data.
enum class OnLoss : std::uint8_t {
  write,
  refuse  ///< writes no file: see Written::refused
};

/// Common options of operations that write a changed file.
struct EditOptions {
  io::LoadOptions load;
  OnLoss on_loss = OnLoss::write;
  /// The largest allowed error, relative to the diagonal of the input at rest. If a vertex of the new file is further from its old place in
  /// a clip, in a blend shape or at rest (see compare), no file is written. Empty: no limit.
  std::optional<double> max_error;
  bool measure = false;       ///< fills Written::movement; max_error does, too
  bool prune_unused = false;  ///< remove all objects without references, including those of the old file
  unsigned threads = 0;       ///< for measuring; 0 = all cores
  OutputName name = OutputName::given;
};

/// The reason why no file was written.
enum class Refused : std::uint8_t {
  no,    ///< the file was written
  loss,  ///< data would be lost: OnLoss::refuse
  error  ///< a vertex would move too far: EditOptions::max_error
};

/// Describes the written file.
struct Written {
  std::string format;       ///< "G4MF 2026-01", "glTF 2.0"; empty: no file was requested
  std::uint64_t bytes = 0;  ///< size of the file, without a .bin beside it
  Refused refused = Refused::no;
  std::size_t changes = 0;             ///< arrays and objects that repair and rebind changed
  std::optional<Comparison> movement;  ///< the distances between old and new vertices; empty: not measured
  std::size_t scenes = 0;              ///< number of compared scenes; `movement` is that of the scene with the largest error
};

/// How buffers are stored in the new file.
enum class Compression : std::uint8_t {
  keep,  ///< as in the old file
  none,
  zstd
};

/// What to do with group names in G4MF skins.
enum class GroupNames : std::uint8_t {
  keep,
  drop,  ///< drop them if they equal the names of the bones of the only skeleton that uses the mesh
  write  ///< add missing ones: the names of the bones
};

/// The way in which a glTF file marks bones.
enum class Skeletons : std::uint8_t {
  keep,
  strict,  ///< STAIK_skeletons: explicit skeletons used by skins; adds the required matrices and roots to skins
  bone,    ///< KHR_skeleton_bone: bones with lengths below a root that carries the skinned meshes
  plain    ///< only skins; skins without matrices get those of their skeleton
};

/// A new clip from `start` to `end` seconds of another one. It begins at 0.
struct ClipCut {
  std::string name, from;
  double start = 0, end = 0;
};
/// A new clip that plays two or more clips one after the other. At the time at which two of them meet, the later one counts.
struct ClipSequence {
  std::string name;
  std::vector<std::string> parts;
};
struct ClipRename {
  std::string from, to;
};

/// Changes to the clips of a file, in the order of the members. Clips are found by name or index, as find_by_name; new ones follow those of
/// the file, so that later changes find them, too. Every sample of a cut or appended clip is that of the old one, to the rounding of
/// float32. A part of a sequence whose clip does not move a property holds its stored value.
struct ClipEdits {
  std::vector<ClipCut> cuts;
  std::vector<ClipSequence> appends;
  std::vector<ClipRename> renames;
  std::vector<std::string> drops;

  [[nodiscard]] bool empty() const { return cuts.empty() && appends.empty() && renames.empty() && drops.empty(); }
};

struct ConvertOptions : EditOptions {
  Index scene = none;                           ///< becomes the default scene, the only one that G4MF has; none: the file's default scene
  Compression compression = Compression::keep;  ///< G4MF
  std::optional<g4mf::Revision> revision;       ///< the revision to write; empty: that of the file
  GroupNames group_names = GroupNames::keep;    ///< G4MF
  Skeletons skeletons = Skeletons::keep;        ///< glTF
  /// Cut the model at rest, then project it to three dimensions (slice.hpp). The new file is static. Options for the rig, `max_error` and
  /// OnLoss::refuse cannot be combined with cuts.
  std::vector<AxisCut> slices;
  bool project = false;
  std::size_t max_influences = 0;  ///< keep only the strongest influences of each vertex, which is a loss; 0: all
  /// Convert VRM 0.x to VRM 1.0. Cannot be combined with slices and projections. Movement is that against the input turned by 180° about Y,
  /// because VRM 1.0 faces +Z.
  bool to_vrm1 = false;
  /// The owner of the avatar agrees to the VRM 1.0 licence, https://vrm.dev/licenses/1.0/, which every VRM 1.0 file names. to_vrm1 needs
  /// it.
  bool accept_vrm_license = false;
  /// Applied first; `max_error` then compares with the file that has the new clips. Failure::usage: a clip that does not exist, a name that
  /// is taken, a range outside of the clip.
  ClipEdits clips;
};

/// Converts a file to another container, format or revision. The extension of `to` names the container.
///
/// G4MF (.g4tf, .g4b): text files store buffers in data URIs, binary files in chunks; unused chunks come last. Without a change of
/// revision, the content of buffers and the JSON except the buffer objects stay byte for byte. A change of revision changes only what the
/// new revision requires, and keeps indices if it can.
/// glTF (.gltf, .glb): the first buffer is the binary chunk or a .bin beside the file, named by its content. Everything else stays,
/// except for the chosen skeletons, which never move a vertex.
/// G4MF to glTF: every vertex keeps its place in every pose and clip; materials keep factors and textures of two dimensions.
///
/// VRM 0.x to VRM 1.0 (to_vrm1): turns the avatar, and converts bones, expressions, springs, materials and facts about the author. Facts
/// that only the owner can state get the strictest values.
///
/// glTF to G4MF: writes a new file in revision 2026-01 or the requested one. Clips and the pose go to the extension SINEW_animation.
///
/// `losses` gets the data that the new file cannot hold, and hints about changes without a loss. `sink` gets the findings of reading. The
/// file appears whole or not at all. Failure::usage: an unknown extension, an option that the format does not have, a missing consent to
/// the licence. Failure::unsupported: no VRM 0.x for to_vrm1, a
/// G4MF file of another dimension than three to glTF, bind matrices that G4MF cannot store, joints that cannot become strict.
[[nodiscard]] Result<Written> convert(const std::filesystem::path& from, const std::filesystem::path& to, const ConvertOptions& options,
                                      FindingSink& sink, FindingSink& losses);

/// Writes losses as a JSON array of objects {"pointer", "what"}.
[[nodiscard]] Result<> save_losses(std::span<const Finding> losses, const std::filesystem::path& path);

/// A skeleton of a model, explicit or derived from skins.
struct SkeletonAccount {
  Index skeleton = none;           ///< of the model; none: derived from skins
  std::vector<Index> skins;        ///< the listed skins
  std::vector<Index> joints;       ///< those listed by the skeleton or a skin, then the nodes between them
  std::size_t named = 0;           ///< how many of `joints` are listed
  Index root = none;               ///< the topmost joint; G4MF: the skeleton's node; or none
  std::vector<std::string> notes;  ///< sentences: where the root and the binds come from, what is ambiguous
  std::string obstacle;            ///< why Skeletons::strict would be refused; or empty
};
/// Returns the skeletons of a model of any format: first the explicit ones, then the derived ones in the order of their first skins.
[[nodiscard]] Result<std::vector<SkeletonAccount>> describe_skeletons(const Model& model);

}  // namespace sinew::operations

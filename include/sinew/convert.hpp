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
#include "sinew/result.hpp"
#include "sinew/slice.hpp"

namespace sinew::operations {

/// What a loss leads to.
enum class OnLoss : std::uint8_t {
  write,
  refuse  ///< no file is written: see Written::refused
};

/// What every operation that writes a changed file takes.
struct EditOptions {
  io::LoadOptions load;
  OnLoss on_loss = OnLoss::write;
  /// The largest error that is written, relative to the diagonal of the input at rest: if a vertex of the new file lies further from where
  /// it was, in a clip, a blend shape or at rest (see compare), no file is written. Nothing: no limit.
  std::optional<double> max_error;
  bool measure = false;       ///< fills Written::movement; max_error does, too
  bool prune_unused = false;  ///< leave out what nothing in the file refers to, also what the old one had already
  unsigned threads = 0;       ///< for measuring; 0 = all cores
};

/// Why there is no new file.
enum class Refused : std::uint8_t {
  no,    ///< it was written
  loss,  ///< something would be lost: OnLoss::refuse
  error  ///< a vertex would move too far: EditOptions::max_error
};

/// What was written.
struct Written {
  std::string format;       ///< "G4MF 2026-01", "glTF 2.0"; empty: no file was asked for
  std::uint64_t bytes = 0;  ///< of the file, without a .bin beside it
  Refused refused = Refused::no;
  std::size_t changes = 0;             ///< arrays and objects that repair and rebind changed
  std::optional<Comparison> movement;  ///< how far vertices moved from where they were; nothing: not measured
  std::size_t scenes = 0;              ///< that were compared; `movement` is of the one with the largest error
};

/// How buffers are stored in the new file.
enum class Compression : std::uint8_t {
  keep,  ///< each as in the old one
  none,
  zstd
};

/// What becomes of the names of groups in G4MF skins.
enum class GroupNames : std::uint8_t {
  keep,
  drop,  ///< where readers find the same names without them: those of the bones of the one skeleton that uses the mesh
  write  ///< where there are none: the names of the bones
};

/// How a glTF file says which nodes are bones.
enum class Skeletons : std::uint8_t {
  keep,
  strict,  ///< STAIK_skeletons: skeletons of their own, which skins use; skins get the matrices and roots that this asks for
  bone,    ///< KHR_skeleton_bone: bones with lengths below a root that carries the skinned meshes
  plain    ///< by skins alone; skins without matrices get those that their skeleton gave them
};

struct ConvertOptions : EditOptions {
  Compression compression = Compression::keep;  ///< G4MF
  std::optional<g4mf::Revision> revision;       ///< to write; nothing: the file's own
  GroupNames group_names = GroupNames::keep;    ///< G4MF
  Skeletons skeletons = Skeletons::keep;        ///< glTF
  /// Cuts through the model at rest, and after that a projection to three dimensions (slice.hpp); the new file is static. They cannot be
  /// used together with options that are about the rig, with `max_error` or with OnLoss::refuse.
  std::vector<AxisCut> slices;
  bool project = false;
  std::size_t max_influences = 0;  ///< the strongest of each vertex stay, which is a loss; 0: all
};

/// Writes a file in the container that the extension of `to` names, of its own format or of another one, and in another revision of it.
///
/// G4MF (.g4tf, .g4b): text holds its buffers in data URIs, binary in chunks, and chunks that no buffer uses follow the others. In the
/// file's own revision the JSON stays byte for byte but for the buffers' objects, and the content of buffers too. In another one only what
/// that revision demands is changed, and existing indices stay where it lets them.
/// glTF (.gltf, .glb): the first buffer is the binary chunk or a .bin beside the file, named by its content; all else stays as it is,
/// unless other skeletons are asked for. No choice of them moves a vertex.
/// G4MF to glTF: every vertex keeps its place in every pose and clip; materials keep factors and textures of two dimensions.
///
/// From glTF to G4MF: written afresh in revision 2026-01, or the one that is asked for (to_g4mf); clips and the pose in the extension
/// SINEW_animation.
///
/// What the new file cannot hold goes to `losses`, and as hints what was changed without a loss; what the container and the JSON of the old
/// one are like to `sink`. The file appears whole or not at all. Failure::usage: an unknown extension, an option that the format does not
/// have; Failure::unsupported: G4MF of another dimension than three to glTF, bind matrices that G4MF cannot store, joints that cannot
/// become strict ones.
[[nodiscard]] Result<Written> convert(const std::filesystem::path& from, const std::filesystem::path& to, const ConvertOptions& options,
                                      FindingSink& sink, FindingSink& losses);

/// Writes losses as a JSON array of objects {"pointer", "what"}.
[[nodiscard]] Result<> save_losses(std::span<const Finding> losses, const std::filesystem::path& path);

/// A skeleton of a model, as the file says it or as its skins make one.
struct SkeletonAccount {
  Index skeleton = none;           ///< of the model; none: it follows from skins
  std::vector<Index> skins;        ///< that it moves meshes by
  std::vector<Index> joints;       ///< those that the skeleton or a skin names, then what lies between
  std::size_t named = 0;           ///< how many of them are named
  Index root = none;               ///< the one above all others; G4MF: the skeleton's node; none: there is none
  std::vector<std::string> notes;  ///< sentences: where the root and the binds come from, what is ambiguous
  std::string obstacle;            ///< why Skeletons::strict would be refused; empty: it would not
};
/// Skeletons of a model of any format, in the order of its own ones, then of their first skins.
[[nodiscard]] std::vector<SkeletonAccount> describe_skeletons(const Model& model);

}  // namespace sinew::operations

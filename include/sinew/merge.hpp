// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/convert.hpp"
#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// What is done to clothes that do not fit, before they are merged. Each part of it changes their vertices.
struct ClothesFit {
  bool scale = false;    ///< one factor for the whole: the ratio of the lengths of matched bones
  bool turn = false;     ///< in steps of 90°: the half turn between VRM 0.x and VRM 1.0
  bool pose = false;     ///< also turned; then matched bones go to the places of the body's, limbs point as the body's, and vertices follow
  bool surface = false;  ///< last: what surrounds a bone gets the body's girth there, and what lies inside the body is lifted out; not done
                         ///< if other parts were asked for and found nothing to do

  [[nodiscard]] bool any() const { return scale || turn || pose || surface; }
};

/// Which meshes of clothes get the weights of the body's surface beside them.
enum class ClothesWeights : std::uint8_t {
  automatic,  ///< those without a skin, below no bone of the body, whose box at rest overlaps that of the body's skinned meshes
  keep,       ///< none
  transfer    ///< all; skins of the clothes are dropped
};

/// How weights are transferred (glTF). G4MF: `automatic` transfers nothing, and `transfer` is Failure::unsupported.
struct WeightTransfer {
  ClothesWeights mode = ClothesWeights::automatic;
  std::vector<std::string>
      from;                ///< meshes of the body, by name, by the name of a node that draws it, or by index; empty: all of the skeleton
  double distance = 0.05;  ///< the largest distance of a match, relative to the diagonal of the mesh, and to that of the body
  double angle = 30;       ///< the largest angle between the normals of a match, in degrees
  std::size_t max_influences = 0;  ///< of a vertex; 0: as many as the body has, but at least 4
};

/// `max_error` and `measure` apply to the body. `max_error` cannot be combined with `join`, and `measure` has no effect with it.
struct MergeOptions : EditOptions {
  std::string skeleton;                                     ///< of the body, by name or index; empty: its only one
  std::vector<std::pair<std::string, std::string>> rename;  ///< bones of the clothes, old and new name; applied before names are compared
  std::vector<std::string> keep_separate;                   ///< bones of the clothes (new names) that stay separate
  /// A bone of the body, by name or by the name of a humanoid's bone, that carries clothes without bones (a sword): their root nodes become
  /// its children; they keep their transforms and their size in the world. Empty: they stay where they are. Failure::usage: no such bone,
  /// or no file without bones.
  std::string attach;
  bool grip = false;  ///< `attach` is a hand: the origin of the thing comes into the palm, and its longest way out of the thumb's side
  std::optional<double> scale;          ///< of what `attach` carries; nothing: the ratio of the body to `made_for`, else 1
  std::vector<std::string> animations;  ///< clips of the clothes to keep, by name; "all": all of them
  std::vector<std::string> meshes;      ///< of the clothes, by name, by the name of a node that draws it, or by index; empty: all of them
  /// How to match names of bones. Empty: what the files say of a humanoid (VRM, KHR_character) counts, otherwise names must be equal.
  /// "auto": the best profile, ignoring common prefixes. Otherwise the name of a profile (bone_name_profiles), or a file with a line "OLD
  /// NEW" for each bone of the clothes that has another name in the body.
  std::string names;
  double tolerance =
      0.01;        ///< how far pivots may lie apart, relative to the diagonal of the body's rest bounds; of bones that move a vertex
  ClothesFit fit;  ///< glTF
  /// The figure that the clothes were made for, in their size and rest pose, if it is known: with ClothesFit::surface they then lie on the
  /// body as they lie on this figure. Empty: the other meshes of their file, if `meshes` leaves some out. Used by `fit` and `attach`.
  std::filesystem::path made_for;
  WeightTransfer weights;
  bool join = false;  ///< join all meshes of the skeleton into one (join_meshes)
};

/// Where a bone of the clothes went.
struct MergedBone {
  std::string name;     ///< in the clothes
  std::string becomes;  ///< in the new file
  bool added = false;   ///< the body had no such bone
  bool moves = false;   ///< a vertex of the clothes, or an animation that is kept, needs it
  std::string parent;   ///< of an added one; empty: a root
  double distance = 0;  ///< between the two pivots at rest
};

/// One file of clothes.
struct MergedClothes {
  std::filesystem::path path;
  std::vector<MergedBone> bones;
  std::size_t matched = 0;  ///< bones that were merged with a bone of the body
  double tolerance = 0;     ///< the largest accepted distance between pivots
  bool meshes = false;      ///< whether it draws meshes
  std::string fitted;       ///< what MergeOptions::fit did, in words
  std::string retargeted;   ///< clips that were retargeted because bones have other names, axes or rest poses, in words
  std::string attached;     ///< the bone of the body that carries it (MergeOptions::attach)
};

/// A mesh of clothes that got weights. Numbers of vertices are those of the file.
struct TransferredWeights {
  std::string mesh;
  Index node = none;  ///< of the new file
  std::filesystem::path file;
  ClothesWeights mode = ClothesWeights::automatic;
  std::vector<std::string> from;  ///< meshes of the body
  std::string reason;             ///< why this mesh got weights
  std::size_t vertices = 0;
  std::size_t matched = 0;    ///< got the weights of the nearest point of the body
  std::size_t inpainted = 0;  ///< got the weights that continue those of the other vertices
  std::size_t far = 0;        ///< their piece lies away from the body: they follow its nearest point or bone
  std::size_t pieces = 0;
  std::size_t pieces_without_match = 0;
  std::size_t most_influences = 0;
  std::size_t dropped = 0;  ///< influences that were cut, of vertices at different places
  double largest_dropped = 0;
  double median_distance = 0;  ///< of matched vertices from the body, relative to the diagonal of the mesh; also the next two
  double largest_distance = 0;
  double distance_limit = 0;
  double angle = 0;
  std::vector<std::size_t> far_vertices;  ///< rows, up to 100
  std::vector<std::string> warnings;
};

struct Merged : Written {
  std::vector<MergedClothes> clothes;
  std::vector<TransferredWeights> weights;
};

/// Attaches the meshes of clothes to one skeleton of a body and writes a new file in the body's format. Bones with the same name become one
/// bone. Other bones are added under their nearest ancestor in the body. If a file has no mesh, the nodes that its kept clips move are
/// bones; where these bones have other names, axes or rest poses, its clips are retargeted (sinew/retarget.hpp). Nothing moves at rest.
/// Data of the body keep their indices, JSON and bytes. `losses` gets the omitted data and data that may be stale. Failure::usage: several
/// skeletons and none selected, an unknown name or clip. Failure::unsupported: files of different formats. Failure::input with the code
/// SINEW_MERGE_DOES_NOT_FIT: pivots of bones that move a vertex further apart than `tolerance`. Failure::input: names that several bones
/// share, transforms without inverse, unusable files. Failure::input with the code SINEW_MERGE_NO_MATCH: no bone of a file with bones, or
/// of one of its skinned meshes, follows the body. Failure::input with the code SINEW_MERGE_CLIP_MOVES_NOTHING: a kept clip moves nothing
/// that the file shows. Failure::input with the codes SINEW_WEIGHTS_NO_SOURCE and SINEW_WEIGHTS_NO_OVERLAP: no skinned surface to copy
/// weights from, and ClothesWeights::transfer for a mesh away from it.
[[nodiscard]] Result<Merged> merge(const std::filesystem::path& body, const std::vector<std::filesystem::path>& clothes,
                                   const std::filesystem::path& to, const MergeOptions& options, FindingSink& sink, FindingSink& losses);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sinew/convert.hpp"
#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// What is done to clothes that do not fit, before they are merged. Each part of it changes their vertices.
struct ClothesFit {
  bool scale = false;  ///< one factor for the whole: the ratio of the lengths of matched bones
  bool turn = false;   ///< in steps of 90°: the half turn between VRM 0.x and VRM 1.0
  bool pose = false;   ///< also turned; then matched bones go to the places of the body's, limbs point as the body's, and vertices follow

  [[nodiscard]] bool any() const { return scale || turn || pose; }
};

/// `max_error` and `measure` apply to the body. `max_error` cannot be combined with `join`, and `measure` has no effect with it.
struct MergeOptions : EditOptions {
  std::string skeleton;                                     ///< of the body, by name or index; empty: its only one
  std::vector<std::pair<std::string, std::string>> rename;  ///< bones of the clothes, old and new name; applied before names are compared
  std::vector<std::string> keep_separate;                   ///< bones of the clothes (new names) that stay separate
  std::vector<std::string> animations;                      ///< clips of the clothes to keep, by name; "all": all of them
  std::vector<std::string> meshes;  ///< of the clothes, by name, by the name of a node that draws it, or by index; empty: all of them
  /// How to match names of bones. Empty: what the files say of a humanoid (VRM, KHR_character) counts, otherwise names must be equal.
  /// "auto": the best profile, ignoring common prefixes. Otherwise the name of a profile (bone_name_profiles), or a file with a line "OLD
  /// NEW" for each bone of the clothes that has another name in the body.
  std::string names;
  double tolerance =
      0.01;           ///< how far pivots may lie apart, relative to the diagonal of the body's rest bounds; of bones that move a vertex
  ClothesFit fit;     ///< glTF
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
};

struct Merged : Written {
  std::vector<MergedClothes> clothes;
};

/// Attaches the meshes of clothes to one skeleton of a body and writes a new file in the body's format. Bones with the same name become one
/// bone. Other bones are added under their nearest ancestor in the body. If a file has no mesh, the nodes that its kept clips move are
/// bones. Nothing moves at rest. Data of the body keep their indices, JSON and bytes. `losses` gets the omitted data and data that may be
/// stale. Failure::usage: several skeletons and none selected, an unknown name or clip. Failure::unsupported: files of different formats.
/// Failure::input with the code SINEW_MERGE_DOES_NOT_FIT: pivots of bones that move a vertex further apart than `tolerance`.
/// Failure::input: names that several bones share, transforms without inverse, unusable files. Failure::input with the code
/// SINEW_MERGE_NO_MATCH: no bone of a file with bones, or of one of its skinned meshes, follows the body. Failure::input with the code
/// SINEW_MERGE_CLIP_MOVES_NOTHING: a kept clip moves nothing that the file shows.
[[nodiscard]] Result<Merged> merge(const std::filesystem::path& body, const std::vector<std::filesystem::path>& clothes,
                                   const std::filesystem::path& to, const MergeOptions& options, FindingSink& sink, FindingSink& losses);

}  // namespace sinew::operations

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

/// `max_error` and `measure` apply to the body. `max_error` cannot be combined with `join`, and `measure` has no effect with it.
struct MergeOptions : EditOptions {
  std::string skeleton;                                     ///< of the body, by name or index; empty: its only one
  std::vector<std::pair<std::string, std::string>> rename;  ///< bones of the clothes, old and new name; applied before names are compared
  std::vector<std::string> keep_separate;                   ///< bones of the clothes (new names) that stay separate
  std::vector<std::string> animations;                      ///< clips of the clothes to keep, by name; "all": all of them
  std::vector<std::string> meshes;  ///< of the clothes, by name, by the name of a node that draws it, or by index; empty: all of them
  /// How to match names of bones. Empty: names must be equal. "auto": the best profile, ignoring common prefixes. Otherwise the name of a
  /// profile (bone_name_profiles), or a file with a line "OLD NEW" for each bone of the clothes that has another name in the body.
  std::string names;
  bool join = false;  ///< join all meshes of the skeleton into one (join_meshes)
};

/// Where a bone of the clothes went.
struct MergedBone {
  std::string name;     ///< in the clothes
  std::string becomes;  ///< in the new file
  bool added = false;   ///< the body had no such bone
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
};

struct Merged : Written {
  std::vector<MergedClothes> clothes;
};

/// Attaches the meshes of clothes to one skeleton of a body and writes a new file in the body's format. Bones with the same name become one
/// bone. Other bones are added under their nearest ancestor in the body. If a file has no mesh, the nodes that its kept clips move are
/// bones. Nothing moves at rest. Data of the body keep their indices, JSON and bytes. `losses` gets the omitted data and data that may be
/// stale. Failure::usage: several skeletons and none selected, an unknown name or clip. Failure::unsupported: files of different formats.
/// Failure::input: pivots further apart than 1 % of the diagonal of the body's rest bounds, names that several bones share, transforms
/// without inverse, unusable files. Failure::input with the code SINEW_MERGE_NO_MATCH: no bone of a file with bones, or of one of its
/// skinned meshes, follows the body. Failure::input with the code SINEW_MERGE_CLIP_MOVES_NOTHING: a kept clip moves nothing that the file
/// shows.
[[nodiscard]] Result<Merged> merge(const std::filesystem::path& body, const std::vector<std::filesystem::path>& clothes,
                                   const std::filesystem::path& to, const MergeOptions& options, FindingSink& sink, FindingSink& losses);

}  // namespace sinew::operations

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

/// Its errors are those of the body; with `join` nothing can be measured.
struct MergeOptions : EditOptions {
  std::string skeleton;                                     ///< of the body, by name or index; empty: its only one
  std::vector<std::pair<std::string, std::string>> rename;  ///< bones of the clothes, old name and new one, before names are compared
  std::vector<std::string> keep_separate;                   ///< bones of the clothes (their new names) that stay bones of their own
  std::vector<std::string> animations;                      ///< clips of the clothes that stay, by name; "all": all of them
  std::vector<std::string> meshes;  ///< of the clothes, by name, by the name of a node that draws it, or by index; empty: all of them
  /// How bones are called: empty = names must be equal; "auto" = the best profile, and without common prefixes; a profile
  /// (bone_name_profiles); else a file with a line "OLD NEW" for each bone of the clothes that is called otherwise in the body.
  std::string names;
  bool join = false;  ///< make one mesh of all that the skeleton moves (join_meshes)
};

/// What became of a bone of the clothes.
struct MergedBone {
  std::string name;     ///< in the clothes
  std::string becomes;  ///< in the new file
  bool added = false;   ///< the body had none such
  std::string parent;   ///< of an added one; empty: a root
  double distance = 0;  ///< between the two pivots at rest
};

/// One file of clothes.
struct MergedClothes {
  std::filesystem::path path;
  std::vector<MergedBone> bones;
  std::size_t matched = 0;  ///< bones that became one of the body
  double tolerance = 0;     ///< the distance of pivots that is refused is larger
};

struct Merged : Written {
  std::vector<MergedClothes> clothes;
};

/// Puts the meshes of clothes, file after file, onto one skeleton of a body and writes everything to a new file of the body's format.
/// Bones with one name become one, others are added under the nearest ancestor that the body has; at rest nothing moves. What the body
/// says keeps its indices, its JSON and its bytes. `losses` gets what is left out or may be stale.
/// Failure::usage: several skeletons and none named, a name or clip that fits nothing. Failure::unsupported: files of different formats.
/// Failure::input: pivots further apart than 1 % of the diagonal of the body's rest bounds, names that several bones share, transforms
/// without inverse, files that cannot be used; with the code SINEW_MERGE_NO_MATCH: a file with bones of which none matches.
[[nodiscard]] Result<Merged> merge(const std::filesystem::path& body, const std::vector<std::filesystem::path>& clothes,
                                   const std::filesystem::path& to, const MergeOptions& options, FindingSink& sink, FindingSink& losses);

}  // namespace sinew::operations

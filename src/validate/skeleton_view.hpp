// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::validate {

/// A node between two bones that is not a bone, and the first bone below it.
struct Gap {
  Index node = none;
  Index below = none;
};

/// Bones that belong together, in any form: skins that share joints or refer to one skeleton, an explicit skeleton, marked bones.
struct Rig {
  std::vector<Index> bones;   ///< nodes, ascending
  std::vector<Index> tops;    ///< bones without a bone of the rig above them, ascending
  std::vector<Gap> gaps;      ///< between bones
  Index frame = none;         ///< the lowest node above all bones that is not one of them; none = the world
  std::vector<Index> skins;   ///< ascending
  std::vector<Index> meshes;  ///< nodes whose mesh the skins move, ascending
  bool is_listed = false;     ///< each bone is a joint of an explicit skeleton
};

/// The normal form in which skeletons of all dialects and formats are compared: rigs of bones.
struct SkeletonView {
  std::vector<Rig> rigs;
  std::vector<Index> rig_of;  ///< by node; none = not a bone
};
[[nodiscard]] SkeletonView view_skeletons(const Model& model);

/// Returns whether `above` is an ancestor of `node`.
[[nodiscard]] bool is_ancestor(const Model& model, Index above, Index node);

}  // namespace sinew::validate

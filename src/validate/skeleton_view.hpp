// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::validate {

/// A node between two bones that is none, and the first bone below it.
struct Gap {
  Index node = none;
  Index below = none;
};

/// Bones that belong together, however the file says so: skins that share joints or name one skeleton, an explicit skeleton, marked bones.
struct Rig {
  std::vector<Index> bones;   ///< nodes, ascending
  std::vector<Index> tops;    ///< bones without a bone of the rig above them, ascending
  std::vector<Gap> gaps;      ///< between bones
  Index frame = none;         ///< the lowest node above all bones that is none of them; none = the world
  std::vector<Index> skins;   ///< ascending
  std::vector<Index> meshes;  ///< nodes whose mesh the skins move, ascending
  bool is_listed = false;     ///< each bone is a joint of an explicit skeleton
};

/// The normal form in which skeletons of all dialects are compared: rigs of bones, whatever format they came from.
struct SkeletonView {
  std::vector<Rig> rigs;
  std::vector<Index> rig_of;  ///< by node; none = no bone
};
[[nodiscard]] SkeletonView view_skeletons(const Model& model);

/// Whether `above` is an ancestor of `node`.
[[nodiscard]] bool is_ancestor(const Model& model, Index above, Index node);

}  // namespace sinew::validate

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "operations/merge/merge_plan.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns the nodes that clips move in a file without meshes and without bones, ascending, except those that carry a camera or a light.
/// They are the bones of that file.
[[nodiscard]] std::vector<Index> bones_of_clips(const document::Document& document, const Model& model, std::span<const Index> clips);

/// Fails if an element of the new file's animations that comes from `clips` of the clothes moves nothing that is shown: no vertex, no
/// camera and no light, and has no pointer to a property of other things (KHR_animation_pointer). `first`: the place of the first of these
/// clips in the new file.
[[nodiscard]] Result<> check_clips_move(const document::Document& document, const Model& merged, std::size_t first, const Model& clothes,
                                        std::span<const Index> clips);

/// Fails if a clip cannot be used.
[[nodiscard]] Result<> check_clips_usable(const Model& clothes, std::span<const Index> clips);

/// Clips for another skeleton.
struct RetargetedClips {
  Model model;       ///< with the clips after its own ones
  std::string text;  ///< what was done, in words
};

/// Retargets clips of a file without meshes to the body. `names`: renamed bones, and MergeOptions::names. Returns nothing if no bone has a
/// counterpart. Fails as transfer_clip.
[[nodiscard]] Result<std::optional<RetargetedClips>> retarget_clips(const Model& body, const Model& clothes, std::span<const Index> clips,
                                                                    const PlanOptions& names, FindingSink& notes);

/// Fails if expressions of an avatar (VRM) refer to blend shapes by mesh or node, which joining meshes changes.
[[nodiscard]] Result<> check_no_expressions(const document::Document& document);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "operations/optimize/steps.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Splits meshes so that every skin in use has at most `budget` joints. A mesh becomes several meshes, and a node that draws it becomes
/// several nodes: "NAME", "NAME_2", … Returns the new meshes. Failure::unsupported: a triangle needs more joints.
[[nodiscard]] Result<std::vector<SplitPart>> split_skins(const StepInput& input, Model& model, std::size_t budget);

/// Copies what the model does not contain (extras, extensions) from the old meshes to the new ones.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_copied_members(std::shared_ptr<const document::Document> document,
                                                                                    const std::vector<SplitPart>& parts);

}  // namespace sinew::operations

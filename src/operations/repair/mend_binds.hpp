// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/repair.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// glTF: transposes bind matrices of skins and strict skeletons that are stored by rows. `before` forgets the old ones, so that the new
/// ones are written. Removes the findings about these matrices from `found`, and about those that it leaves as they are, which `notes`
/// reports.
[[nodiscard]] Result<> mend_binds(const std::shared_ptr<const document::Document>& document, BindMatrices choice,
                                  std::vector<Finding>& found, Model& before, Model& after, FindingSink& changes, FindingSink& notes);

}  // namespace sinew::operations

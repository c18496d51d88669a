// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::g4mf {

/// What is to be mended in the JSON text, as no model holds it.
struct RepairParts {
  bool names = false;        ///< of items: legal, each once; the first of equal ones keeps its name
  bool group_names = false;  ///< of groups: none empty, each once in its skin
  bool joints = false;       ///< of skeletons: in ascending order, parents first (sort_joints); groups of skins follow

  [[nodiscard]] bool any() const { return names || group_names || joints; }
};

/// A document of that revision with these parts mended; hints in `changes` say what was done.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> repair(const document::Document& document, Revision revision,
                                                                       const RepairParts& parts, FindingSink& changes);

}  // namespace sinew::g4mf

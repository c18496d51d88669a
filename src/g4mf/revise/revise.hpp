// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "g4mf/read/read.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::g4mf {

/// What to do with the names of groups (skin.groupNames).
enum class GroupNames : std::uint8_t {
  keep,
  drop,  ///< if they equal the names of the bones of the only skeleton that uses the mesh, which readers use by default
  write  ///< the names of the bones, if there are none
};

struct ReviseOptions {
  std::optional<Revision> to;  ///< nothing: the file's revision
  GroupNames group_names = GroupNames::keep;
};

struct Revised {
  std::shared_ptr<const document::Document> document;
  Revision revision = Revision::r2026_01;
};

/// Converts the document to another revision, step by step between neighbours; returns the same document if nothing changes. Changes only
/// what the revision requires. Existing indices stay; new elements are appended. `losses` gets a finding for everything that the new
/// revision cannot store, and a hint for each change without a loss. Places are those of the input of the step.
[[nodiscard]] Result<Revised> revise(std::shared_ptr<const document::Document> document, const ReviseOptions& options, FindingSink& losses);

/// Parts of the JSON text that `repair` can fix. A model does not hold them.
struct RepairParts {
  bool names = false;        ///< makes names of items legal and unique; the first of equal ones keeps its name
  bool group_names = false;  ///< makes group names not empty, and unique in each skin
  bool joints = false;  ///< sorts the joints of skeletons in ascending order, parents first (sort_joints), and adjusts the groups of skins

  [[nodiscard]] bool any() const { return names || group_names || joints; }
};

/// Returns the document with these parts fixed. `revision`: that of the document. `changes` gets a hint for each fix.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> repair(const document::Document& document, Revision revision,
                                                                       const RepairParts& parts, FindingSink& changes);

}  // namespace sinew::g4mf

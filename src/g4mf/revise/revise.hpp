// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "g4mf/read/read.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::g4mf {

/// What becomes of the names of groups (skin.groupNames).
enum class GroupNames : std::uint8_t {
  keep,
  drop,  ///< where they are what a reader finds without them: the names of the bones of the one skeleton that uses the mesh
  write  ///< where there are none: from the bones
};

struct ReviseOptions {
  std::optional<Revision> to;  ///< nothing: the file's own
  GroupNames group_names = GroupNames::keep;
};

struct Revised {
  std::shared_ptr<const document::Document> document;
  Revision revision = Revision::r2026_01;
};

/// The document in another revision, step by step from neighbour to neighbour; the document itself where nothing is to be done. Only what
/// the revision demands is changed, and existing indices stay; what is new stands behind them. `losses` gets a finding for everything that
/// has no place in the new revision, and a hint for what was changed without a loss; places in it are those of the step's input.
[[nodiscard]] Result<Revised> revise(std::shared_ptr<const document::Document> document, const ReviseOptions& options, FindingSink& losses);

/// Parts of the JSON text that `repair` can fix. A model does not hold them.
struct RepairParts {
  bool names = false;        ///< of items: legal, each once; the first of equal ones keeps its name
  bool group_names = false;  ///< of groups: none empty, each once in its skin
  bool joints = false;       ///< of skeletons: in ascending order, parents first (sort_joints); groups of skins follow

  [[nodiscard]] bool any() const { return names || group_names || joints; }
};

/// Returns the document, of that revision, with these parts fixed. `changes` gets a hint for each fix.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> repair(const document::Document& document, Revision revision,
                                                                       const RepairParts& parts, FindingSink& changes);

}  // namespace sinew::g4mf

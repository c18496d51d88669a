// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace sinew {

/// A bone that VRM knows by name. Source: VRM 1.0, humanoid.md; VRM 0.x, README.
struct HumanBoneKind {
  std::string_view name;           ///< in VRM 1.0
  std::string_view old_name = {};  ///< in VRM 0.x; empty: the same
  std::string_view parent = {};    ///< the name of the bone above; empty: none. If that bone is missing, its parent counts
  bool required = false;           ///< in VRM 1.0, and in VRM 0.x
  bool required_in_old = false;    ///< only in VRM 0.x
  bool needs_parent = false;       ///< the bone above must exist

  [[nodiscard]] constexpr std::string_view name_in_old() const { return old_name.empty() ? name : old_name; }
};

/// Returns all 55 bones, parents first, the left side before the right one.
[[nodiscard]] std::span<const HumanBoneKind> human_bones();
/// Returns the bone with a name of VRM 1.0, and of VRM 0.x; nullptr if there is none.
[[nodiscard]] const HumanBoneKind* find_human_bone(std::string_view name);
[[nodiscard]] const HumanBoneKind* find_old_human_bone(std::string_view name);

}  // namespace sinew

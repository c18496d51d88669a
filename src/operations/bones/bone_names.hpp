// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::operations {

/// A profile: the names that one program, or one collection of characters, gives to the bones of a humanoid. The number of a row in
/// bone_names.inc.
enum class BoneNames : unsigned char {};

/// Returns the profile with this name ("vrm", "mixamo", …), or nothing.
[[nodiscard]] std::optional<BoneNames> bone_names_called(std::string_view profile);
/// Returns the names of all profiles, in order.
[[nodiscard]] std::span<const std::string_view> bone_name_profiles() noexcept;

/// Removes the namespaces that tools prepend to names: "mixamorig:Hips", "Armature|Hips", also "mixamorigHips" after a tool removed the
/// colon.
[[nodiscard]] std::string_view without_namespace(std::string_view name);

/// The bones of a profile by name.
class BoneNameTable {
 public:
  explicit BoneNameTable(BoneNames profile);

  /// Returns the VRM 1.0 name ("leftUpperArm") of the bone with this name; empty if there is none. Namespaces are ignored; an equal name
  /// counts before one that differs only in case or in blanks, points, dashes and underscores.
  [[nodiscard]] std::string_view bone(std::string_view name) const;
  /// Returns how many different bones have one of these names.
  [[nodiscard]] std::size_t count(std::span<const std::string> names) const;

 private:
  std::map<std::string, std::string, std::less<>> equal_, loose_;
};

/// Returns the profile that knows most of the names; the first of several.
[[nodiscard]] BoneNames guess_bone_names(std::span<const std::string> names);

}  // namespace sinew::operations

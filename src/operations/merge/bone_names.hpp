// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::operations {

/// Profiles of names for the bones of a humanoid.
enum class BoneNames : unsigned char { vrm, g4mf, mixamo, blender, unreal, vroid, count };

/// Returns the profile with this name ("vrm", "g4mf", …), or nothing.
[[nodiscard]] std::optional<BoneNames> bone_names_called(std::string_view profile);
/// Returns the names of all profiles, in the order of the enumeration.
[[nodiscard]] std::vector<std::string_view> bone_name_profiles();

/// Removes the namespaces that tools prepend to names: "mixamorig:Hips", "Armature|Hips", also "mixamorigHips" after a tool removed the
/// colon.
[[nodiscard]] std::string_view without_namespace(std::string_view name);

/// Returns the VRM 1.0 name ("leftUpperArm") of the bone with this name in a profile; empty if there is none. Namespaces are ignored.
[[nodiscard]] std::string human_bone(BoneNames profile, std::string_view name);

/// Returns the profile that knows most of the names; the first of several.
[[nodiscard]] BoneNames guess_bone_names(std::span<const std::string> names);

}  // namespace sinew::operations

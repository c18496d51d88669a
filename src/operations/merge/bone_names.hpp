// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::operations {

/// Whose words for the bones of a humanoid.
enum class BoneNames : unsigned char { vrm, g4mf, mixamo, blender, unreal, vroid, count };

/// "vrm", "g4mf", … ; nothing where there is no such profile.
[[nodiscard]] std::optional<BoneNames> bone_names_called(std::string_view profile);
/// The names of all profiles, in the order of the enumeration.
[[nodiscard]] std::vector<std::string_view> bone_name_profiles();

/// Removes the namespaces that tools put before names: "mixamorig:Hips", "Armature|Hips", also "mixamorigHips" where a tool removed the
/// colon.
[[nodiscard]] std::string_view without_namespace(std::string_view name);

/// The bone that a name means in the words of a profile, said in those of VRM 1.0 ("leftUpperArm"); empty where it is none of them.
/// Namespaces do not count.
[[nodiscard]] std::string human_bone(BoneNames profile, std::string_view name);

/// The profile in which most of the names mean bones; of several the first.
[[nodiscard]] BoneNames guess_bone_names(std::span<const std::string> names);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "document/schema/object.hpp"

namespace sinew::gltf {

inline constexpr std::string_view draco_extension = "KHR_draco_mesh_compression";
inline constexpr std::string_view ext_meshopt_extension = "EXT_meshopt_compression";
inline constexpr std::string_view meshopt_extension = "KHR_meshopt_compression";
inline constexpr std::string_view meshopt_extensions[] = {meshopt_extension, ext_meshopt_extension};
inline constexpr std::string_view skeleton_bone_extension = "KHR_skeleton_bone";
inline constexpr std::string_view staik_extension = "STAIK_skeletons";
inline constexpr std::string_view webp_extension = "EXT_texture_webp";

/// Extensions that reading applies and that the Khronos validator does not know.
inline constexpr std::string_view applied_extensions[] = {draco_extension, meshopt_extension, ext_meshopt_extension,
                                                          skeleton_bone_extension, staik_extension};

/// How Sinew treats a glTF extension.
enum class ExtensionUse : std::uint8_t {
  applied,  ///< read and applied
  carried,  ///< no effect on geometry: copied unchanged, even if required
  refused   ///< not supported: a warning if the file uses it, an error if the file requires it
};

[[nodiscard]] ExtensionUse use_of_extension(std::string_view name);

/// What vertices may owe to an extension beyond what reading applies.
enum class ExtensionEffect : std::uint8_t {
  none,
  pose,    ///< NotEvaluated::Effect::pose
  moves,   ///< NotEvaluated::Effect::moves
  unknown  ///< no row: it may move vertices if an object stands at a node, a mesh, a skin, an animation or their data
};

[[nodiscard]] ExtensionEffect effect_of_extension(std::string_view name);

/// A kind of object that may contain the extension's object.
struct ExtensionPlace {
  const document::Table* holder = nullptr;
  const document::Table* object = nullptr;  ///< the extension object's properties
  bool partial = false;                     ///< Sinew does not check all its rules
  bool alone = false;                       ///< must not be combined with other extensions of the same object
  bool of_file = false;  ///< refers to the root's object of the extension; without that object its references do not count
};

struct CheckedExtension {
  std::string_view name;
  ExtensionPlace places[3] = {};            ///< unused places have no holder
  const document::Table* widens = nullptr;  ///< a table that gets more properties if the extension is used
  const document::Table* wider = nullptr;   ///< the table with these properties
  bool never_optional = false;              ///< a file that uses it must require it
  bool silent = false;                      ///< only its own reader checks it
};

/// Returns nullptr if the extension's objects are not checked.
[[nodiscard]] const CheckedExtension* find_checked_extension(std::string_view name);
/// Returns nullptr if the extension has no object in such a holder.
[[nodiscard]] const ExtensionPlace* find_place(const CheckedExtension& extension, const document::Table& holder);

}  // namespace sinew::gltf

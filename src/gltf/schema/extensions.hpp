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

/// Those that reading applies and the Khronos validator does not know.
inline constexpr std::string_view applied_extensions[] = {draco_extension, meshopt_extension, ext_meshopt_extension,
                                                          skeleton_bone_extension, staik_extension};

/// What is done with a glTF extension.
enum class ExtensionUse : std::uint8_t {
  applied,  ///< understood and applied
  carried,  ///< without effect on geometry: kept as it is, also when required
  refused   ///< not supported: ignored with a warning where it is only used, the file is refused where it is required
};

[[nodiscard]] ExtensionUse use_of_extension(std::string_view name);

/// A kind of object that an extension's object may stand in.
struct ExtensionPlace {
  const document::Table* holder = nullptr;
  const document::Table* object = nullptr;  ///< the extension object's properties
  bool partial = false;                     ///< not all its rules are checked
  bool alone = false;                       ///< goes badly with other extensions of the same object
  bool of_file = false;                     ///< refers to what the file's own object of the extension has: nothing counts without it
};

/// An extension whose objects are checked.
struct CheckedExtension {
  std::string_view name;
  ExtensionPlace places[3] = {};            ///< those without a holder are none
  const document::Table* widens = nullptr;  ///< objects that it allows more in, wherever it is used
  const document::Table* wider = nullptr;   ///< their properties then
  bool never_optional = false;              ///< whoever uses it must require it
  bool silent = false;                      ///< its own reader checks it, and nobody else
};

/// nullptr where the extension's objects are not checked.
[[nodiscard]] const CheckedExtension* find_checked_extension(std::string_view name);
/// nullptr where the extension has nothing to say about such objects.
[[nodiscard]] const ExtensionPlace* find_place(const CheckedExtension& extension, const document::Table& holder);

}  // namespace sinew::gltf

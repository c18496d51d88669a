// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

inline constexpr std::string_view staik_extension = "STAIK_skeletons";
inline constexpr std::string_view staik_skeletons_list = "STAIK_skeletons/skeletons";

// STAIK_skeletons of the root
inline constexpr row::TableOf skeletons_table{{
    {.name = "skeletons", .type = PropertyType::object, .shape = Property::Shape::list, .empty = "STAIK_SKELETONS_EMPTY"_code},
}};
using SkeletonsObject = ObjectOf<skeletons_table>;
/// Returns the usable list of skeletons in the root's object of the extension.
[[nodiscard]] inline JsonValue skeletons_in(JsonValue extension, CappedSink& sink) {
  return extension ? SkeletonsObject(extension, sink)["skeletons"] : JsonValue();
}

inline constexpr row::TableOf skeleton_table{{
    {.name = "root",
     .type = PropertyType::index,
     .need = row::Need::required,
     .reference = static_cast<std::uint8_t>(Reference::node),
     .missing = "STAIK_ROOT_MISSING"_code},
    {.name = "joints",
     .type = PropertyType::index,
     .need = row::Need::required,
     .shape = Property::Shape::list,
     .items = Property::Items::unique,
     .reference = static_cast<std::uint8_t>(Reference::node),
     .missing = "STAIK_JOINTS_MISSING"_code,
     .empty = "STAIK_JOINTS_EMPTY"_code},
    row::index("inverseBindMatrices", Reference::accessor),
    row::name,
}};
inline constexpr ObjectCodes skeleton_codes = {.duplicate = "STAIK_JOINT_DUPLICATE"_code};
using SkeletonObject = ObjectOf<skeleton_table, skeleton_codes>;

// STAIK_skeletons of a skin
inline constexpr row::TableOf owner_table{{
    {.name = "skeleton_owner",
     .type = PropertyType::index,
     .need = row::Need::required,
     .reference = static_cast<std::uint8_t>(Reference::of_extension),
     .of_list = staik_skeletons_list,
     .missing = "STAIK_SKIN_OWNER_MISSING"_code},
}};
inline constexpr ObjectCodes owner_codes = {.wrong_index = "STAIK_SKIN_OWNER_NOT_INDEX"_code,
                                            .negative_index = "STAIK_SKIN_OWNER_NOT_INDEX"_code};
using OwnerObject = ObjectOf<owner_table, owner_codes>;

// STAIK_skeletons of a node
inline constexpr row::TableOf mark_table{{
    {.name = "skeleton",
     .type = PropertyType::index,
     .need = row::Need::required,
     .reference = static_cast<std::uint8_t>(Reference::of_extension),
     .of_list = staik_skeletons_list,
     .missing = "STAIK_NODE_MARK_EMPTY"_code},
}};
inline constexpr ObjectCodes mark_codes = {.wrong_index = "STAIK_NODE_SKELETON_NOT_INDEX"_code,
                                           .negative_index = "STAIK_NODE_SKELETON_NOT_INDEX"_code};
using MarkObject = ObjectOf<mark_table, mark_codes>;

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/schema/extensions.hpp"
#include "gltf/schema/tables.hpp"

namespace sinew::gltf {

// The properties of extension objects that reading applies (the extensions' specifications). The Khronos validator does not know them.

inline constexpr row::TableOf draco_table{{
    row::index("bufferView", Reference::buffer_view, row::Need::required),
    row::value("attributes", PropertyType::object, row::Need::required),
}};
using DracoObject = ObjectOf<draco_table>;

inline constexpr std::string_view meshopt_modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
inline constexpr std::string_view meshopt_filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"};
template <std::size_t filters>
inline constexpr auto meshopt_rows = std::to_array<Property>({
    row::index("buffer", Reference::buffer, row::Need::required),
    row::offset("byteOffset"),
    row::size("byteLength", 1),
    {.name = "byteStride", .type = PropertyType::integer, .need = row::Need::required, .minimum = 2, .maximum = 256},
    row::size("count", 1),
    row::choice("mode", meshopt_modes, row::Need::required),
    row::choice("filter", std::span(meshopt_filters).first(filters)),
});
inline constexpr TableOf meshopt_table(meshopt_rows<5>);
using MeshoptObject = ObjectOf<meshopt_table>;
inline constexpr TableOf ext_meshopt_table(meshopt_rows<4>);
using ExtMeshoptObject = ObjectOf<ext_meshopt_table>;

// A draft that no other validator checks, so all its findings have Sinew's own codes.
inline constexpr ObjectCodes bone_codes = {.unknown = "GLTF_SKELETON_BONE_UNKNOWN"_code, .wrong_type = "GLTF_SKELETON_BONE_VALUE"_code};
inline constexpr TableOf bone_table(std::to_array<Property>({
    row::boolean("connected"),
    {.name = "length",
     .type = PropertyType::number,
     .minimum = 0,
     .out_of_range = OutOfRange::fallback,
     .range = "GLTF_SKELETON_BONE_LENGTH"_code},
    row::value("mass", PropertyType::any),   // of an earlier draft
    row::value("shape", PropertyType::any),  // of an earlier draft
    row::value("extensions", PropertyType::any),
    row::extras,
}));
using BoneObject = ObjectOf<bone_table, bone_codes>;

// STAIK_skeletons of the root
inline constexpr row::TableOf skeletons_table{{
    {.name = "skeletons", .type = PropertyType::object, .shape = Property::Shape::list, .empty = "STAIK_SKELETONS_EMPTY"_code},
}};
using SkeletonsObject = ObjectOf<skeletons_table>;

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
     .reference = static_cast<std::uint8_t>(Reference::skeleton),
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
     .reference = static_cast<std::uint8_t>(Reference::skeleton),
     .missing = "STAIK_NODE_MARK_EMPTY"_code},
}};
inline constexpr ObjectCodes mark_codes = {.wrong_index = "STAIK_NODE_SKELETON_NOT_INDEX"_code,
                                           .negative_index = "STAIK_NODE_SKELETON_NOT_INDEX"_code};
using MarkObject = ObjectOf<mark_table, mark_codes>;

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/schema/extensions.hpp"
#include "gltf/schema/tables.hpp"

namespace sinew::gltf {

// The properties of extension objects that reading applies (the extensions' specifications). The Khronos validator does not know them.

enum class DracoRow : std::uint8_t { bufferView, attributes, extensions, extras, end };  // KHR_draco_mesh_compression
inline constexpr auto draco_table = row::with_common({
    row::index("bufferView", Reference::buffer_view, row::Need::required),
    row::value("attributes", row::PropertyType::object, row::Need::required),
});
using DracoObject = document::ObjectOf<DracoRow, draco_table>;

inline constexpr std::string_view meshopt_modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
inline constexpr std::string_view meshopt_filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
enum class MeshoptRow : std::uint8_t { buffer, byteOffset, byteLength, byteStride, count, mode, filter, extensions, extras, end };
inline constexpr auto meshopt_table = row::with_common({
    row::index("buffer", Reference::buffer, row::Need::required),
    row::offset("byteOffset"),
    row::size("byteLength", 1),
    {.name = "byteStride", .type = row::PropertyType::integer, .need = row::Need::required, .minimum = 2, .maximum = 256},
    row::size("count", 1),
    row::choice("mode", meshopt_modes, row::Need::required),
    row::choice("filter", meshopt_filters),
});
using MeshoptObject = document::ObjectOf<MeshoptRow, meshopt_table>;

// A draft that no other validator knows, so all its findings have codes of our own.
inline constexpr document::ObjectCodes bone_codes = {.unknown = "GLTF_SKELETON_BONE_UNKNOWN"_code,
                                                     .wrong_type = "GLTF_SKELETON_BONE_VALUE"_code};
enum class BoneRow : std::uint8_t { connected, length, mass, shape, extensions, extras, end };  // KHR_skeleton_bone
inline constexpr row::Property bone_table[] = {
    row::boolean("connected"),
    {.name = "length",
     .type = row::PropertyType::number,
     .minimum = 0,
     .outside = row::Outside::fallback,
     .range = "GLTF_SKELETON_BONE_LENGTH"_code},
    row::value("mass", row::PropertyType::any),   // of an earlier draft
    row::value("shape", row::PropertyType::any),  // of an earlier draft
    row::value("extensions", row::PropertyType::any),
    row::extras,
};
using BoneObject = document::ObjectOf<BoneRow, bone_table, bone_codes>;

enum class SkeletonsRow : std::uint8_t { skeletons, extensions, extras, end };  // STAIK_skeletons of the root
inline constexpr auto skeletons_table = row::with_common({
    {.name = "skeletons", .type = row::PropertyType::object, .shape = row::Property::Shape::list, .empty = "STAIK_SKELETONS_EMPTY"_code},
});
using SkeletonsObject = document::ObjectOf<SkeletonsRow, skeletons_table>;

enum class SkeletonRow : std::uint8_t { root, joints, inverseBindMatrices, name, extensions, extras, end };
inline constexpr auto skeleton_table = row::with_common({
    {.name = "root",
     .type = row::PropertyType::index,
     .need = row::Need::required,
     .reference = static_cast<std::uint8_t>(Reference::node),
     .missing = "STAIK_ROOT_MISSING"_code},
    {.name = "joints",
     .type = row::PropertyType::index,
     .need = row::Need::required,
     .shape = row::Property::Shape::list,
     .items = row::Property::Items::unique,
     .reference = static_cast<std::uint8_t>(Reference::node),
     .missing = "STAIK_JOINTS_MISSING"_code,
     .empty = "STAIK_JOINTS_EMPTY"_code},
    row::index("inverseBindMatrices", Reference::accessor),
    row::name,
});
inline constexpr document::ObjectCodes skeleton_codes = {.duplicate = "STAIK_JOINT_DUPLICATE"_code};
using SkeletonObject = document::ObjectOf<SkeletonRow, skeleton_table, skeleton_codes>;

enum class OwnerRow : std::uint8_t { skeleton_owner, extensions, extras, end };  // STAIK_skeletons of a skin
inline constexpr auto owner_table = row::with_common({
    {.name = "skeleton_owner",
     .type = row::PropertyType::index,
     .need = row::Need::required,
     .reference = static_cast<std::uint8_t>(Reference::skeleton),
     .missing = "STAIK_SKIN_OWNER_MISSING"_code},
});
inline constexpr document::ObjectCodes owner_codes = {.wrong_index = "STAIK_SKIN_OWNER_NOT_INDEX"_code,
                                                      .negative_index = "STAIK_SKIN_OWNER_NOT_INDEX"_code};
using OwnerObject = document::ObjectOf<OwnerRow, owner_table, owner_codes>;

enum class MarkRow : std::uint8_t { skeleton, extensions, extras, end };  // STAIK_skeletons of a node
inline constexpr auto mark_table = row::with_common({
    {.name = "skeleton",
     .type = row::PropertyType::index,
     .need = row::Need::required,
     .reference = static_cast<std::uint8_t>(Reference::skeleton),
     .missing = "STAIK_NODE_MARK_EMPTY"_code},
});
inline constexpr document::ObjectCodes mark_codes = {.wrong_index = "STAIK_NODE_SKELETON_NOT_INDEX"_code,
                                                     .negative_index = "STAIK_NODE_SKELETON_NOT_INDEX"_code};
using MarkObject = document::ObjectOf<MarkRow, mark_table, mark_codes>;

}  // namespace sinew::gltf

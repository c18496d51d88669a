// SPDX-License-Identifier: MIT
#include "gltf/read/ext/KHR_skeleton_bone.hpp"

namespace sinew::gltf::skeleton_bone {

namespace {

// The extension is a draft that no other validator knows, so all its findings have codes of our own.
constexpr document::ObjectCodes bone_codes = {.unknown = "GLTF_SKELETON_BONE_UNKNOWN"_code, .wrong_type = "GLTF_SKELETON_BONE_VALUE"_code};

enum class BoneRow : std::uint8_t { connected, length, mass, shape, extensions, extras, end };
constexpr row::Property bone_table[] = {
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

}  // namespace

Bone read_bone(Reading& reading, JsonValue value) {
  const auto object = reading.object<BoneObject>(value);
  Bone bone;
  if (const auto length = object[BoneRow::length].number()) bone.length = *length;
  return bone;
}

}  // namespace sinew::gltf::skeleton_bone

// SPDX-License-Identifier: MIT
#pragma once

#include "base/catalogue_avatar.hpp"
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::vrm {

// What the tables of VRM 0.x, VRM 1.0 and VRM Animation share. They are complete: the checks (check/ext/VRM.hpp) take types, names, ranges
// and indices from them, and edits the references.

using avatars::operator""_code;

constexpr Property text(std::string_view name, row::Need need = row::Need::optional) {
  return row::value(name, PropertyType::string, need);
}
/// An index of -1 means none (VRM 0.x).
constexpr Property or_none(Property property) { return with(property, &Property::also, -1.0); }
constexpr Property may_be_empty(Property property) { return with(property, &Property::least, 0); }
/// Numbers that another file does not add to.
constexpr Property own_numbers(std::string_view name, std::uint32_t count) {
  return row::joined(Joining::first, row::numbers(name, count));
}
/// An object without references: a value of another type makes no reference unreadable.
constexpr Property facts(std::string_view name, const Table& of, row::Need need = row::Need::optional) {
  return row::loose(row::joined(Joining::first, row::object(name, of, need)));
}

/// Extension::converted_part of an avatar.
inline constexpr std::string_view converted_avatar = "bones, expressions that move vertices, and facts about the author";

/// The shader of a material that is drawn as glTF says.
inline constexpr std::string_view gltf_shader = "VRM_USE_GLTFSHADER";

/// The names of a preset expression in VRM 0.x and 1.0. VRM 1.0 has one more: "surprised".
struct PresetName {
  std::string_view old_name, name;
};
inline constexpr PresetName preset_names[] = {
    {"neutral", "neutral"},
    {"a", "aa"},
    {"i", "ih"},
    {"u", "ou"},
    {"e", "ee"},
    {"o", "oh"},
    {"blink", "blink"},
    {"joy", "happy"},
    {"angry", "angry"},
    {"sorrow", "sad"},
    {"fun", "relaxed"},
    {"lookup", "lookUp"},
    {"lookdown", "lookDown"},
    {"lookleft", "lookLeft"},
    {"lookright", "lookRight"},
    {"blink_l", "blinkLeft"},
    {"blink_r", "blinkRight"},
};

}  // namespace sinew::gltf::vrm

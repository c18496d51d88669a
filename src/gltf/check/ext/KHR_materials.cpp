// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "gltf/check/checks.hpp"
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::materials {

namespace {

// Returns -1 if there is no usable number.
std::int64_t texture_coordinates(JsonValue info) {
  const JsonValue set = info["texCoord"];
  const auto number = whole_number(set);
  return !set ? 0 : number ? static_cast<std::int64_t>(*number) : -1;
}

// Tangents must use the same texture coordinates as the normal texture.
void check_texture_coordinates(CodeFor<std::int64_t, std::int64_t> code, Checker& checker, JsonValue texture,
                               const CheckedObject& material) {
  const JsonValue normal = material["normalTexture"];
  if (!texture || !normal || texture_coordinates(texture) == texture_coordinates(normal)) return;
  checker.report(code, texture, texture_coordinates(texture), texture_coordinates(normal));
}

void check_anisotropy(Checker& checker, const CheckedObject& object, const CheckedObject& material) {
  check_texture_coordinates("KHR_MATERIALS_ANISOTROPY_ANISOTROPY_TEXTURE_TEXCOORD"_code, checker, object["anisotropyTexture"], material);
}

void check_clearcoat(Checker& checker, const CheckedObject& object, const CheckedObject& material) {
  check_texture_coordinates("KHR_MATERIALS_CLEARCOAT_CLEARCOAT_NORMAL_TEXTURE_TEXCOORD"_code, checker, object["clearcoatNormalTexture"],
                            material);
}

void check_dispersion(Checker& checker, const CheckedObject& object, const CheckedObject& material) {
  if (!material["extensions"]["KHR_materials_volume"]) checker.report("KHR_MATERIALS_DISPERSION_NO_VOLUME"_code, object.value());
}

void check_emissive_strength(Checker& checker, const CheckedObject& object, const CheckedObject& material) {
  const double strength = object.number("emissiveStrength");
  if (!(strength < 1) && !(strength > 1)) return;
  if (!material["emissiveFactor"] && material.value()["emissiveFactor"]) return;  // invalid
  for (const JsonValue part : material["emissiveFactor"].elements())
    if (part.number().value_or(0) != 0) return;
  checker.report("KHR_MATERIALS_EMISSIVE_STRENGTH_ZERO_FACTOR"_code, object.value());
}

void check_iridescence(Checker& checker, const CheckedObject& object, const CheckedObject&) {
  const double least = object.number("iridescenceThicknessMinimum"), most = object.number("iridescenceThicknessMaximum");
  if (const JsonValue texture = object["iridescenceThicknessTexture"]) {
    if (least == most) checker.report("KHR_MATERIALS_IRIDESCENCE_THICKNESS_TEXTURE_UNUSED"_code, texture, least);
  } else if (const JsonValue minimum = object["iridescenceThicknessMinimum"]) {
    checker.report("KHR_MATERIALS_IRIDESCENCE_THICKNESS_RANGE_WITHOUT_TEXTURE"_code, minimum);
  }
}

// Returns whether the material has an unknown extension, which may add emission.
bool has_unknown_extension(const Checker& checker, const CheckedObject& material) {
  for (const JsonMember member : material["extensions"].members()) {
    const std::string name = member.key.string();
    if (find_checked_extension(name) == nullptr || !checker.root().uses_extension(name)) return true;
  }
  return false;
}

void check_volume(Checker& checker, const CheckedObject& object, const CheckedObject& material) {
  if (!material["extensions"]["KHR_materials_transmission"] && !has_unknown_extension(checker, material))
    checker.report("KHR_MATERIALS_VOLUME_NO_TRANSMISSION"_code, object.value());
  if (material.boolean("doubleSided") && object.number("thicknessFactor") > 0)
    checker.report("KHR_MATERIALS_VOLUME_DOUBLE_SIDED"_code, object.value());
}

constexpr Rules rules[] = {
    {"KHR_materials_anisotropy", check_anisotropy, "anisotropyTexture"},
    {"KHR_materials_clearcoat", check_clearcoat},
    {"KHR_materials_dispersion", check_dispersion},
    {"KHR_materials_emissive_strength", check_emissive_strength},
    {"KHR_materials_iridescence", check_iridescence},
    {"KHR_materials_volume", check_volume},
};

}  // namespace

const Rules* find_rules(std::string_view extension) {
  const auto* const row = std::ranges::find(rules, extension, &Rules::extension);
  return row == std::end(rules) ? nullptr : row;
}

}  // namespace sinew::gltf::materials

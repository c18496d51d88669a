// SPDX-License-Identifier: MIT
#include <string_view>

#include "gltf/check/ext/VRM.hpp"

namespace sinew::gltf::vrm {

namespace {

constexpr std::string_view toon_extension = "VRMC_materials_mtoon", unlit_extension = "KHR_materials_unlit",
                           transform_extension = "KHR_texture_transform";

// Any member "…Texture" of a material or of an object in it.
void check_transforms(Checker& checker, JsonValue object) {
  for (const JsonMember member : object.members()) {
    if (!member.key.string().ends_with("Texture")) continue;
    const JsonValue transform = member.value["extensions"][transform_extension];
    if (const JsonValue rotation = transform["rotation"]; rotation.number().value_or(0) != 0)
      checker.report("VRM_TEXTURE_TRANSFORM"_code, rotation, "rotation");
    if (const JsonValue set = transform["texCoord"]) checker.report("VRM_TEXTURE_TRANSFORM"_code, set, "texCoord");
  }
}

}  // namespace

bool has_colour(JsonValue material, std::string_view type) {
  const JsonValue extensions = material["extensions"];
  if (extensions[toon_extension]) return true;
  const bool of_toon = type == "shadeColor" || type == "matcapColor" || type == "rimColor" || type == "outlineColor";
  return !of_toon && !(type == "emissionColor" && extensions[unlit_extension]);
}

void check_materials(Checker& checker, bool avatar) {
  for (const JsonValue material : checker.root()["materials"].elements()) {
    const JsonValue extensions = material["extensions"], toon = extensions[toon_extension];
    const bool known = toon && check_object(checker, toon_extension, toon, material_table);
    if (known && avatar && !extensions[unlit_extension]) checker.report("VRM_MTOON_UNLIT"_code, material);
    if (!known && !avatar) continue;
    check_transforms(checker, material);
    check_transforms(checker, material["pbrMetallicRoughness"]);
    check_transforms(checker, toon);
  }
}

}  // namespace sinew::gltf::vrm

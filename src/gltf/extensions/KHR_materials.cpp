// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_materials {

namespace {

constexpr row::TableOf anisotropy_table{{
    row::fraction("anisotropyStrength", 0),
    row::number("anisotropyRotation", 0),
    row::object("anisotropyTexture", texture_info_table),
}};

constexpr row::TableOf clearcoat_table{{
    row::fraction("clearcoatFactor", 0),
    row::object("clearcoatTexture", texture_info_table),
    row::fraction("clearcoatRoughnessFactor", 0),
    row::object("clearcoatRoughnessTexture", texture_info_table),
    row::object("clearcoatNormalTexture", normal_texture_table),
}};

constexpr row::TableOf dispersion_table{{
    row::factor("dispersion", 0),
}};

constexpr row::TableOf emissive_strength_table{{
    row::factor("emissiveStrength", 1),
}};

constexpr row::TableOf ior_table{{
    {.name = "ior", .type = PropertyType::number, .minimum = 1, .also = 0, .out_of_range = OutOfRange::fallback, .fallback = 1.5},
}};

constexpr row::TableOf iridescence_table{{
    row::fraction("iridescenceFactor", 0),
    row::object("iridescenceTexture", texture_info_table),
    row::factor("iridescenceIor", 1.3, 1),
    row::factor("iridescenceThicknessMinimum", 100),
    row::factor("iridescenceThicknessMaximum", 400),
    row::object("iridescenceThicknessTexture", texture_info_table),
}};

constexpr row::TableOf specular_glossiness_table{{
    row::colour("diffuseFactor", 4),
    row::object("diffuseTexture", texture_info_table),
    row::colour("specularFactor", 3),
    row::fraction("glossinessFactor", 1),
    row::object("specularGlossinessTexture", texture_info_table),
}};

constexpr row::TableOf sheen_table{{
    row::colour("sheenColorFactor", 3),
    row::object("sheenColorTexture", texture_info_table),
    row::fraction("sheenRoughnessFactor", 0),
    row::object("sheenRoughnessTexture", texture_info_table),
}};

constexpr row::TableOf specular_table{{
    row::fraction("specularFactor", 1),
    row::object("specularTexture", texture_info_table),
    row::colour("specularColorFactor", 3, std::numeric_limits<double>::infinity()),
    row::object("specularColorTexture", texture_info_table),
}};

constexpr row::TableOf transmission_table{{
    row::fraction("transmissionFactor", 0),
    row::object("transmissionTexture", texture_info_table),
}};

constexpr Table unlit_table{row::common};

constexpr row::TableOf volume_table{{
    row::colour("attenuationColor", 3),
    row::positive("attenuationDistance"),
    row::factor("thicknessFactor", 0),
    row::object("thicknessTexture", texture_info_table),
}};

constexpr Extension list[] = {
    {.name = "KHR_materials_anisotropy",
     .use = carried,
     .places = {{.holder = &material_table, .object = &anisotropy_table}},
     .checked = true},
    {.name = "KHR_materials_clearcoat",
     .use = carried,
     .places = {{.holder = &material_table, .object = &clearcoat_table}},
     .checked = true},
    {.name = "KHR_materials_dispersion",
     .use = carried,
     .places = {{.holder = &material_table, .object = &dispersion_table}},
     .checked = true},
    {.name = "KHR_materials_emissive_strength",
     .use = carried,
     .places = {{.holder = &material_table, .object = &emissive_strength_table}},
     .checked = true,
     .converted = true},
    {.name = "KHR_materials_ior", .use = carried, .places = {{.holder = &material_table, .object = &ior_table}}, .checked = true},
    {.name = "KHR_materials_iridescence",
     .use = carried,
     .places = {{.holder = &material_table, .object = &iridescence_table}},
     .checked = true},
    {.name = "KHR_materials_pbrSpecularGlossiness",
     .use = carried,
     .places = {{.holder = &material_table, .object = &specular_glossiness_table, .alone = true}},
     .checked = true},
    {.name = "KHR_materials_sheen", .use = carried, .places = {{.holder = &material_table, .object = &sheen_table}}, .checked = true},
    {.name = "KHR_materials_specular", .use = carried, .places = {{.holder = &material_table, .object = &specular_table}}, .checked = true},
    {.name = "KHR_materials_transmission",
     .use = carried,
     .places = {{.holder = &material_table, .object = &transmission_table}},
     .checked = true},
    {.name = "KHR_materials_unlit",
     .use = carried,
     .places = {{.holder = &material_table, .object = &unlit_table, .alone = true}},
     .checked = true},
    {.name = "KHR_materials_volume", .use = carried, .places = {{.holder = &material_table, .object = &volume_table}}, .checked = true},
    {.name = "KHR_materials_*", .use = carried, .places = {{.holder = &material_table, .object = &textures_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_materials

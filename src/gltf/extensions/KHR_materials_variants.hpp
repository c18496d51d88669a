// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

inline constexpr row::TableOf variant_table{{
    row::value("name", PropertyType::string, row::Need::required),
}};
inline constexpr row::TableOf variants_table{{
    row::joined(Joining::named, row::objects("variants", variant_table, row::Need::required)),
}};

inline constexpr std::string_view variants_list = "KHR_materials_variants/variants";
inline constexpr row::TableOf mapping_table{{
    row::indices_of_list("variants", variants_list, row::Need::required),
    row::index("material", Reference::material, row::Need::required),
    row::name,
}};
inline constexpr row::TableOf mappings_table{{
    row::objects("mappings", mapping_table, row::Need::required),
}};

}  // namespace sinew::gltf

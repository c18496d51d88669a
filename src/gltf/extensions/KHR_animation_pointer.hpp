// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

inline constexpr row::TableOf animation_pointer_table{{
    row::required({.name = "pointer", .type = PropertyType::string, .form = ReferenceForm::pointer}),
}};

}  // namespace sinew::gltf

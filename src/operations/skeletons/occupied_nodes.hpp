// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

inline constexpr std::string_view lights_extension = "KHR_lights_punctual";

/// By node: whether it carries a camera or a light, which the model does not show but its file does (StrictOptions). Empty for a
/// model that comes from no glTF file.
[[nodiscard]] std::vector<bool> occupied_nodes(const Model& model);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

inline constexpr std::string_view lights_extension = "KHR_lights_punctual";

/// By node: whether it has a camera or a light, which only the file of the model contains (StrictOptions). Empty for a model without a glTF
/// file.
[[nodiscard]] std::vector<bool> occupied_nodes(const Model& model);

}  // namespace sinew::operations

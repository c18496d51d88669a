// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "sinew/appearance.hpp"

namespace sinew::io {

/// The appearance of a material of `model`, read from the model's source. An image that is missing, broken or outside the model's folder
/// leaves the texture out, with one line in `note`. A model without a source: all defaults.
[[nodiscard]] Appearance load_appearance(const Model& model, Index material, std::optional<Error>& note);

}  // namespace sinew::io

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "console/json.hpp"
#include "console/terminal.hpp"

#include "sinew/model.hpp"

namespace app {

/// Describes what an avatar's format says (Model::avatar). Empty text and null if the file has neither such a format nor constraints.
[[nodiscard]] std::string avatar_text(const sinew::Model& model, const Terminal& terminal);
[[nodiscard]] Json avatar_json(const sinew::Model& model);

}  // namespace app

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "console/json.hpp"
#include "console/terminal.hpp"

#include "sinew/model.hpp"

namespace app {

/// Describes the skeletons of a model as text and as a JSON array.
[[nodiscard]] std::string skeletons_text(const sinew::Model& model, const Terminal& terminal);
[[nodiscard]] Json skeletons_json(const sinew::Model& model);

}  // namespace app

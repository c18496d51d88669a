// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "console/json.hpp"
#include "console/terminal.hpp"

#include "sinew/model.hpp"

namespace app {

/// Returns "node 3" or "node 3 \"Hips\"".
[[nodiscard]] std::string node_text(const sinew::Model& model, sinew::Index node);
/// Describes the skeletons of a model as text and as a JSON array.
[[nodiscard]] std::string skeletons_text(const sinew::Model& model, const Terminal& terminal);
[[nodiscard]] Json skeletons_json(const sinew::Model& model);

}  // namespace app

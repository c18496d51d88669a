// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "console/json.hpp"

#include "sinew/retarget.hpp"

namespace app {

/// Describes what `sinew retarget` did: as JSON (docs/retarget.md), and as a page with a picture of the worst moment of each clip.
[[nodiscard]] Json retarget_json(const sinew::operations::Retargeted& done);
[[nodiscard]] std::string retarget_page(const sinew::operations::Retargeted& done, const std::string& target);

}  // namespace app

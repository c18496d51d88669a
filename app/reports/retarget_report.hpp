// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sinew/retarget.hpp"

namespace app {

/// Describes what `sinew retarget` did as a page, with a picture of the worst moment of each clip.
[[nodiscard]] std::string retarget_page(const sinew::operations::Retargeted& done, const std::string& target);

}  // namespace app

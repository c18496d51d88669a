// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "console/json.hpp"

#include "sinew/model.hpp"

namespace app {

/// The list "notCovered" of a report: what can move vertices and was not evaluated.
[[nodiscard]] Json not_covered_json(const std::vector<sinew::NotCovered>& list);

/// The same as lines of text; empty for an empty list.
[[nodiscard]] std::string not_covered_text(const std::vector<sinew::NotCovered>& list);

}  // namespace app

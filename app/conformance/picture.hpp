// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "conformance/suite.hpp"

namespace app {

/// Draws the vertices of the worst moment as SVG: expected grey, those of the engine orange, lines between the two. The axes are the two
/// along which they differ most. Empty if the result has no rows.
[[nodiscard]] std::string picture_of(const ConformanceCase& wanted, const ConformanceResult& result);

}  // namespace app

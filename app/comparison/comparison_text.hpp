// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string_view>

#include "console/json.hpp"

#include "sinew/compare.hpp"

namespace app {

/// Names the kind of an unpaired object: "animation", in front of its index.
[[nodiscard]] inline std::string_view noun_of(sinew::operations::Alone::Kind kind) {
  using Kind = sinew::operations::Alone::Kind;
  return kind == Kind::instance ? "the mesh instance of node" : kind == Kind::clip ? "animation" : "blend shape";
}

/// JSON has no infinity; the word is what Python's float and JavaScript's Number read.
[[nodiscard]] inline Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json("Infinity"); }

}  // namespace app

// SPDX-License-Identifier: MIT
#pragma once

#include <array>

namespace sinew::show {

using Vector = std::array<double, 3>;

[[nodiscard]] inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace sinew::show

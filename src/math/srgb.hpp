// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

namespace sinew {

/// Convert linear light from 0 to 1 to sRGB, and back (IEC 61966-2-1).
[[nodiscard]] inline double to_linear(double stored) {
  return stored <= 0.04045 ? stored / 12.92 : std::pow((stored + 0.055) / 1.055, 2.4);
}
[[nodiscard]] inline double to_srgb(double light) {
  light = std::clamp(light, 0.0, 1.0);
  return light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

}  // namespace sinew

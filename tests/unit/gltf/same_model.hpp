// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::gltf::test {

/// Where two models say different things, one line each; sources, defects and lists of extensions are not looked at.
[[nodiscard]] std::vector<std::string> differences(const Model& a, const Model& b);

}  // namespace sinew::gltf::test

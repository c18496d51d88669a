// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::gltf::test {

/// Returns one line for each difference of two models; ignores sources, defects and lists of extensions.
[[nodiscard]] std::vector<std::string> differences(const Model& a, const Model& b);

}  // namespace sinew::gltf::test

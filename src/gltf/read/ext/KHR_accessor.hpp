// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/reader.hpp"

namespace sinew::gltf {

/// Returns whether accessors of the file may hold doubles and half floats: by their extensions, or from glTF 2.1 on.
[[nodiscard]] bool may_be_wide(const Root& root);

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "gltf/schema/source.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

/// io::appearance of a material of glTF.
[[nodiscard]] Appearance read_appearance(const Source& source, SourceId material, std::optional<Error>& note);

/// io::faces_back of glTF.
[[nodiscard]] bool faces_back(const Source& source);

}  // namespace sinew::gltf

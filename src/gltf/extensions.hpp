// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace sinew::gltf {

/// What is done with a glTF extension.
enum class ExtensionUse : std::uint8_t {
  applied,  ///< understood and applied
  carried,  ///< without effect on geometry: kept as it is, also when required
  refused   ///< not supported: ignored with a warning where it is only used, the file is refused where it is required
};

[[nodiscard]] ExtensionUse use_of_extension(std::string_view name);

}  // namespace sinew::gltf

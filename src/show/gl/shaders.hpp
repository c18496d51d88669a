// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace sinew::show::shaders {

/// Binding numbers shared by the program and the shaders.
enum Binding : unsigned { palette = 0, influence_first = 1, influences = 2, offset_first = 3, offsets = 4, amounts = 5 };
inline constexpr int storage_buffers = 6;
enum Attribute : unsigned { position = 0, normal = 1, texcoord = 2, color = 3, heat = 4 };

/// Blends and skins a vertex, as deform::run; used by the `surface` and `thick` programs.
[[nodiscard]] std::string vertex();
/// Light, colours and textures of surfaces.
[[nodiscard]] std::string surface();
/// Draws lines and points as quads and discs with a width in pixels.
[[nodiscard]] std::string thick_lines();
[[nodiscard]] std::string discs();
[[nodiscard]] std::string thick_fragment();

}  // namespace sinew::show::shaders

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "sinew/render.hpp"

namespace sinew::show {

/// Writes a text into a picture, in small capitals of `scale` times 3 × 5 pixels, on a light bar at the bottom, in as many lines as it
/// needs. Lines that do not fit are cut. Characters without a glyph become a dot.
void write_caption(std::string_view text, std::size_t scale, Picture& picture);

/// Copies a picture into another one, with a frame.
void put_inset(const Picture& inset, std::size_t left, std::size_t top, Picture& picture);

}  // namespace sinew::show

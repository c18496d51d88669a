// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "gltf/check/images.hpp"

namespace sinew::gltf {

class CheckedObject;

/// Nothing but checks: textures have no effect on geometry.
void check_textures(Reading& reading, const ImageTypes& types);

/// TEXTURE_INVALID_IMAGE_MIME_TYPE where the `source` of a texture, or of an extension of one, is of none of the types that it may have.
void check_source(Reading& reading, const CheckedObject& texture, const ImageTypes& types, std::span<const std::string_view> allowed);

}  // namespace sinew::gltf

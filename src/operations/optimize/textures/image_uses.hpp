// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "document/json/json.hpp"
#include "operations/optimize/textures/resize.hpp"

namespace sinew::operations {

/// What a file uses an image for.
struct ImageUse {
  std::vector<std::size_t> textures;  ///< that have it as their only source
  bool referred = false;
  bool fixed = false;      ///< something else refers to it and expects PNG or JPEG, for example a thumbnail
  bool webp_only = false;  ///< EXT_texture_webp refers to it
  bool color = false, blended = false, normal = false, data = false;

  [[nodiscard]] TextureContent content() const;
};

/// Returns the uses of all images of a glTF document, by its tables and by the names of the textures of materials. `unknown`: an extension
/// may refer to images in a way that no table describes.
[[nodiscard]] std::vector<ImageUse> image_uses(document::JsonValue root, bool& unknown);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "operations/optimize/attribute_errors.hpp"

#include <cstdint>

#include "document/container/image.hpp"
#include "document/json/json.hpp"
#include "gltf/read/read.hpp"

namespace sinew::operations {

namespace {

/// The largest width or height of an image whose header can be read; 0: there is none.
std::uint64_t largest_image(const document::Document& document) {
  std::uint64_t largest = 0;
  for (const document::JsonValue image : document.json().root()["images"].elements()) {
    const auto bytes = gltf::image_bytes(document, image);
    if (!bytes) continue;
    if (const auto info = document::image_info(bytes->view)) largest = std::max({largest, info->image.width, info->image.height});
  }
  return largest;
}

}  // namespace

AttributeErrors attribute_limits(const document::Document& document, const OptimizeOptions& options) {
  if (!(options.max_error.value_or(0) > 0)) return {};
  constexpr double without_images = 1.0 / 8192, texel = 0.25;
  const std::uint64_t size = options.texcoord_error ? 0 : largest_image(document);
  const double texcoord = options.texcoord_error.value_or(size == 0 ? without_images : texel / static_cast<double>(size));
  return {options.normal_error, options.normal_error, texcoord, options.color_error};
}

}  // namespace sinew::operations

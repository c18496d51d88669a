// SPDX-License-Identifier: MIT
#include "operations/optimize/attribute_errors.hpp"

#include <cstdint>

#include "document/container/image.hpp"
#include "document/json/json.hpp"
#include "gltf/read/read.hpp"

namespace sinew::operations {

namespace {

constexpr double without_images = 1.0 / 8192, texel = 0.25;

/// A part of a texel of the largest image; no more than without images if the size of one is not known.
double texcoord_limit(const document::Document& document, const std::function<std::optional<std::uint64_t>(std::string_view)>& sides) {
  std::uint64_t largest = 0;
  bool all_known = true;
  for (const document::JsonValue image : document.json().root()["images"].elements()) {
    if (const auto side = sides(image["uri"].string())) {
      largest = std::max(largest, *side);
      continue;
    }
    const auto bytes = gltf::image_bytes(document, image);
    const auto info = bytes ? document::image_info(bytes->view) : tl::unexpected(document::ImageFault{});
    all_known &= info.has_value();
    if (info) largest = std::max({largest, info->image.width, info->image.height});
  }
  const double limit = largest == 0 ? without_images : texel / static_cast<double>(largest);
  return all_known ? limit : std::min(limit, without_images);
}

}  // namespace

AttributeErrors attribute_limits(const document::Document& document, const OptimizeOptions& options,
                                 const std::function<std::optional<std::uint64_t>(std::string_view uri)>& sides) {
  if (!(options.max_error.value_or(0) > 0)) return {};
  const double texcoord = options.texcoord_error ? *options.texcoord_error : texcoord_limit(document, sides);
  return {options.normal_error, options.normal_error, texcoord, options.color_error};
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gltf/read/buffers.hpp"

namespace sinew::gltf {

/// The media types of a file's images, as textures ask for them; empty where neither the image nor its data say one.
using ImageTypes = std::vector<std::string>;

/// Nothing but checks: images have no effect on geometry. Their data are fetched, their headers parsed.
[[nodiscard]] ImageTypes check_images(Reading& reading, Buffers& buffers);

/// Whether a data URI declares the image format that its data have.
[[nodiscard]] bool has_type_of_data_uri(std::string_view uri, std::span<const std::byte> data);

}  // namespace sinew::gltf

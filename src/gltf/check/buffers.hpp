// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/buffers.hpp"

namespace sinew::gltf {

[[nodiscard]] inline bool in_glb(const Reading& reading) { return reading.document().container() == document::Container::glb; }

/// The rules about the uri of a buffer or an image, whatever it leads to.
void check_uri(Reading& reading, JsonValue at, std::string_view uri);
/// Those about a data URI that holds a buffer. Refuses data of another type.
[[nodiscard]] Checked<> check_data_uri(Reading& reading, JsonValue at, const std::string& uri);
/// The binary chunk has no more bytes than its buffer needs.
void check_chunk_size(Reading& reading, const BufferObject& buffer, std::uint64_t size);
void check_stride(Reading& reading, const BufferViewObject& view, const ViewLayout& layout);

}  // namespace sinew::gltf

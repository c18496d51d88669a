// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/reader.hpp"

namespace sinew::gltf {
class Buffers;
}

namespace sinew::gltf::meshopt {

/// Decodes a compressed buffer view; `value` is the extension's object in it.
[[nodiscard]] Checked<document::Bytes> decode(Reader& reader, Buffers& buffers, JsonValue value);

}  // namespace sinew::gltf::meshopt

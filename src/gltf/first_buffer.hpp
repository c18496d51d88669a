// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// Where the first buffer may be taken from.
enum class BufferFrom : std::uint8_t {
  chunk,     ///< a GLB's binary chunk
  anywhere,  ///< there, or what a local URI names
};

/// The content of the first buffer, as long as its byteLength says; nothing where it stands elsewhere, or where there are fewer bytes: to
/// be mended, not to be moved.
[[nodiscard]] Result<std::optional<document::Bytes>> first_buffer(const document::Document& document, BufferFrom from);

}  // namespace sinew::gltf

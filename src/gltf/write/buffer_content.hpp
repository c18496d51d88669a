// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "document/json/json.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// Where a buffer may be taken from.
enum class BufferFrom : std::uint8_t {
  chunk,     ///< a GLB's binary chunk
  anywhere,  ///< there, or what a local URI names
};

/// What becomes of bytes that are fewer than byteLength says, or where it says nothing.
enum class TooFew : std::uint8_t {
  leave,  ///< nothing is added behind them
  take,   ///< they are moved as they are
};

/// The content of a buffer, as long as its byteLength says; nothing where it stands elsewhere.
[[nodiscard]] Result<std::optional<document::Bytes>> buffer_content(const document::Document& document, std::size_t buffer, BufferFrom from,
                                                                    TooFew too_few = TooFew::leave);

/// The bytes of the buffer view with that index, as they are stored; nothing where they cannot be had.
[[nodiscard]] std::optional<document::Bytes> view_content(const document::Document& document, document::JsonValue view);

}  // namespace sinew::gltf

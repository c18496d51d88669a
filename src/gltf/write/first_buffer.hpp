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

/// What becomes of bytes that are fewer than byteLength says, or where it says nothing.
enum class TooFew : std::uint8_t {
  leave,  ///< nothing is added behind them
  take,   ///< they are moved as they are
};

/// The content of the first buffer, as long as its byteLength says; nothing where it stands elsewhere.
[[nodiscard]] Result<std::optional<document::Bytes>> first_buffer(const document::Document& document, BufferFrom from,
                                                                  TooFew too_few = TooFew::leave);

}  // namespace sinew::gltf

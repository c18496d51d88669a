// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "document/json/json.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// The allowed sources of a buffer's content.
enum class BufferFrom : std::uint8_t {
  chunk,     ///< a GLB's binary chunk
  anywhere,  ///< the chunk or a local URI
};

/// What to do if byteLength is missing or exceeds the content.
enum class TooFew : std::uint8_t {
  leave,  ///< return nothing, so that nothing is appended to the buffer
  take,   ///< return the content as it is
};

/// Returns the content of a buffer, cut to its byteLength, or nothing if `from` does not allow its source.
[[nodiscard]] Result<std::optional<document::Bytes>> buffer_content(const document::Document& document, std::size_t buffer, BufferFrom from,
                                                                    TooFew too_few = TooFew::leave);

}  // namespace sinew::gltf

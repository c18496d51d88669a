// SPDX-License-Identifier: MIT
#include <utility>

#include "base/guard.hpp"
#include "codecs/codecs.hpp"

#include "sinew/render.hpp"

namespace sinew::show {

Result<Picture> decode_picture(std::span<const std::byte> bytes, std::size_t most) SINEW_TRY {
  auto pixels = codecs::decode(bytes, most);
  if (!pixels) return Unexpected(std::move(pixels.error()));
  return Picture{pixels->width, pixels->height, std::move(pixels->rgba)};
}
SINEW_CATCH()

}  // namespace sinew::show

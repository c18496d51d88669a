// SPDX-License-Identifier: MIT
#include "base/catalogue.hpp"
#include "codecs/codecs.hpp"

namespace sinew::codecs {

#ifdef SINEW_USE_IMAGES

Result<> check() { return {}; }

#else

Result<> check() { return Unexpected(error("SINEW_LEFT_OUT"_code, Failure::unsupported, {}, "PNG, JPEG and WebP images", "SINEW_IMAGES")); }
Result<Pixels> decode(std::span<const std::byte> /*bytes*/, std::size_t /*most*/, ColorSpace /*space*/) {
  return Unexpected(std::move(check().error()));
}
Result<Encoded> encode_png(const Pixels& /*pixels*/) { return Unexpected(std::move(check().error())); }
Result<Encoded> encode_webp(const Pixels& /*pixels*/, const WebpForm& /*form*/) { return Unexpected(std::move(check().error())); }
Result<Encoded> encode_jpeg(const Pixels& /*pixels*/, int /*quality*/, JpegColors /*colors*/) {
  return Unexpected(std::move(check().error()));
}

#endif

}  // namespace sinew::codecs

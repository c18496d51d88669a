// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_IMAGES

#include <webp/encode.h>

#include <memory>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "codecs/codecs.hpp"

namespace sinew::codecs {

namespace {

Unexpected webp_failure(const char* why) {
  return Unexpected(error("IO_ERROR"_code, Failure::output, {}, format_text("the picture cannot be encoded: {}", why)));
}

}  // namespace

Result<Encoded> encode_webp(const Pixels& pixels, const WebpForm& form) SINEW_TRY {
  ask_deadline();  // the library does not
  WebPConfig config;
  WebPPicture picture;
  if (WebPConfigInit(&config) == 0 || WebPPictureInit(&picture) == 0) return webp_failure("the library for WebP has another version");
  const std::unique_ptr<WebPPicture, decltype(&WebPPictureFree)> picture_owner(&picture, WebPPictureFree);
  config.method = form.effort;
  config.exact = 1;
  if (form.kind == WebpForm::Kind::lossy) {
    config.quality = static_cast<float>(form.level);
    config.use_sharp_yuv = form.sharp ? 1 : 0;
  } else {
    constexpr float effort_of_lossless = 75;
    config.lossless = 1;
    config.quality = effort_of_lossless;
    config.near_lossless = form.level;
  }
  picture.use_argb = 1;
  picture.width = static_cast<int>(pixels.width);
  picture.height = static_cast<int>(pixels.height);
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  const std::unique_ptr<WebPMemoryWriter, decltype(&WebPMemoryWriterClear)> writer_owner(&writer, WebPMemoryWriterClear);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  const bool done =
      WebPPictureImportRGBA(&picture, pixels.rgba.data(), static_cast<int>(4 * pixels.width)) != 0 && WebPEncode(&config, &picture) != 0;
  if (!done) {
    const bool memory = picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY || picture.error_code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY;
    if (memory) return Unexpected(error("SINEW_NO_MEMORY"_code, Failure::limit, {}));
    return webp_failure("WebP refuses it");
  }
  const auto bytes = std::as_bytes(std::span(writer.mem, writer.size));
  return Encoded(bytes.begin(), bytes.end());
}
SINEW_CATCH()

}  // namespace sinew::codecs

#endif

// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_IMAGES

// clang-format off: jpeglib.h needs FILE, and jerror.h needs jpeglib.h
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
// clang-format on
#include <png.h>
#include <webp/decode.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "codecs/codecs.hpp"
#include "document/container/image.hpp"

namespace sinew::codecs {

namespace {

Unexpected no_memory() { return Unexpected(error("SINEW_NO_MEMORY"_code, Failure::limit, {})); }

Unexpected broken(std::string_view why) {
  return Unexpected(error("IO_ERROR"_code, Failure::input, {}, format_text("the image cannot be decoded: {}", why)));
}

Result<> check_size(std::size_t width, std::size_t height, std::size_t most) {
  if (width == 0 || height == 0) return broken("the image has no pixels");
  if (width > most / height)
    return Unexpected(
        error("IO_ERROR"_code, Failure::limit, {}, format_text("the image has {} × {} pixels; the limit is {}", width, height, most)));
  return {};
}

std::uint32_t big_endian(const std::byte* bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  return value;
}

/// Returns the PNG without its chunks of text, or nothing if there is nothing to leave out. libpng would decompress them: each up to 8 MB,
/// a thousand times. ColorSpace::ignore: also without those that make libpng change the numbers.
std::vector<std::byte> without_chunks(std::span<const std::byte> png, ColorSpace space) {
  constexpr std::size_t signature = 8, around = 12;  // bytes before the first chunk, and of a chunk without its data
  std::vector<std::byte> kept;
  std::size_t copied = 0;
  const auto copy_to = [&](std::size_t end) {
    kept.insert(kept.end(), png.begin() + static_cast<std::ptrdiff_t>(copied), png.begin() + static_cast<std::ptrdiff_t>(end));
  };
  for (std::size_t at = signature; at + around <= png.size();) {
    const std::size_t length = big_endian(&png[at]);
    if (length > png.size() - at - around) break;
    const std::string_view kind(reinterpret_cast<const char*>(&png[at + 4]), 4);
    const std::size_t next = at + around + length;
    const bool text = kind == "tEXt" || kind == "zTXt" || kind == "iTXt";
    if (text || (space == ColorSpace::ignore && (kind == "gAMA" || kind == "cHRM" || kind == "iCCP" || kind == "sRGB"))) {
      copy_to(at);
      copied = next;
    }
    at = next;
  }
  if (copied != 0) copy_to(png.size());
  return kept;
}

Unexpected png_failure(const png_image& image) {
  // libpng has no codes: "Out of memory", "insufficient memory"
  return std::strstr(image.message, "memory") != nullptr ? no_memory() : broken(image.message);
}

Result<Pixels> decode_png(std::span<const std::byte> bytes, std::size_t most, ColorSpace space) {
  const std::vector<std::byte> shorter = without_chunks(bytes, space);
  if (!shorter.empty()) bytes = shorter;
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, decltype(&png_image_free)> owner(&image, png_image_free);
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) return png_failure(image);
  if (auto fits = check_size(image.width, image.height, most); !fits) return Unexpected(fits.error());
  image.format = PNG_FORMAT_RGBA;
  Pixels picture{image.width, image.height, std::vector<std::uint8_t>(std::size_t{4} * image.width * image.height)};
  if (png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr) == 0) return png_failure(image);
  return picture;
}

Result<Pixels> decode_webp(std::span<const std::byte> bytes, std::size_t most) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  int width = 0, height = 0;
  if (WebPGetInfo(data, bytes.size(), &width, &height) == 0) return broken("the WebP header is invalid");
  if (auto fits = check_size(static_cast<std::size_t>(width), static_cast<std::size_t>(height), most); !fits)
    return Unexpected(fits.error());
  Pixels picture{static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}};
  picture.rgba.resize(picture.width * picture.height * 4);
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0) return broken("the library for WebP has another version");
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {picture.rgba.data(), width * 4, picture.rgba.size()};
  const VP8StatusCode status = WebPDecode(data, bytes.size(), &config);
  if (status == VP8_STATUS_OUT_OF_MEMORY) return no_memory();
  if (status != VP8_STATUS_OK) return broken("the WebP data is invalid");
  return picture;
}

/// libjpeg exits by longjmp, so the calling function has no objects with destructors.
struct JpegFailure {
  jpeg_error_mgr manager;
  std::jmp_buf leave;
  char message[JMSG_LENGTH_MAX];
  jpeg_progress_mgr progress;
  std::uint64_t most_scans;  ///< a scan of a few bytes passes over the whole picture
  bool too_many_scans;
};

[[noreturn]] void on_jpeg_error(j_common_ptr jpeg) {
  auto* const failure = reinterpret_cast<JpegFailure*>(jpeg->err);
  failure->manager.format_message(jpeg, failure->message);
  std::longjmp(failure->leave, 1);
}

void count_scans(j_common_ptr jpeg) {
  auto* const failure = reinterpret_cast<JpegFailure*>(jpeg->err);
  failure->too_many_scans = static_cast<std::uint64_t>(reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number) > failure->most_scans;
  if (failure->too_many_scans) std::longjmp(failure->leave, 1);
}

/// Returns how many scans a progressive picture may have: usual are 10, and each takes about a nanosecond per pixel.
std::uint64_t most_scans(const jpeg_decompress_struct& jpeg) {
  constexpr std::uint64_t always = 20, pixels = 1'000'000'000;
  return std::max(always, pixels / (std::uint64_t{1} + std::uint64_t{jpeg.image_width} * jpeg.image_height));
}

/// Reads the header, calls `allocate` for memory, and fills it.
bool read_jpeg(std::span<const std::byte> bytes, jpeg_decompress_struct& jpeg, JpegFailure& failure,
               std::uint8_t* (*allocate)(void*, unsigned, unsigned), void* context) {
  jpeg.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = on_jpeg_error;
  failure.manager.emit_message = [](j_common_ptr, int) {};
  if (setjmp(failure.leave) != 0) return false;
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<unsigned long>(bytes.size()));
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = JCS_EXT_RGBA;
  std::uint8_t* const room = allocate(context, jpeg.image_width, jpeg.image_height);
  if (room == nullptr) return false;
  failure.most_scans = most_scans(jpeg);
  failure.progress.progress_monitor = count_scans;
  jpeg.progress = &failure.progress;
  jpeg_start_decompress(&jpeg);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = room + std::size_t{4} * jpeg.output_width * jpeg.output_scanline;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  return true;
}

Result<Pixels> decode_jpeg(std::span<const std::byte> bytes, std::size_t most) {
  struct Room {
    Pixels picture;
    std::size_t most;
    Result<> fits;
  } room{{}, most, {}};
  const auto allocate = [](void* context, unsigned width, unsigned height) -> std::uint8_t* {
    Room& made = *static_cast<Room*>(context);
    made.fits = check_size(width, height, made.most);
    if (!made.fits) return nullptr;
    try {
      made.picture = {width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
    } catch (...) {  // must not pass through the C code of libjpeg
      made.fits = Unexpected(error_of_exception());
      return nullptr;
    }
    return made.picture.rgba.data();
  };
  jpeg_decompress_struct jpeg{};
  JpegFailure failure{};
  const bool done = read_jpeg(bytes, jpeg, failure, allocate, &room);
  jpeg_destroy_decompress(&jpeg);
  if (!room.fits) return Unexpected(room.fits.error());
  if (failure.too_many_scans)
    return Unexpected(error("IO_ERROR"_code, Failure::limit, {},
                            format_text("the image has more than {} progressive scans, the limit for its size", failure.most_scans)));
  if (!done) return failure.manager.msg_code == JERR_OUT_OF_MEMORY ? no_memory() : broken(failure.message);
  return std::move(room.picture);
}

}  // namespace

Result<Pixels> decode(std::span<const std::byte> bytes, std::size_t most, ColorSpace space) SINEW_TRY {
  ask_deadline();  // the libraries do not
  const std::string_view type = document::image_mime_type(bytes);
  if (type == "image/png") return decode_png(bytes, most, space);
  if (type == "image/jpeg") return decode_jpeg(bytes, most);
  if (type == "image/webp") return decode_webp(bytes, most);
  return broken(type.empty() ? "the image is not PNG, JPEG or WebP" : format_text("the image is {}; expected PNG, JPEG or WebP", type));
}
SINEW_CATCH()

}  // namespace sinew::codecs

#endif

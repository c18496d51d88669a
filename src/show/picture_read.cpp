// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>

#include <csetjmp>
#include <cstdio>  // jpeglib.h needs FILE
#include <new>
#include <string>

#include "base/catalogue.hpp"
#include "document/container/image.hpp"

#include "sinew/render.hpp"

namespace sinew::show {

namespace {

Unexpected broken(std::string_view why) {
  return Unexpected(error<"IO_ERROR"_code>(Failure::input, {}, fmt::format("the image cannot be decoded: {}", why)));
}

Result<> check_size(std::size_t width, std::size_t height, std::size_t most) {
  if (width == 0 || height == 0) return broken("the image has no pixels");
  if (width > most / height)
    return Unexpected(
        error<"IO_ERROR"_code>(Failure::limit, {}, fmt::format("the image has {} × {} pixels; the limit is {}", width, height, most)));
  return {};
}

Result<Picture> decode_png(std::span<const std::byte> bytes, std::size_t most) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, decltype(&png_image_free)> owner(&image, png_image_free);
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) return broken(image.message);
  if (auto fits = check_size(image.width, image.height, most); !fits) return Unexpected(fits.error());
  image.format = PNG_FORMAT_RGBA;
  Picture picture{image.width, image.height, std::vector<std::uint8_t>(std::size_t{4} * image.width * image.height)};
  if (png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr) == 0) return broken(image.message);
  return picture;
}

Result<Picture> decode_webp(std::span<const std::byte> bytes, std::size_t most) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  int width = 0, height = 0;
  if (WebPGetInfo(data, bytes.size(), &width, &height) == 0) return broken("the WebP header is invalid");
  if (auto fits = check_size(static_cast<std::size_t>(width), static_cast<std::size_t>(height), most); !fits)
    return Unexpected(fits.error());
  Picture picture{static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}};
  picture.rgba.resize(picture.width * picture.height * 4);
  if (WebPDecodeRGBAInto(data, bytes.size(), picture.rgba.data(), picture.rgba.size(), width * 4) == nullptr)
    return broken("the WebP data is invalid");
  return picture;
}

/// libjpeg exits by longjmp, so the calling function has no objects with destructors.
struct JpegFailure {
  jpeg_error_mgr manager;
  std::jmp_buf leave;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void on_jpeg_error(j_common_ptr jpeg) {
  auto* const failure = reinterpret_cast<JpegFailure*>(jpeg->err);
  failure->manager.format_message(jpeg, failure->message);
  std::longjmp(failure->leave, 1);
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
  jpeg_start_decompress(&jpeg);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = room + std::size_t{4} * jpeg.output_width * jpeg.output_scanline;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  return true;
}

Result<Picture> decode_jpeg(std::span<const std::byte> bytes, std::size_t most) {
  struct Room {
    Picture picture;
    std::size_t most;
    Result<> fits;
  } room{{}, most, {}};
  const auto allocate = [](void* context, unsigned width, unsigned height) -> std::uint8_t* {
    Room& made = *static_cast<Room*>(context);
    made.fits = check_size(width, height, made.most);
    if (!made.fits) return nullptr;
    try {
      made.picture = {width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
    } catch (const std::bad_alloc&) {  // must not pass through the C code of libjpeg
      made.fits = Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
      return nullptr;
    }
    return made.picture.rgba.data();
  };
  jpeg_decompress_struct jpeg{};
  JpegFailure failure{};
  const bool done = read_jpeg(bytes, jpeg, failure, allocate, &room);
  jpeg_destroy_decompress(&jpeg);
  if (!room.fits) return Unexpected(room.fits.error());
  if (!done) return broken(failure.message);
  return std::move(room.picture);
}

}  // namespace

Result<Picture> decode_picture(std::span<const std::byte> bytes, std::size_t most) try {
  const std::string_view type = document::image_mime_type(bytes);
  if (type == "image/png") return decode_png(bytes, most);
  if (type == "image/jpeg") return decode_jpeg(bytes, most);
  if (type == "image/webp") return decode_webp(bytes, most);
  return broken(type.empty() ? "the image is not PNG, JPEG or WebP" : fmt::format("the image is {}; expected PNG, JPEG or WebP", type));
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
}

}  // namespace sinew::show

// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_IMAGES

// clang-format off: jpeglib.h needs FILE
#include <cstdio>
#include <jpeglib.h>
// clang-format on

#include <csetjmp>
#include <cstdlib>
#include <memory>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "codecs/codecs.hpp"

namespace sinew::codecs {

namespace {

/// libjpeg exits by longjmp, so the calling function has no objects with destructors.
struct JpegEnd {
  jpeg_error_mgr manager;
  std::jmp_buf leave;
};

[[noreturn]] void end_jpeg(j_common_ptr jpeg) { std::longjmp(reinterpret_cast<JpegEnd*>(jpeg->err)->leave, 1); }

bool write_jpeg(const Pixels& pixels, int quality, JpegColors colors, jpeg_compress_struct& jpeg, JpegEnd& end, unsigned char** bytes,
                unsigned long* size) {
  jpeg.err = jpeg_std_error(&end.manager);
  end.manager.error_exit = end_jpeg;
  end.manager.emit_message = [](j_common_ptr, int) {};
  if (setjmp(end.leave) != 0) return false;
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, bytes, size);
  jpeg.image_width = static_cast<JDIMENSION>(pixels.width);
  jpeg.image_height = static_cast<JDIMENSION>(pixels.height);
  jpeg.input_components = 4;
  jpeg.in_color_space = JCS_EXT_RGBA;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, quality, TRUE);
  if (colors == JpegColors::full) jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = 1;
  jpeg_simple_progression(&jpeg);
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    auto* row = const_cast<JSAMPROW>(pixels.rgba.data() + std::size_t{4} * pixels.width * jpeg.next_scanline);
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  return true;
}

}  // namespace

Result<Encoded> encode_jpeg(const Pixels& pixels, int quality, JpegColors colors) SINEW_TRY {
  ask_deadline();  // the library does not
  jpeg_compress_struct jpeg{};
  JpegEnd end{};
  unsigned char* made = nullptr;
  unsigned long size = 0;
  const bool done = write_jpeg(pixels, quality, colors, jpeg, end, &made, &size);
  jpeg_destroy_compress(&jpeg);
  const std::unique_ptr<unsigned char, decltype(&std::free)> owner(made, std::free);
  if (!done) return Unexpected(error("SINEW_NO_MEMORY"_code, Failure::limit, {}));  // nothing else fails in memory
  const auto bytes = std::as_bytes(std::span(made, size));
  return Encoded(bytes.begin(), bytes.end());
}
SINEW_CATCH()

}  // namespace sinew::codecs

#endif

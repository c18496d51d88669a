// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_OPENEXR
#include <openexr.h>
#endif

#include <algorithm>
#include <cstring>
#include <exception>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/message.hpp"
#include "operations/bake/texture.hpp"

namespace sinew::operations {

#ifdef SINEW_USE_OPENEXR

namespace {

/// Where OpenEXR writes: it goes back to fill in the table of chunks.
std::int64_t write_to_memory(exr_const_context_t /*file*/, void* user, const void* bytes, std::uint64_t size, std::uint64_t offset,
                             exr_stream_error_func_ptr_t /*report*/) {
  auto& to = *static_cast<std::vector<std::byte>*>(user);
  try {
    if (to.size() < offset + size) to.resize(offset + size);
  } catch (const std::exception&) {
    return -1;
  }
  std::memcpy(to.data() + offset, bytes, size);
  return static_cast<std::int64_t>(size);
}

void no_message(exr_const_context_t /*file*/, exr_result_t /*code*/, const char* /*text*/) {}

class ExrFile {
 public:
  ExrFile() = default;
  ExrFile(const ExrFile&) = delete;
  ExrFile& operator=(const ExrFile&) = delete;
  ~ExrFile() {
    if (file_ != nullptr) exr_finish(&file_);
  }

  exr_result_t write(const Texture& texture) {
    exr_context_initializer_t setting = EXR_DEFAULT_CONTEXT_INITIALIZER;
    setting.user_data = &bytes_;
    setting.write_fn = write_to_memory;
    setting.error_handler_fn = no_message;
    int part = 0;
    exr_result_t done = exr_start_write(&file_, "texture.exr", EXR_WRITE_FILE_DIRECTLY, &setting);
    if (done == EXR_ERR_SUCCESS) done = exr_add_part(file_, "texture", EXR_STORAGE_SCANLINE, &part);
    if (done == EXR_ERR_SUCCESS)
      done = exr_initialize_required_attr_simple(file_, part, static_cast<std::int32_t>(texture.width),
                                                 static_cast<std::int32_t>(texture.height), EXR_COMPRESSION_ZIP);
    for (const char* name : {"R", "G", "B"})
      if (done == EXR_ERR_SUCCESS) done = exr_add_channel(file_, part, name, EXR_PIXEL_HALF, EXR_PERCEPTUALLY_LINEAR, 1, 1);
    if (done == EXR_ERR_SUCCESS) done = exr_write_header(file_);
    std::int32_t lines = 1;
    if (done == EXR_ERR_SUCCESS) done = exr_get_scanlines_per_chunk(file_, part, &lines);
    for (std::size_t y = 0; done == EXR_ERR_SUCCESS && y < texture.height; y += static_cast<std::size_t>(lines))
      done = write_chunk(texture, part, y);
    return done == EXR_ERR_SUCCESS ? exr_finish(&file_) : done;
  }

  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  exr_result_t write_chunk(const Texture& texture, int part, std::size_t y) {
    exr_chunk_info_t chunk = {};
    exr_encode_pipeline_t pipeline = {};
    exr_result_t done = exr_write_scanline_chunk_info(file_, part, static_cast<int>(y), &chunk);
    if (done != EXR_ERR_SUCCESS) return done;
    done = exr_encoding_initialize(file_, part, &chunk, &pipeline);
    for (int c = 0; done == EXR_ERR_SUCCESS && c < pipeline.channel_count; ++c) {
      exr_coding_channel_info_t& channel = pipeline.channels[c];
      const std::size_t place = std::string_view("RGB").find(channel.channel_name);
      channel.user_data_type = EXR_PIXEL_HALF;
      channel.user_bytes_per_element = sizeof(std::uint16_t);
      channel.user_pixel_stride = 3 * sizeof(std::uint16_t);
      channel.user_line_stride = static_cast<std::int32_t>(texture.width * 3 * sizeof(std::uint16_t));
      channel.encode_from_ptr = reinterpret_cast<const std::uint8_t*>(texture.values.data() + y * texture.width * 3 + place);
    }
    if (done == EXR_ERR_SUCCESS) done = exr_encoding_choose_default_routines(file_, part, &pipeline);
    if (done == EXR_ERR_SUCCESS) done = exr_encoding_run(file_, part, &pipeline);
    exr_encoding_destroy(file_, &pipeline);
    return done;
  }

  std::vector<std::byte> bytes_;
  exr_context_t file_ = nullptr;
};

}  // namespace

Result<> check_exr() { return {}; }

Result<std::vector<std::byte>> encode_exr(const Texture& texture) {
  ExrFile file;
  const exr_result_t done = file.write(texture);
  if (done != EXR_ERR_SUCCESS) ask_deadline();  // it may have ended the writing
  if (done == EXR_ERR_OUT_OF_MEMORY) return Unexpected(error("SINEW_NO_MEMORY"_code, Failure::limit, {}));
  if (done != EXR_ERR_SUCCESS)
    return Unexpected(error("SINEW_OUTPUT"_code, Failure::output, {},
                            format_text("OpenEXR cannot write the texture: {}", exr_get_default_error_message(done))));
  return std::move(file).take();
}

#else

Result<> check_exr() { return Unexpected(error("SINEW_LEFT_OUT"_code, Failure::unsupported, {}, "EXR textures", "SINEW_OPENEXR")); }
Result<std::vector<std::byte>> encode_exr(const Texture& /*texture*/) { return std::vector<std::byte>(); }

#endif

}  // namespace sinew::operations

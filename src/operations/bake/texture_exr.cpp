// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_OPENEXR
#include <openexr.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/message.hpp"
#include "operations/bake/texture.hpp"

namespace sinew::operations {

#ifdef SINEW_USE_OPENEXR

namespace {

void no_message(exr_const_context_t /*file*/, exr_result_t /*code*/, const char* /*text*/) {}

class ExrWriter : public TextureWriter {
 public:
  ExrWriter(const TextureSize& size, document::OutputFile output) : size_(size), output_(std::move(output)) {}
  ~ExrWriter() override {
    if (file_ != nullptr) exr_finish(&file_);
  }

  Result<> begin() {
    exr_context_initializer_t setting = EXR_DEFAULT_CONTEXT_INITIALIZER;
    setting.user_data = this;
    setting.write_fn = write_to_output;
    setting.error_handler_fn = no_message;
    exr_result_t done = exr_start_write(&file_, "texture.exr", EXR_WRITE_FILE_DIRECTLY, &setting);
    if (done == EXR_ERR_SUCCESS) done = exr_add_part(file_, "texture", EXR_STORAGE_SCANLINE, &part_);
    if (done == EXR_ERR_SUCCESS)
      done = exr_initialize_required_attr_simple(file_, part_, static_cast<std::int32_t>(size_.width),
                                                 static_cast<std::int32_t>(size_.height), EXR_COMPRESSION_ZIP);
    for (const char* name : {"R", "G", "B"})
      if (done == EXR_ERR_SUCCESS) done = exr_add_channel(file_, part_, name, EXR_PIXEL_HALF, EXR_PERCEPTUALLY_LINEAR, 1, 1);
    if (done == EXR_ERR_SUCCESS) done = exr_write_header(file_);
    std::int32_t lines = 1;
    if (done == EXR_ERR_SUCCESS) done = exr_get_scanlines_per_chunk(file_, part_, &lines);
    lines_ = static_cast<std::size_t>(std::max(lines, 1));
    return checked(done);
  }

  Result<> write(std::span<const std::uint16_t> rows) override {
    const std::size_t row = size_.row();
    while (!rows.empty()) {
      const std::size_t wanted = std::min(lines_, size_.height - y_) * row, count = std::min(wanted - waiting_.size(), rows.size());
      waiting_.insert(waiting_.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
      rows = rows.subspan(count);
      if (waiting_.size() < wanted) break;
      if (auto done = checked(write_chunk()); !done) return done;
      y_ += wanted / row;
      waiting_.clear();
    }
    return {};
  }

  Result<document::OutputFile> finish() override {
    if (auto done = checked(exr_finish(&file_)); !done) return Unexpected(std::move(done.error()));
    return std::move(output_);
  }

 private:
  /// OpenEXR goes back to fill in the table of chunks.
  static std::int64_t write_to_output(exr_const_context_t /*file*/, void* user, const void* bytes, std::uint64_t size, std::uint64_t offset,
                                      exr_stream_error_func_ptr_t /*report*/) {
    auto& to = *static_cast<ExrWriter*>(user);
    const std::span all(static_cast<const std::byte*>(bytes), size);
    if (auto done = to.put(offset, all); !done) {
      to.failed_ = std::move(done.error());
      return -1;
    }
    return static_cast<std::int64_t>(size);
  }

  Result<> put(std::uint64_t offset, std::span<const std::byte> bytes) {
    constexpr std::array<std::byte, 4096> zeros{};
    for (; end_ < offset; end_ += std::min<std::uint64_t>(zeros.size(), offset - end_))
      if (auto done = output_.write(std::span(zeros).first(std::min<std::uint64_t>(zeros.size(), offset - end_))); !done) return done;
    const std::size_t known = std::min<std::uint64_t>(end_ - offset, bytes.size());
    if (known != 0)
      if (auto done = output_.write_at(offset, bytes.first(known)); !done) return done;
    end_ += bytes.size() - known;
    return known == bytes.size() ? Result<>() : output_.write(bytes.subspan(known));
  }

  Result<> checked(exr_result_t done) {
    if (done == EXR_ERR_SUCCESS) return {};
    ask_deadline();  // it may have ended the writing
    if (failed_) return Unexpected(*failed_);
    if (done == EXR_ERR_OUT_OF_MEMORY) return Unexpected(error("SINEW_NO_MEMORY"_code, Failure::limit, {}));
    return Unexpected(error("SINEW_OUTPUT"_code, Failure::output, {},
                            format_text("OpenEXR cannot write the texture: {}", exr_get_default_error_message(done))));
  }

  /// Writes the rows that wait.
  exr_result_t write_chunk() {
    exr_chunk_info_t chunk = {};
    exr_encode_pipeline_t pipeline = {};
    exr_result_t done = exr_write_scanline_chunk_info(file_, part_, static_cast<int>(y_), &chunk);
    if (done != EXR_ERR_SUCCESS) return done;
    done = exr_encoding_initialize(file_, part_, &chunk, &pipeline);
    for (int c = 0; done == EXR_ERR_SUCCESS && c < pipeline.channel_count; ++c) {
      exr_coding_channel_info_t& channel = pipeline.channels[c];
      const std::size_t place = std::string_view("RGB").find(channel.channel_name);
      channel.user_data_type = EXR_PIXEL_HALF;
      channel.user_bytes_per_element = sizeof(std::uint16_t);
      channel.user_pixel_stride = 3 * sizeof(std::uint16_t);
      channel.user_line_stride = static_cast<std::int32_t>(size_.row() * sizeof(std::uint16_t));
      channel.encode_from_ptr = reinterpret_cast<const std::uint8_t*>(waiting_.data() + place);
    }
    if (done == EXR_ERR_SUCCESS) done = exr_encoding_choose_default_routines(file_, part_, &pipeline);
    if (done == EXR_ERR_SUCCESS) done = exr_encoding_run(file_, part_, &pipeline);
    exr_encoding_destroy(file_, &pipeline);
    return done;
  }

  TextureSize size_;
  document::OutputFile output_;
  std::uint64_t end_ = 0;        ///< of what was written
  std::optional<Error> failed_;  ///< why `output_` could not be written
  exr_context_t file_ = nullptr;
  int part_ = 0;
  std::size_t lines_ = 1, y_ = 0;       ///< rows of a chunk; the first row that was not written
  std::vector<std::uint16_t> waiting_;  ///< rows of the next chunk
};

}  // namespace

Result<> check_exr() { return {}; }

Result<std::unique_ptr<TextureWriter>> write_exr(const TextureSize& size, document::OutputFile file) {
  auto writer = std::make_unique<ExrWriter>(size, std::move(file));
  if (auto done = writer->begin(); !done) return Unexpected(std::move(done.error()));
  return std::unique_ptr<TextureWriter>(std::move(writer));
}

#else

Result<> check_exr() { return Unexpected(error("SINEW_LEFT_OUT"_code, Failure::unsupported, {}, "EXR textures", "SINEW_OPENEXR")); }
Result<std::unique_ptr<TextureWriter>> write_exr(const TextureSize& /*size*/, document::OutputFile /*file*/) {
  return Unexpected(check_exr().error());
}

#endif

}  // namespace sinew::operations

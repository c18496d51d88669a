// SPDX-License-Identifier: MIT
#ifdef SINEW_USE_ZLIB
#include <zlib.h>

#include "codecs/png_chunks.hpp"
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "operations/bake/texture.hpp"

namespace sinew::operations {

#ifdef SINEW_USE_ZLIB

namespace {

using codecs::PngBytes;

/// Rows get the filter Up, the difference to the row above: vertices move little from frame to frame.
class PngWriter : public TextureWriter {
 public:
  PngWriter(const TextureSize& size, document::OutputFile file)
      : size_(size),
        bytes_of_value_(size.format == TexelFormat::png8 ? 1 : 2),
        file_(std::move(file)),
        above_(size.row() * bytes_of_value_) {}
  ~PngWriter() override {
    if (begun_) deflateEnd(&stream_);
  }

  Result<> begin() {
    // The usual level takes five times as long for a twelfth less: what takes seconds gets the faster one.
    constexpr std::size_t small = std::size_t{32} << 20;
    const int level = above_.size() * size_.height <= small ? Z_DEFAULT_COMPRESSION : 4;
    if (deflateInit(&stream_, level) != Z_OK) return Unexpected(error("SINEW_NO_MEMORY"_code, Failure::limit, {}));
    begun_ = true;
    PngBytes head;
    codecs::add_png_head(head, {size_.width, size_.height, static_cast<unsigned>(8 * bytes_of_value_), 2});
    return file_.write(head);
  }

  Result<> write(std::span<const std::uint16_t> rows) override {
    constexpr std::byte up{2};
    std::vector<std::byte> row(above_.size()), filtered(above_.size() + 1);
    for (; !rows.empty(); rows = rows.subspan(size_.row())) {
      ask_deadline();
      filtered[0] = up;
      for (std::size_t i = 0; i < size_.row(); ++i) {
        if (bytes_of_value_ == 2) row[i * 2] = static_cast<std::byte>(rows[i] >> 8U);
        row[(i + 1) * bytes_of_value_ - 1] = static_cast<std::byte>(rows[i] & 0xffU);
      }
      for (std::size_t i = 0; i < row.size(); ++i)
        filtered[i + 1] = static_cast<std::byte>((std::to_integer<unsigned>(row[i]) - std::to_integer<unsigned>(above_[i])) & 0xffU);
      if (auto done = pack(filtered, Z_NO_FLUSH); !done) return done;
      row.swap(above_);
    }
    return {};
  }

  Result<document::OutputFile> finish() override {
    if (auto done = pack({}, Z_FINISH); !done) return Unexpected(std::move(done.error()));
    if (auto done = put_chunk(); !done) return Unexpected(std::move(done.error()));
    PngBytes end;
    codecs::add_chunk(end, "IEND", {});
    if (auto done = file_.write(end); !done) return Unexpected(std::move(done.error()));
    return std::move(file_);
  }

 private:
  static constexpr std::size_t chunk = std::size_t{4} << 20;

  Result<> pack(std::span<const std::byte> bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));  // zlib only reads it
    stream_.avail_in = static_cast<uInt>(bytes.size());
    for (;;) {
      packed_.resize(chunk);
      stream_.next_out = reinterpret_cast<Bytef*>(packed_.data() + used_);
      stream_.avail_out = static_cast<uInt>(chunk - used_);
      const int done = deflate(&stream_, flush);
      used_ = chunk - stream_.avail_out;
      if (done == Z_STREAM_END || (stream_.avail_in == 0 && stream_.avail_out != 0)) return {};
      if (auto put = put_chunk(); !put) return put;
    }
  }

  Result<> put_chunk() {
    if (used_ == 0) return {};
    PngBytes bytes;
    codecs::add_chunk(bytes, "IDAT", std::span<const std::byte>(packed_).first(used_));
    used_ = 0;
    return file_.write(bytes);
  }

  TextureSize size_;
  std::size_t bytes_of_value_;
  document::OutputFile file_;
  std::vector<std::byte> above_;  ///< the row above
  PngBytes packed_;               ///< the next chunk, of which `used_` bytes are filled
  std::size_t used_ = 0;
  z_stream stream_{};
  bool begun_ = false;
};

}  // namespace

Result<> check_png() { return {}; }

Result<std::unique_ptr<TextureWriter>> write_png(const TextureSize& size, document::OutputFile file) {
  auto writer = std::make_unique<PngWriter>(size, std::move(file));
  if (auto done = writer->begin(); !done) return Unexpected(std::move(done.error()));
  return std::unique_ptr<TextureWriter>(std::move(writer));
}

#else

Result<> check_png() { return Unexpected(error("SINEW_LEFT_OUT"_code, Failure::unsupported, {}, "PNG textures", "SINEW_ZLIB")); }
Result<std::unique_ptr<TextureWriter>> write_png(const TextureSize& /*size*/, document::OutputFile /*file*/) {
  return Unexpected(check_png().error());
}

#endif

}  // namespace sinew::operations

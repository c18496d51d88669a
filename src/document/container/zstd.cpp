// SPDX-License-Identifier: MIT
#include "document/container/zstd.hpp"

#ifdef SINEW_USE_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/left_out.hpp"
#include "base/memory.hpp"
#include "base/message.hpp"

namespace sinew::document {
namespace {

#ifdef SINEW_USE_ZSTD

Unexpected invalid_zstd(std::string what) { return Unexpected(error("G4MF_BIN_ZSTD_INVALID"_code, Failure::input, {}, std::move(what))); }
Unexpected too_large(std::uint64_t most) { return Unexpected(error("SINEW_ZSTD_TOO_LARGE"_code, Failure::limit, {}, most)); }
Unexpected no_memory() {  // of the C library, not of operator new
  return Unexpected(made_or_short(Failure::limit, "SINEW_NO_MEMORY", [] { return error("SINEW_NO_MEMORY"_code, Failure::limit, {}); }));
}

/// A growing byte array that does not touch new memory (malloc: untouched pages cost nothing).
class GrowingBytes {
 public:
  [[nodiscard]] Result<> resize(std::size_t size) {
    void* moved = std::realloc(bytes_.get(), std::max<std::size_t>(size, 1));
    if (moved == nullptr) return no_memory();
    static_cast<void>(bytes_.release());
    bytes_.reset(static_cast<std::byte*>(moved));
    size_ = size;
    return {};
  }
  [[nodiscard]] std::byte* data() const { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Bytes share(MemoryResource* memory) && {
    if (memory != nullptr) {
      const auto copy = shared_bytes(memory, size_);
      std::copy_n(bytes_.get(), size_, copy.get());
      return {{copy.get(), size_}, copy};
    }
    std::shared_ptr<const void> owner(std::move(bytes_));
    return {{static_cast<const std::byte*>(owner.get()), size_}, std::move(owner)};
  }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_ = 0;
};

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

class Decompressor {
 public:
  Decompressor(std::span<const std::byte> data, std::uint64_t most, Surplus surplus, MemoryResource* memory)
      : input_{data.data(), data.size(), 0}, most_(most), surplus_(surplus), memory_(memory), stream_(ZSTD_createDStream()) {}

  [[nodiscard]] Result<Decompressed> run() {
    if (!stream_) return no_memory();
    const std::span data(static_cast<const std::byte*>(input_.src), input_.size);
    if (!is_zstd_frame(data))
      return Unexpected(
          error("G4MF_BIN_ZSTD_NO_FRAME_MAGIC"_code, Failure::input, {}, hex(data.first(std::min<std::size_t>(data.size(), 4)))));
    const unsigned long long content = ZSTD_getFrameContentSize(data.data(), data.size());
    if (content == ZSTD_CONTENTSIZE_ERROR) return invalid_zstd("its header is incomplete or not valid");
    if (content == ZSTD_CONTENTSIZE_UNKNOWN) {
      // Starts with a usual ratio, then doubles.
      constexpr std::uint64_t first_guess = 1 << 16;
      room_ = most_;
      if (auto made = resize(std::min(std::max<std::uint64_t>(first_guess, 4 * data.size()), room_)); !made)
        return Unexpected(made.error());
    } else {
      if (content > most_ && surplus_ == Surplus::refuse) return too_large(most_);
      room_ = std::min<std::uint64_t>(content, most_);
      if (auto made = resize(room_); !made) return Unexpected(made.error());
    }
    return decode();
  }

 private:
  // libzstd refuses frames with a window larger than 128 MiB. It decodes a frame that fits into a single call without a window.
  [[nodiscard]] Result<Decompressed> decode() {
    for (;;) {
      if (done_ == out_.size() && out_.size() < room_)
        if (auto made = resize(std::min<std::uint64_t>(2 * out_.size(), room_)); !made) return Unexpected(made.error());
      // If the output is full, the end of the frame may still be unread. One more byte of content would exceed the limit.
      const bool full = done_ == out_.size();
      std::byte beyond{};
      ZSTD_outBuffer room = full ? ZSTD_outBuffer{&beyond, 1, 0} : ZSTD_outBuffer{out_.data(), out_.size(), done_};
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &room, &input_);
      if (ZSTD_isError(status)) return invalid_zstd(ZSTD_getErrorName(status));
      if (!full) done_ = room.pos;
      if (full && room.pos > 0) {
        if (surplus_ == Surplus::refuse) return too_large(room_);
        cut_ = true;
        return finish();
      }
      if (status == 0) return finish();
      if (input_.pos == input_.size && room.pos < room.size)
        return invalid_zstd(format_text("it ends in the frame, after {} bytes of content", done_));
    }
  }

  [[nodiscard]] Result<> resize(std::uint64_t size) { return out_.resize(static_cast<std::size_t>(size)); }

  [[nodiscard]] Result<Decompressed> finish() {
    if (!cut_ && input_.pos < input_.size) {
      const std::span rest = std::span(static_cast<const std::byte*>(input_.src), input_.size).subspan(input_.pos);
      return invalid_zstd(
          format_text("{} bytes follow the frame{}, expected its end", rest.size(), is_zstd_frame(rest) ? " (another frame)" : ""));
    }
    if (auto made = resize(done_); !made) return Unexpected(made.error());
    return Decompressed{std::move(out_).share(memory_), cut_};
  }

  ZSTD_inBuffer input_;
  std::uint64_t most_;
  std::uint64_t room_ = 0;  ///< largest allowed size of the output
  Surplus surplus_;
  MemoryResource* memory_;
  std::unique_ptr<ZSTD_DStream, FreeStream> stream_;
  GrowingBytes out_;
  std::size_t done_ = 0;
  bool cut_ = false;
};

#endif

}  // namespace

bool is_zstd_frame(std::span<const std::byte> data) {
  constexpr std::array magic = {std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F}, std::byte{0xFD}};
  return data.size() >= magic.size() && std::equal(magic.begin(), magic.end(), data.begin());
}

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += format_text("{}{:02X}", text.empty() ? "" : " ", std::to_integer<unsigned>(byte));
  return text.empty() ? "nothing" : text;
}

#ifdef SINEW_USE_ZSTD

Result<Decompressed> zstd_decompress(std::span<const std::byte> data, std::uint64_t most, Surplus surplus,
                                     MemoryResource* memory) SINEW_TRY {
  return Decompressor(data, most, surplus, memory).run();
}
SINEW_CATCH()

Result<std::vector<std::byte>> zstd_compress(std::span<const std::byte> data) SINEW_TRY {
  const std::unique_ptr<ZSTD_CCtx, FreeStream> context(ZSTD_createCCtx());
  if (!context) return no_memory();
  constexpr int level = 3;
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::vector<std::byte> out(ZSTD_compressBound(data.size()));
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), data.data(), data.size());
  if (ZSTD_isError(size)) return no_memory();  // the output has the size of the bound, so only memory can be missing
  out.resize(size);
  out.shrink_to_fit();
  return out;
}
SINEW_CATCH()

#else

namespace {

Unexpected left_out() {
#ifdef SINEW_NO_G4MF  // the one format that has it
  return Unexpected(error("SINEW_LEFT_OUT"_code, Failure::unsupported, {}, "G4MF", g4mf_switch));
#else
  return Unexpected(error("SINEW_LEFT_OUT"_code, Failure::unsupported, {}, "Zstandard", "SINEW_ZSTD"));
#endif
}

}  // namespace

Result<Decompressed> zstd_decompress(std::span<const std::byte>, std::uint64_t, Surplus, MemoryResource*) { return left_out(); }
Result<std::vector<std::byte>> zstd_compress(std::span<const std::byte>) { return left_out(); }

#endif

}  // namespace sinew::document

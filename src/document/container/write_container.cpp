// SPDX-License-Identifier: MIT
#include "document/container/write_container.hpp"

#include <array>
#include <limits>
#include <utility>

#include "base/catalogue.hpp"
#include "base/message.hpp"

namespace sinew::document {
namespace {

/// Little-endian numbers.
class HeaderWriter {
 public:
  template <class T>
  HeaderWriter& number(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes_[size_++] = static_cast<std::byte>((value >> (8 * i)) & 0xFF);
    return *this;
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::span(bytes_).first(size_); }

 private:
  std::array<std::byte, 32> bytes_{};
  std::size_t size_ = 0;
};

/// Writes a file in pieces. The caller has checked the limits of the format. The first failure of `out` stops it.
class Pieces {
 public:
  explicit Pieces(const ByteSink& out) : out_(out) {}

  void put(std::span<const std::byte> bytes) {
    if (result_ && !bytes.empty()) result_ = out_(bytes);
    written_ += bytes.size();
  }
  void put(const HeaderWriter& header) { put(header.bytes()); }
  /// Writes `filler` up to a multiple of `alignment` (at most 16) from the start of the file.
  void pad(std::uint64_t alignment, char filler) {
    std::array<std::byte, 16> bytes;
    bytes.fill(static_cast<std::byte>(filler));
    put(std::span(bytes).first(static_cast<std::size_t>((alignment - written_ % alignment) % alignment)));
  }
  [[nodiscard]] Result<> take_result() && { return std::move(result_); }

 private:
  const ByteSink& out_;
  std::uint64_t written_ = 0;
  Result<> result_;
};

constexpr std::uint64_t round_up(std::uint64_t size, std::uint64_t multiple) { return (size + multiple - 1) / multiple * multiple; }

}  // namespace

Result<> write_glb(std::string_view json, std::span<const std::byte> binary, const ByteSink& out) {
  constexpr std::uint64_t header = 12, chunk_header = 8, alignment = 4;
  const std::uint64_t json_size = round_up(json.size(), alignment);
  const std::uint64_t binary_size = round_up(binary.size(), alignment);
  const std::uint64_t size = header + chunk_header + json_size + (binary.empty() ? 0 : chunk_header + binary_size);
  if (size > std::numeric_limits<std::uint32_t>::max())
    return Unexpected(error("SINEW_OUTPUT"_code, Failure::unsupported, {},
                            format_text("found {} bytes to write; a GLB file holds at most 4294967295 bytes; write .gltf instead", size)));
  const auto u32 = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  Pieces pieces(out);
  pieces.put(HeaderWriter().number(fourcc("glTF")).number(u32(2)).number(u32(size)));
  pieces.put(HeaderWriter().number(u32(json_size)).number(fourcc("JSON")));
  pieces.put(std::as_bytes(std::span(json)));
  pieces.pad(alignment, ' ');
  if (!binary.empty()) {
    pieces.put(HeaderWriter().number(u32(binary_size)).number(fourcc("BIN\0")));
    pieces.put(binary);
    pieces.pad(alignment, '\0');
  }
  return std::move(pieces).take_result();
}

Result<> write_g4b(std::string_view json, std::span<const StoredChunk> chunks, const ByteSink& out) {
  constexpr std::uint64_t header = 16, alignment = 16;
  std::uint64_t size = header + header + json.size();
  for (const StoredChunk& chunk : chunks) size = round_up(size, alignment) + header + chunk.data.size();
  Pieces pieces(out);
  pieces.put(HeaderWriter().number(fourcc("G4MF")).number(std::uint32_t{0}).number(size));
  const auto put_chunk = [&](const StoredChunk& chunk) {
    pieces.put(HeaderWriter().number(chunk.type).number(chunk.compression).number(std::uint64_t{chunk.data.size()}));
    pieces.put(chunk.data);
  };
  put_chunk({std::as_bytes(std::span(json)), Chunk::uncompressed, Chunk::json});
  char filler = ' ';
  for (const StoredChunk& chunk : chunks) {
    pieces.pad(alignment, std::exchange(filler, '\0'));
    put_chunk(chunk);
  }
  return std::move(pieces).take_result();
}

}  // namespace sinew::document

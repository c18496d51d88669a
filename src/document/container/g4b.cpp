// SPDX-License-Identifier: MIT
// Names and severities are those of the project's rules of G4MF. Findings about a chunk are placed at its header.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/budget.hpp"
#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "document/container/capped_sink.hpp"
#include "document/container/container.hpp"
#include "document/container/zstd.hpp"

namespace sinew::document {
namespace {

constexpr std::uint32_t magic_g4mf = fourcc("G4MF");
constexpr std::uint32_t compression_reserved = 0xFFFFFFFF;
constexpr std::uint64_t g4b_header_size = 16;  // of the file and of a chunk
constexpr std::uint64_t alignment = 16;        // of chunk headers
constexpr std::uint64_t top_bit = std::uint64_t{1} << 63;

// Cannot overflow: `at` is at most the size of a file.
constexpr std::uint64_t aligned(std::uint64_t at) { return (at + alignment - 1) / alignment * alignment; }

constexpr bool printable(std::uint32_t code) {
  for (int shift = 0; shift < 32; shift += 8)
    if (const std::uint32_t c = (code >> shift) & 0xFF; c < 0x20 || c > 0x7E) return false;
  return true;
}

class G4bReader {
 public:
  G4bReader(const Bytes& file, const OpenOptions& options, FindingSink& sink)
      : file_(file), limits_(options.limits), memory_(options.memory), sink_(sink) {}

  [[nodiscard]] Result<Contents> run() {
    if (!read_header() || !read_chunks()) return Unexpected(std::move(*error_));
    if (auto read = read_json(); !read) return Unexpected(std::move(read.error()));
    return std::move(contents_);
  }

 private:
  [[nodiscard]] std::uint64_t size() const { return file_.view.size(); }
  [[nodiscard]] std::span<const std::byte> bytes(std::uint64_t at, std::uint64_t count) const {
    return file_.view.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count));
  }
  // Precondition: the file has these bytes.
  template <class T>
  [[nodiscard]] T number(std::uint64_t at) const {
    T value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;)
      value = static_cast<T>(value << 8) | std::to_integer<T>(file_.view[static_cast<std::size_t>(at) + i]);
    return value;
  }

  /// Reports a finding that stops reading.
  bool fail(Finding found) {
    error_ = error_from(found, {});
    sink_.add(std::move(found));
    return false;
  }

  bool read_header() {
    if (size() >= 4 && number<std::uint32_t>(0) != magic_g4mf) return fail(finding_at("G4MF_BIN_MAGIC"_code, 0, hex(bytes(0, 4))));
    if (size() == g4b_header_size) sink_.add(finding_at("G4MF_BIN_NO_CHUNK"_code, size()));
    if (size() < 2 * g4b_header_size) return fail(finding_at("G4MF_BIN_TOO_SMALL"_code, size(), size()));
    if (const auto version = number<std::uint32_t>(4); version != 0) return fail(finding_at("G4MF_BIN_VERSION"_code, 4, version));
    declared_ = number<std::uint64_t>(8);
    if ((declared_ & top_bit) != 0) return fail(finding_at("G4MF_BIN_SIZE_TOP_BIT"_code, 8, declared_));
    if (declared_ != size()) sink_.add(finding_at("G4MF_BIN_SIZE_MISMATCH"_code, 8, declared_, size()));
    return true;
  }

  // A wrong size alone does not stop reading: chunks are read up to it, or up to the end of the file if it has no room for a chunk.
  bool read_chunks() {
    const std::uint64_t end = declared_ < 2 * g4b_header_size ? size() : std::min(declared_, size());
    std::uint64_t at = g4b_header_size;
    while (at < end) {
      if (size() - at < g4b_header_size) {
        sink_.add(finding_at("G4MF_BIN_TRUNCATED_CHUNK_HEADER"_code, at, size() - at));
        return true;
      }
      if (!read_chunk(at)) return false;
      at = behind_padding(contents_.chunk_list.back(), end);
    }
    if (at < size()) sink_.add(finding_at("G4MF_BIN_TRAILING_BYTES"_code, at, size() - at));
    return true;
  }

  bool read_chunk(std::uint64_t at) {
    // An empty chunk costs 16 bytes of file, but more of memory.
    if ((contents_.chunk_list.size() + 1) * sizeof(Chunk) > limits_.memory) {
      error_ = error("SINEW_MEMORY_LIMIT"_code, Failure::limit, {{}, {}, at}, "the list of chunks",
                     (contents_.chunk_list.size() + 1) * sizeof(Chunk), limits_.memory);
      return false;
    }
    const std::uint64_t stored = number<std::uint64_t>(at + 8);
    if ((stored & top_bit) != 0) return fail(finding_at("G4MF_BIN_CHUNK_SIZE_TOP_BIT"_code, at, stored));
    const std::uint64_t data = at + g4b_header_size;
    const std::uint64_t there = std::min(stored, size() - data);
    Chunk chunk{number<std::uint32_t>(at), number<std::uint32_t>(at + 4), {bytes(data, there), file_.owner}, at};
    check(chunk);
    if (there < stored) {
      sink_.add(finding_at("G4MF_BIN_CHUNK_TOO_LONG"_code, at, there, stored));
      if (chunk.type == Chunk::json && !cut_json_) cut_json_ = contents_.chunk_list.size();
    }
    contents_.chunk_list.push_back(std::move(chunk));
    return true;
  }

  void check(const Chunk& chunk) {
    if (chunk.offset % alignment != 0) sink_.add(finding_at("G4MF_BIN_CHUNK_UNALIGNED"_code, chunk.offset, chunk.offset % alignment));
    if (chunk.type != Chunk::json && chunk.type != Chunk::blob) {
      sink_.add(finding_at("G4MF_BIN_UNKNOWN_CHUNK_TYPE"_code, chunk.offset, chunk.type));
      if (!printable(chunk.type)) sink_.add(finding_at("G4MF_BIN_CHUNK_TYPE_NOT_PRINTABLE"_code, chunk.offset, chunk.type));
    }
    switch (chunk.compression) {
      case Chunk::uncompressed:
        break;
      case Chunk::zstd:
        if (!is_zstd_frame(chunk.data.view))
          sink_.add(finding_at("G4MF_BIN_ZSTD_NO_FRAME_MAGIC"_code, chunk.offset,
                               hex(chunk.data.view.first(std::min<std::size_t>(4, chunk.data.view.size())))));
        break;
      case compression_reserved:
        sink_.add(finding_at("G4MF_BIN_COMPRESSION_RESERVED"_code, chunk.offset));
        break;
      default:
        sink_.add(finding_at("G4MF_BIN_COMPRESSION_UNSUPPORTED"_code, chunk.offset, chunk.compression));
        if (!printable(chunk.compression))
          sink_.add(finding_at("G4MF_BIN_COMPRESSION_NOT_PRINTABLE"_code, chunk.offset, chunk.compression));
    }
  }

  /// Returns the position of the next header: the next multiple of 16, or before that, a header with a known type, because some writers pad
  /// to 4 or 8 bytes or not at all. Checks the padding.
  std::uint64_t behind_padding(const Chunk& chunk, std::uint64_t end) {
    const std::uint64_t first = chunk.offset + g4b_header_size + chunk.data.view.size();
    const std::uint64_t next = std::min(aligned(first), std::max(first, end));
    const bool spaces = chunk.type == Chunk::json && chunk.compression == Chunk::uncompressed;
    bool reported = false;
    for (std::uint64_t at = first; at < next; ++at) {
      if (size() - at >= g4b_header_size) {
        const auto type = number<std::uint32_t>(at);
        if (type == Chunk::json || type == Chunk::blob) return at;
      }
      const auto byte = std::to_integer<unsigned>(file_.view[static_cast<std::size_t>(at)]);
      if (byte == (spaces ? 0x20u : 0u) || std::exchange(reported, true)) continue;
      sink_.add(spaces ? finding_at("G4MF_BIN_PADDING_NOT_SPACE"_code, at, byte) : finding_at("G4MF_BIN_PADDING_NOT_ZERO"_code, at, byte));
    }
    return next;
  }

  [[nodiscard]] Result<> read_json() {
    const std::vector<Chunk>& chunks = contents_.chunk_list;
    const auto found = std::ranges::find(chunks, Chunk::json, &Chunk::type);
    if (found == chunks.end()) {
      fail(finding_at("G4MF_BIN_NO_JSON_CHUNK"_code, g4b_header_size, chunks.size()));
      return Unexpected(std::move(*error_));
    }
    const Place place{{}, {}, found->offset};
    if (cut_json_ == static_cast<std::size_t>(found - chunks.begin()))
      return Unexpected(
          error("G4MF_BIN_CHUNK_TOO_LONG"_code, Failure::input, place, found->data.view.size(), number<std::uint64_t>(found->offset + 8)));
    std::span<const std::byte> text = found->data.view;
    contents_.json_offset = found->offset + g4b_header_size;
    if (found->compression == Chunk::zstd) {
      auto decompressed = zstd_decompress(text, std::min({limits_.json_size, limits_.memory, most_decoded(text.size(), limits_)}),
                                          Surplus::refuse, memory_);
      if (!decompressed) return Unexpected(in_chunk(std::move(decompressed.error()), place, text.size()));
      contents_.decompressed_json = std::move(decompressed->bytes);
      contents_.json_offset.reset();
      text = contents_.decompressed_json.view;
    } else if (found->compression == compression_reserved) {
      return Unexpected(error("G4MF_BIN_COMPRESSION_RESERVED"_code, Failure::input, place));
    } else if (found->compression != Chunk::uncompressed) {
      return Unexpected(error("G4MF_BIN_COMPRESSION_UNSUPPORTED"_code, Failure::unsupported, place, found->compression));
    }
    contents_.json = {reinterpret_cast<const char*>(text.data()), text.size()};
    return {};
  }

  // Errors of decompression are findings, too, except the magic, which was checked for all chunks.
  [[nodiscard]] Error in_chunk(Error error, const Place& place, std::uint64_t stored) {
    if (error.code == "SINEW_ZSTD_TOO_LARGE") {
      if (const std::uint64_t most = most_decoded(stored, limits_); most < std::min(limits_.json_size, limits_.memory))
        return sinew::error("SINEW_EXPANSION_LIMIT"_code, Failure::limit, place, stored, format_text("over {}", most), most);
      const bool memory = limits_.memory < limits_.json_size;
      return sinew::error("SINEW_JSON_LIMIT"_code, Failure::limit, place, "the decompressed length",
                          memory ? limits_.memory : limits_.json_size, memory ? "memory" : "json_size");
    }
    error.place = place;
    if (error.failure == Failure::input && error.code != "G4MF_BIN_ZSTD_NO_FRAME_MAGIC") {
      const CatalogueRow& row = *find_code(error.code);
      sink_.add({row.code, row.severity, {}, place.offset, error.message});
    }
    return error;
  }

  const Bytes& file_;
  const Limits& limits_;
  MemoryResource* memory_;
  CappedSink sink_;
  std::uint64_t declared_ = 0;
  std::optional<std::size_t> cut_json_;
  Contents contents_;
  std::optional<Error> error_;
};

}  // namespace

Result<Contents> read_g4b(const Bytes& file, const OpenOptions& options, FindingSink& sink) { return G4bReader(file, options, sink).run(); }

void check_g4b_json_chunk(std::span<const Chunk> chunks, FindingSink& sink) {
  const auto found = std::ranges::find(chunks, Chunk::json, &Chunk::type);
  if (found == chunks.end()) return;
  if (found != chunks.begin()) sink.add(finding_at("G4MF_BIN_FIRST_CHUNK_NOT_JSON"_code, chunks.front().offset, chunks.front().type));
  if (found->compression != Chunk::uncompressed) sink.add(finding_at("G4MF_BIN_JSON_CHUNK_COMPRESSED"_code, found->offset));
}

}  // namespace sinew::document

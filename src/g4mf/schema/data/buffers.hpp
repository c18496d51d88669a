// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "g4mf/schema/data/reader.hpp"

namespace sinew::g4mf {

struct View {
  Bytes bytes;
  std::uint64_t offset = 0;  ///< in its buffer
};

/// The file's buffers and buffer views. Fetches and decompresses a buffer on first use.
class Buffers {
 public:
  explicit Buffers(Reader& reader);

  [[nodiscard]] const Checked<View>& view(Index index);
  /// A buffer as stored, for writers that copy it.
  struct Packed {
    Bytes bytes;
    std::uint32_t format = 0;      ///< compression format, as in chunk headers
    const Chunk* chunk = nullptr;  ///< the chunk; null: the buffer has a URI
    std::uint64_t length = 0;      ///< uncompressed
  };
  [[nodiscard]] Checked<Packed> packed(Index buffer);
  /// Reports problems of the order and the use of chunks.
  void check_chunks();
  /// Fetches all buffers, so that everything wrong with them is reported.
  void fetch_all();

 private:
  /// Where the bytes of a buffer come from: a URI, or a chunk of the container.
  struct Stored {
    JsonValue value;
    std::uint64_t length = 0;
    JsonValue uri;
    const Chunk* chunk = nullptr;
    JsonValue compression;
    std::uint32_t format = 0;  ///< compression format, as in chunk headers
    std::optional<Checked<Bytes>> bytes;
  };

  void read_buffer(JsonValue value);
  [[nodiscard]] Checked<> find_source(const BufferObject& object, std::size_t index, Stored& stored);
  [[nodiscard]] Checked<const Chunk*> find_chunk(const BufferObject& object, std::size_t index);
  [[nodiscard]] Checked<std::uint32_t> read_format(JsonValue compression);
  void report_plain(JsonValue at);
  void check_uri(const BufferObject& object, std::size_t index);
  void check_escapes(JsonValue compression);
  [[nodiscard]] const Checked<Bytes>& bytes(Index buffer);
  [[nodiscard]] Checked<Bytes> fetch(const Stored& stored);
  [[nodiscard]] Checked<Bytes> fetch_packed(const Stored& stored);
  [[nodiscard]] Checked<Bytes> fetch_uri(JsonValue uri);
  [[nodiscard]] Checked<Bytes> decode_data_uri(JsonValue uri, std::string_view text);
  [[nodiscard]] Checked<Bytes> decompress(const Stored& stored, const Bytes& bytes);
  [[nodiscard]] Checked<View> read_view(JsonValue value);

  Reader& reader_;
  std::vector<Stored> buffers_;
  std::vector<JsonValue> views_;
  std::vector<std::optional<Checked<View>>> view_bytes_;
  bool uri_seen_ = false;
};

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#include "g4mf/schema/data/buffers.hpp"

#include <algorithm>

#include "document/container/zstd.hpp"
#include "document/files/uri.hpp"

namespace sinew::g4mf {

Buffers::Buffers(Reader& reader) : reader_(reader), views_(list_of(reader.root()["bufferViews"])), view_bytes_(views_.size()) {
  buffers_.reserve(reader.count(Reference::buffer));
  for (const JsonValue value : reader.root()["buffers"].elements()) read_buffer(value);
}

void Buffers::read_buffer(JsonValue value) {
  Stored& stored = buffers_.emplace_back();
  stored.value = value;
  const auto object = reader_.object<BufferObject>(value);
  if (object.defect()) {
    stored.bytes = reader_.refuse(object);
    return;
  }
  stored.length = object.integer("byteLength");
  if (auto found = find_source(object, buffers_.size() - 1, stored); !found) stored.bytes = Refused(found.error());
}

Checked<> Buffers::find_source(const BufferObject& object, std::size_t index, Stored& stored) {
  stored.uri = object["uri"];
  stored.compression = object["encoding"];
  if (stored.compression) {
    const auto format = read_format(stored.compression);
    if (!format) return Refused(format.error());
    stored.format = *format;
  }
  if (stored.uri) {
    uri_seen_ = true;
    check_uri(object, index);
    if (object.has("chunk")) reader_.report("G4MF_BUFFER_CHUNK_AND_URI"_code, object.value());
    return {};
  }
  const auto chunk = find_chunk(object, index);
  if (!chunk) return Refused(chunk.error());
  stored.chunk = *chunk;
  if (stored.chunk->type != Chunk::blob) reader_.report("G4MF_BIN_BUFFER_CHUNK_NOT_BLOB"_code, object.value());
  if (stored.chunk->compression != stored.format) {
    const JsonValue at = stored.compression ? stored.compression : object.value();
    const bool current = reader_.revision() == Revision::r2026_07;
    reader_.report(current ? "G4MF_BIN_ENCODING_MISMATCH"_code : "G4MF_BIN_COMPRESSION_MISMATCH"_code, at);
    if (stored.compression && stored.chunk->compression == Chunk::uncompressed) report_plain(at);
    stored.format = stored.chunk->compression;  // the header beside the bytes counts
  }
  if (stored.format != Chunk::uncompressed && stored.format != Chunk::zstd)
    return reader_.refuse("G4MF_BIN_COMPRESSION_UNSUPPORTED"_code, object.value(), stored.format);
  return {};
}

// Chunk 0 is the JSON text. Without an explicit index, buffer i is chunk i + 1, for the leading buffers without a URI ("Binary file
// format"; the data part mentions only the first buffer).
Checked<const Chunk*> Buffers::find_chunk(const BufferObject& object, std::size_t index) {
  const auto chunks = reader_.document().chunk_list();
  const JsonValue named = object["chunk"];
  if (reader_.document().container() != Container::g4b) {
    if (named) return reader_.refuse("G4MF_BUFFER_CHUNK_IN_TEXT"_code, named);
    return reader_.refuse("G4MF_BUFFER_NO_URI_TEXT"_code, object.value());
  }
  if (named) {
    const std::uint64_t chunk = object.integer("chunk");
    if (chunk >= chunks.size()) return reader_.refuse("G4MF_BUFFER_CHUNK_RANGE"_code, named, chunk, chunks.size());
    return &chunks[chunk];
  }
  if (reader_.revision() == Revision::r2026_07)
    reader_.report("G4MF_BUFFER_NO_SOURCE"_code, object.value());
  else if (uri_seen_)
    reader_.report("G4MF_BIN_BUFFER_CHUNKS_NOT_CONTIGUOUS"_code, object.value());
  if (index + 1 >= chunks.size()) return reader_.refuse("G4MF_BIN_BUFFER_CHUNK_MISSING"_code, object.value(), index + 1, chunks.size());
  return &chunks[index + 1];
}

// In a binary file of an old revision the index of a buffer determines its chunk, with or without a URI.
void Buffers::check_uri(const BufferObject& object, std::size_t index) {
  const JsonValue uri = object["uri"];
  const std::string text = uri.string();
  const auto chunks = reader_.document().chunk_list();
  if (reader_.revision() == Revision::r2025_08 && !is_data_uri(text) && !scheme_of(text).empty())
    reader_.report("G4MF_BUFFER_URI_NOT_RELATIVE"_code, uri, excerpt(uri));
  if (reader_.revision() != Revision::r2026_07 && index + 1 < chunks.size() && chunks[index + 1].type == Chunk::blob)
    reader_.report("G4MF_BUFFER_URI_WITH_CHUNK"_code, uri, index + 1);
}

void Buffers::report_plain(JsonValue at) {
  const bool current = reader_.revision() == Revision::r2026_07;
  reader_.report(current ? "G4MF_BUFFER_ENCODING_FOR_PLAIN"_code : "G4MF_BUFFER_COMPRESSION_FOR_UNCOMPRESSED"_code, at);
}

// Only printable ASCII may be unescaped; in 2025-08, U+00A0 to U+00FF, too.
void Buffers::check_escapes(JsonValue compression) {
  const std::string_view text = compression.text();
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x7F) continue;
    const unsigned character = byte == 0x7F ? byte : (byte & 3u) << 6 | (static_cast<unsigned char>(text[i + 1]) & 0x3Fu);
    if (reader_.revision() == Revision::r2025_08 && character >= 0xA0) continue;
    if (reader_.revision() == Revision::r2026_07)
      reader_.report("G4MF_BUFFER_ENCODING_FORMAT"_code, compression, excerpt(compression));
    else
      reader_.report("G4MF_BUFFER_COMPRESSION_NOT_ESCAPED"_code, compression, character);
    return;
  }
}

// Four characters from U+0000 to U+00FF are the bytes of a chunk header.
Checked<std::uint32_t> Buffers::read_format(JsonValue compression) {
  const std::string text = compression.string();
  std::vector<std::uint32_t> characters;
  for (std::size_t i = 0; i < text.size() && characters.size() <= 4; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80)
      characters.push_back(byte);
    else if ((byte == 0xC2 || byte == 0xC3) && i + 1 < text.size())
      characters.push_back((byte & 3u) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3Fu));
    else
      characters.resize(5);
  }
  const bool current = reader_.revision() == Revision::r2026_07;
  if (characters.size() != 4) {
    if (current) return reader_.refuse("G4MF_BUFFER_ENCODING_FORMAT"_code, compression, excerpt(compression));
    return reader_.refuse("G4MF_BUFFER_COMPRESSION_FORMAT"_code, compression, excerpt(compression), "four characters");
  }
  check_escapes(compression);
  if (current && std::ranges::any_of(characters, [](std::uint32_t c) { return c < 0x20 || c > 0x7E; }))
    reader_.report("G4MF_BUFFER_ENCODING_NOT_ASCII"_code, compression, excerpt(compression));
  const std::uint32_t format = characters[0] | characters[1] << 8 | characters[2] << 16 | characters[3] << 24;
  if (format == Chunk::uncompressed) report_plain(compression);
  if (format == Chunk::zstd || format == Chunk::uncompressed) return format;
  if (current) return reader_.refuse("G4MF_BUFFER_ENCODING_UNSUPPORTED"_code, compression, excerpt(compression));
  return reader_.refuse("G4MF_BUFFER_COMPRESSION_UNSUPPORTED"_code, compression, excerpt(compression));
}

const Checked<Bytes>& Buffers::bytes(Index buffer) {
  Stored& stored = buffers_[buffer];
  if (!stored.bytes) stored.bytes = fetch(stored);
  return *stored.bytes;
}

Checked<Buffers::Packed> Buffers::packed(Index buffer) {
  const Stored& stored = buffers_[buffer];
  if (stored.bytes && !*stored.bytes) return Refused(stored.bytes->error());
  auto bytes = fetch_packed(stored);
  if (!bytes) return Refused(bytes.error());
  return Packed{std::move(*bytes), stored.format, stored.chunk, stored.length};
}

Checked<Bytes> Buffers::fetch_packed(const Stored& stored) {
  return stored.chunk != nullptr ? Checked<Bytes>(stored.chunk->data) : fetch_uri(stored.uri);
}

Checked<Bytes> Buffers::fetch(const Stored& stored) {
  Checked<Bytes> bytes = fetch_packed(stored);
  if (bytes && stored.format != Chunk::uncompressed) bytes = decompress(stored, *bytes);
  if (!bytes) return bytes;
  const std::uint64_t size = bytes->view.size();
  // The existing bytes can be used. Views that reach beyond them are refused one by one.
  if (size < stored.length)
    reader_.report("G4MF_BUFFER_TOO_SHORT"_code, stored.value, size, stored.length);
  else if (size - stored.length > 15)  // "a few bytes" may follow; a chunk has at most 15 bytes of padding
    reader_.report("G4MF_BUFFER_TOO_LONG"_code, stored.value, size, stored.length);
  bytes->view = bytes->view.first(std::min(size, stored.length));
  return bytes;
}

Checked<Bytes> Buffers::decode_data_uri(JsonValue uri, std::string_view text) {
  if (reader_.document().container() == Container::g4b) reader_.report("G4MF_BUFFER_DATA_URI_IN_BINARY"_code, uri);
  auto decoded = document::decode_data_uri(text, reader_.memory_left(), DataUriRules::g4mf, reader_.memory());
  if (!decoded && decoded.error().failure == Failure::input && reader_.forced()) {
    reader_.report(uri, decoded.error());
    decoded = document::decode_data_uri(text, reader_.memory_left(), DataUriRules::any, reader_.memory());
  }
  if (!decoded) return reader_.refuse(uri, decoded.error());
  if (auto taken = reader_.take(uri, decoded->view.size(), 1); !taken) return Refused(taken.error());
  return std::move(*decoded);
}

Checked<Bytes> Buffers::fetch_uri(JsonValue uri) {
  const std::string text = uri.string();
  if (is_data_uri(text)) return decode_data_uri(uri, text);
  auto fetched = reader_.document().fetch(text);
  if (fetched) {
    if (auto taken = reader_.take_file(uri, *fetched); !taken) return Refused(taken.error());
    return std::move(*fetched);
  }
  if (fetched.error().code == "IO_ERROR") return reader_.refuse("G4MF_BUFFER_URI_NOT_FOUND"_code, uri, fetched.error().message);
  return reader_.refuse(uri, fetched.error());
}

Checked<Bytes> Buffers::decompress(const Stored& stored, const Bytes& bytes) {
  const JsonValue at = stored.compression ? stored.compression : stored.value;
  if (auto taken = reader_.take_decoded(at, bytes.view.size(), stored.length, 1); !taken) return Refused(taken.error());
  auto content = zstd_decompress(bytes.view, stored.length, Surplus::drop, reader_.memory());
  if (!content) return reader_.refuse(at, content.error());
  return std::move(content->bytes);
}

const Checked<View>& Buffers::view(Index index) {
  auto& stored = view_bytes_[index];
  if (!stored) stored = read_view(views_[index]);
  return *stored;
}

Checked<View> Buffers::read_view(JsonValue value) {
  const auto object = reader_.object<BufferViewObject>(value);
  if (object.defect()) return reader_.refuse(object);
  const std::uint64_t offset = object.integer("byteOffset"), length = object.integer("byteLength");
  Index buffer = 0;
  if (object.has("buffer")) {
    const auto named = reader_.resolve(object, "buffer");
    if (!named) return Refused(named.error());
    buffer = *named;
  } else {
    if (reader_.revision() == Revision::r2025_08) reader_.report("G4MF_BUFFER_VIEW_BUFFER_MISSING"_code, value);
    if (buffers_.empty())
      return reader_.refuse("G4MF_BUFFER_VIEW_BUFFER_RANGE"_code, value, buffer, buffers_.size(), array_name(Reference::buffer));
  }
  const auto end = checked_add(offset, length);
  const auto too_long = [&](std::uint64_t size) {
    const JsonValue place = offset >= size && object.has("byteOffset") ? object["byteOffset"] : object["byteLength"];
    return reader_.refuse("G4MF_BUFFER_VIEW_TOO_LONG"_code, place, offset, length, buffer, size);
  };
  if (!buffers_[buffer].bytes || *buffers_[buffer].bytes)  // otherwise the error of the buffer is returned below
    if (!end || *end > buffers_[buffer].length) return too_long(buffers_[buffer].length);
  const Checked<Bytes>& found = bytes(buffer);
  if (!found) return Refused(found.error());
  if (*end > found->view.size()) return too_long(found->view.size());
  return View{{found->view.subspan(offset, length), found->owner}, offset};
}

void Buffers::check_chunks() {
  const auto chunks = reader_.document().chunk_list();
  const auto used = [&](const Chunk& chunk) {
    return std::ranges::any_of(buffers_, [&](const Stored& stored) { return stored.chunk == &chunk; });
  };
  const auto first_json = std::ranges::find(chunks, Chunk::json, &Chunk::type);
  for (auto chunk = chunks.begin(); chunk != chunks.end(); ++chunk) {
    if (chunk->type == Chunk::blob && !used(*chunk)) reader_.sink().add(finding_at("G4MF_BIN_BLOB_UNUSED"_code, chunk->offset));
    // Up to 2026-01, chunks before the last blob are read as buffers.
    if (reader_.revision() == Revision::r2026_07 || chunk == first_json || chunk->type == Chunk::blob || !used(*chunk)) continue;
    if (std::ranges::find(chunk, chunks.end(), Chunk::blob, &Chunk::type) != chunks.end())
      reader_.sink().add(finding_at("G4MF_BIN_CUSTOM_CHUNK_BEFORE_BUFFERS"_code, chunk->offset));
  }
}

void Buffers::fetch_all() {
  for (Index i = 0; i < views_.size(); ++i) static_cast<void>(view(i));
  for (Index i = 0; i < buffers_.size(); ++i) static_cast<void>(bytes(i));
}

}  // namespace sinew::g4mf

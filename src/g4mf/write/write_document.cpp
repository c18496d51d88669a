// SPDX-License-Identifier: MIT
#include "g4mf/write/write_document.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/path_text.hpp"
#include "document/container/zstd.hpp"
#include "document/files/uri.hpp"
#include "document/json/json_edit.hpp"
#include "g4mf/write/editor.hpp"

namespace sinew::g4mf {

namespace {

/// Data URIs and paths are read; URIs with another scheme stay unchanged.
bool is_web_uri(std::string_view uri) { return !scheme_of(uri).empty() && !is_data_uri(uri); }

class Rewriter {
 public:
  Rewriter(const Document& document, const RewriteOptions& options, FindingSink& sink, FindingSink& losses)
      : document_(document),
        options_(options),
        losses_(losses),
        reader_(document, sink, model_, {.force = false, .revision = options.revision}),
        buffers_(reader_),
        root_(document.json().root()) {}

  Result<> run(const ByteSink& out) {
    if (!root_.is(JsonKind::object)) return Unexpected(model_.defects[reader_.refuse(reader_.root()).value().index]);
    if (auto done = place_buffers(); !done) return done;
    place_other_chunks();
    const std::string text = root_.text();
    if (options_.container == Container::g4b) return write_g4b(text, chunks_, out);
    return out(std::as_bytes(std::span(text)));
  }

 private:
  using Packed = Buffers::Packed;

  Result<> place_buffers() {
    JsonEdit* list = root_.find("buffers");
    if (list == nullptr || !list->is(JsonKind::array)) return {};
    const std::vector<JsonValue> sources = list_of(document_.json().root()["buffers"]);
    bool leading = true;  // no buffer before this one keeps its URI
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (is_web_uri(sources[i]["uri"].string())) {
        leading = false;
        continue;
      }
      auto packed = buffers_.packed(static_cast<Index>(i));
      if (!packed) return Unexpected(model_.defects[packed.error().index]);
      if (auto done = pack_as_wanted(*packed, sources[i]); !done) return done;
      place(list->at(i), *packed, leading);
    }
    return {};
  }

  Result<> pack_as_wanted(Packed& packed, JsonValue source) {
    if (!options_.format || *options_.format == packed.format) return {};
    const auto failed = [&](Error error) {
      error.place = {path_text(document_.path()), source.pointer(), {}};
      return Unexpected(std::move(error));
    };
    if (packed.format == Chunk::zstd) {
      auto content = unpacked(reader_, packed, source, 1);
      if (!content) return failed(std::move(content.error()));
      packed.bytes = std::move(*content);
    } else {
      if (packed.bytes.view.size() < packed.length) return {};  // shorter than it says: nothing reads such a frame
      const auto content = packed.bytes.view.first(static_cast<std::size_t>(packed.length));
      auto frame = zstd_compress(content);
      if (!frame) return failed(std::move(frame.error()));
      const auto owner = std::make_shared<std::vector<std::byte>>(std::move(*frame));
      packed.bytes = {*owner, owner};
    }
    packed.format = *options_.format;
    return {};
  }

  // Up to 2026-01 only leading buffers can be in chunks: a buffer after one with a URI needs a URI, too ("Binary file format").
  void place(JsonEdit& object, const Packed& packed, bool leading) {
    if (packed.chunk != nullptr) used_.insert(packed.chunk);
    const bool current = reader_.revision() == Revision::r2026_07;
    const std::string_view name = current ? "encoding" : "compression";
    object.rename(current ? "compression" : "encoding", name);
    if (packed.format != Chunk::uncompressed)
      object.set(name, JsonEdit::string("Zstd"));
    else
      object.erase(name);
    if (options_.container == Container::g4b && (current || leading)) {
      object.erase("uri");
      const std::size_t chunk = place_chunk(packed, current);
      if (current)
        object.set("chunk", JsonEdit::integer(chunk));
      else
        object.erase("chunk");
    } else {
      object.erase("chunk");
      object.set("uri", JsonEdit::string(octet_stream_uri(packed.bytes.view)));
    }
  }

  // Buffers that share a chunk still share it if the revision has `chunk`.
  std::size_t place_chunk(const Packed& packed, bool shared) {
    const std::size_t next = chunks_.size() + 1;  // the JSON text is chunk 0
    if (packed.chunk != nullptr && shared) {
      const auto [placed, added] = placed_.emplace(packed.chunk, next);
      if (!added && std::ranges::equal(chunks_[placed->second - 1].data, packed.bytes.view)) return placed->second;
    }
    kept_.push_back(packed.bytes);
    chunks_.push_back({packed.bytes.view, packed.format, Chunk::blob});
    return next;
  }

  void place_other_chunks() {
    const auto list = document_.chunk_list();
    const auto json = std::ranges::find(list, Chunk::json, &Chunk::type);
    for (auto chunk = list.begin(); chunk != list.end(); ++chunk) {
      if (chunk == json || used_.contains(&*chunk)) continue;
      if (options_.container == Container::g4b)
        chunks_.push_back({chunk->data.view, chunk->compression, chunk->type});
      else
        losses_.add(finding("SINEW_CONVERT_CHUNK_LOST"_code, "", chunk - list.begin(), chunk->type, chunk->data.view.size()));
    }
  }

  const Document& document_;
  const RewriteOptions& options_;
  FindingSink& losses_;
  Model model_;
  Reader reader_;
  Buffers buffers_;
  JsonEdit root_;
  std::vector<Bytes> kept_;
  std::vector<StoredChunk> chunks_;
  std::set<const Chunk*> used_;                 ///< by buffers
  std::map<const Chunk*, std::size_t> placed_;  ///< their numbers in the new file
};

}  // namespace

Result<> rewrite(const Document& document, const RewriteOptions& options, const ByteSink& out, FindingSink& sink, FindingSink& losses) {
  return Rewriter(document, options, sink, losses).run(out);
}

}  // namespace sinew::g4mf

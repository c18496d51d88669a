// SPDX-License-Identifier: MIT
// Codes and offsets are those of the Khronos glTF-Validator. Findings about a chunk are placed at its header.
#include <optional>

#include "base/catalogue.hpp"
#include "document/container/capped_sink.hpp"
#include "document/container/container.hpp"

namespace sinew::document {
namespace {

constexpr std::uint32_t magic_gltf = fourcc("glTF");
constexpr std::uint32_t type_json = fourcc("JSON");
constexpr std::uint32_t type_bin = fourcc("BIN\0");
constexpr std::uint64_t glb_header_size = 12;
constexpr std::uint64_t chunk_header_size = 8;

class GlbReader {
 public:
  GlbReader(const Bytes& file, FindingSink& sink) : file_(file), sink_(sink) {}

  [[nodiscard]] Result<Contents> run() {
    if (read_header()) read_chunks();
    if (json_) {
      contents_.json = {reinterpret_cast<const char*>(json_->data()), json_->size()};
      return std::move(contents_);
    }
    return Unexpected(error_from(*first_error_, {}));
  }

 private:
  [[nodiscard]] std::uint64_t size() const { return file_.view.size(); }

  // Precondition: the file has four bytes at `at`.
  [[nodiscard]] std::uint32_t u32(std::uint64_t at) const {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = (value << 8) | std::to_integer<std::uint32_t>(file_.view[static_cast<std::size_t>(at) + i]);
    return value;
  }

  void add(Finding found) {
    if (!first_error_ && found.severity == Severity::error) first_error_ = found;
    sink_.add(std::move(found));
  }

  /// Reports a finding that stops reading.
  bool fail(Finding found) {
    add(std::move(found));
    return false;
  }

  // Returns false if nothing can follow.
  bool read_header() {
    if (size() < glb_header_size) return fail(finding_at("GLB_UNEXPECTED_END_OF_HEADER"_code, size()));
    if (u32(0) != magic_gltf) return fail(finding_at("GLB_INVALID_MAGIC"_code, 0, u32(0)));
    if (u32(4) != 2) return fail(finding_at("GLB_INVALID_VERSION"_code, 4, u32(4)));
    declared_ = u32(8);
    if (declared_ <= glb_header_size) add(finding_at("GLB_LENGTH_TOO_SMALL"_code, 8, declared_));
    return true;
  }

  // Reads chunks beyond the declared length, too: a wrong length alone does not make the file unreadable.
  void read_chunks() {
    std::uint64_t at = glb_header_size;
    bool beyond = false;  // a chunk starts after the declared end
    for (std::uint64_t index = 0; at != declared_; ++index) {
      if (at == size()) {
        Finding found = finding_at("GLB_LENGTH_MISMATCH"_code, at, declared_, size());
        return declared_ > size() || beyond ? end_early(std::move(found)) : add(std::move(found));
      }
      if (size() - at < chunk_header_size) return end_early(finding_at("GLB_UNEXPECTED_END_OF_CHUNK_HEADER"_code, size()));
      beyond |= at > declared_;
      const std::uint64_t data = at + chunk_header_size;
      const std::uint64_t length = u32(at);
      const bool cut = length > size() - data;
      read_chunk({at, u32(at + 4), index, length, file_.view.subspan(data, cut ? size() - data : length), cut});
      if (cut) {
        end_early(finding_at("GLB_UNEXPECTED_END_OF_CHUNK_DATA"_code, size(), size() - data, length));
        // A wrong length, not only a file whose end is missing.
        if (data + length > declared_) contents_.cut = finding_at("GLB_CHUNK_TOO_BIG"_code, at, u32(at + 4), length);
        return;
      }
      at = data + length;
    }
    if (at < size()) add(finding_at("GLB_EXTRA_DATA"_code, at, size() - at));
  }

  void end_early(Finding found) {
    contents_.cut = found;
    add(std::move(found));
  }

  struct Chunk {
    std::uint64_t at;
    std::uint32_t type;
    std::uint64_t index;
    std::uint64_t length;
    std::span<const std::byte> data;  ///< may be shorter than `length`
    bool cut;
  };

  void read_chunk(const Chunk& chunk) {
    if (chunk.length % 4 != 0) add(finding_at("GLB_CHUNK_LENGTH_UNALIGNED"_code, chunk.at, chunk.type, chunk.length));
    if (chunk.at + chunk_header_size + chunk.length > declared_)
      add(finding_at("GLB_CHUNK_TOO_BIG"_code, chunk.at, chunk.type, chunk.length));
    if (chunk.index == 0 && chunk.type != type_json) add(finding_at("GLB_UNEXPECTED_FIRST_CHUNK"_code, chunk.at, chunk.type));
    if (chunk.type == type_json)
      read_json(chunk);
    else if (chunk.type == type_bin)
      read_bin(chunk);
    else
      add(finding_at("GLB_UNKNOWN_CHUNK_TYPE"_code, chunk.at, chunk.type));
  }

  void read_json(const Chunk& chunk) {
    if (chunk.length == 0) add(finding_at("GLB_EMPTY_CHUNK"_code, chunk.at, chunk.type));
    if (seen_json_) return add(finding_at("GLB_DUPLICATE_CHUNK"_code, chunk.at, chunk.type));
    seen_json_ = true;
    if (chunk.cut || (chunk.length == 0 && chunk.at + chunk_header_size >= declared_)) return;  // before another chunk: an empty text
    json_ = chunk.data;
    contents_.json_offset = chunk.at + chunk_header_size;
  }

  void read_bin(const Chunk& chunk) {
    const bool seen = !contents_.chunks.empty();
    if (chunk.index > 1 && !seen) add(finding_at("GLB_UNEXPECTED_BIN_CHUNK"_code, chunk.at));
    if (chunk.length == 0) add(finding_at("GLB_EMPTY_BIN_CHUNK"_code, chunk.at));
    if (seen) return add(finding_at("GLB_DUPLICATE_CHUNK"_code, chunk.at, chunk.type));
    contents_.chunks.push_back({chunk.data, file_.owner});
  }

  const Bytes& file_;
  CappedSink sink_;
  std::uint64_t declared_ = 0;
  bool seen_json_ = false;
  std::optional<std::span<const std::byte>> json_;
  Contents contents_;
  std::optional<Finding> first_error_;
};

}  // namespace

Result<Contents> read_glb(const Bytes& file, FindingSink& sink) { return GlbReader(file, sink).run(); }

}  // namespace sinew::document

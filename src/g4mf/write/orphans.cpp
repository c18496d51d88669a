// SPDX-License-Identifier: MIT
#include "document/schema/orphans.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "document/container/zstd.hpp"
#include "document/files/uri.hpp"
#include "document/schema/edited.hpp"
#include "g4mf/schema/data/buffers.hpp"
#include "g4mf/extensions/references.hpp"
#include "g4mf/write/editor.hpp"
#include "g4mf/write/update.hpp"

namespace sinew::g4mf {

namespace {

const ReferenceScheme& scheme = reference_scheme();

class Removal {
 public:
  Removal(const Document& document, Revision revision, ElementFlags gone, bool all)
      : document_(document),
        revision_(revision),
        gone_(std::move(gone)),
        all_(all),
        reading_(document, {.force = false, .revision = revision}),
        root_(document.json().root()),
        chunks_(document.chunk_list().begin(), document.chunk_list().end()),
        sources_(list_of(document.json().root()["buffers"])),
        views_(list_of(document.json().root()["bufferViews"])) {}

  Result<std::shared_ptr<const Document>> run() {
    std::vector<std::optional<Buffers::Packed>> packed;
    for (Index i = 0; i < sources_.size(); ++i) {
      auto one = reading_.buffers.packed(i);
      packed.push_back(one ? std::optional(std::move(*one)) : std::nullopt);
    }
    remove_elements(root_, document_.json().root(), scheme, gone_);
    for (std::size_t i = 0; i < packed.size(); ++i)
      if (packed[i] && !goes(i))
        if (auto done = compact(i, *packed[i], packed); !done) return Unexpected(std::move(done.error()));
    place_chunks(packed);
    return with_chunks(document_, root_.text(), std::move(chunks_));
  }

 private:
  [[nodiscard]] bool goes(std::size_t buffer) const { return gone_[scheme.buffer][buffer]; }
  [[nodiscard]] JsonEdit& edit_of(std::size_t buffer) {
    const auto& gone = gone_[scheme.buffer];
    const auto before = std::count(gone.begin(), gone.begin() + static_cast<std::ptrdiff_t>(buffer), true);
    return root_.find("buffers")->at(buffer - static_cast<std::size_t>(before));
  }
  [[nodiscard]] std::size_t chunk_number(const Buffers::Packed& packed) const {
    return static_cast<std::size_t>(packed.chunk - document_.chunk_list().data());
  }

  /// Removes bytes of a buffer that only removed views use.
  Result<> compact(std::size_t buffer, const Buffers::Packed& packed, const std::vector<std::optional<Buffers::Packed>>& others) {
    const std::vector<bool>& gone = gone_[scheme.view];
    const BufferCompaction compaction = compaction_of(views_, gone, buffer, packed.length, alignment, all_);
    const bool shared = packed.chunk != nullptr &&
                        std::ranges::count_if(others, [&](const auto& other) { return other && other->chunk == packed.chunk; }) > 1;
    if (!compaction.changes() || shared) return {};
    auto content = unpacked(reading_.reader, packed, sources_[buffer], 2);
    if (!content) return Unexpected(std::move(content.error()));
    if (content->view.size() < packed.length) return {};
    std::vector<std::byte> bytes = compaction.apply(content->view.first(packed.length));
    pad_unlike_others(buffer, bytes);
    move_ranges(root_, views_, gone, buffer, compaction);
    return store(buffer, packed, std::move(bytes));
  }

  /// The schemas forbid equal objects, and a buffer in a chunk may have no other member than its length.
  void pad_unlike_others(std::size_t buffer, std::vector<std::byte>& bytes) {
    const auto taken = [&](std::size_t other) {
      return other != buffer && !goes(other) && edit_of(other).find("byteLength") != nullptr &&
             edit_of(other).find("byteLength")->text() == JsonEdit::integer(bytes.size()).text();
    };
    for (std::size_t other = 0; other < sources_.size();)
      if (taken(other)) {
        bytes.resize(bytes.size() + alignment);
        other = 0;
      } else {
        ++other;
      }
  }

  Result<> store(std::size_t buffer, const Buffers::Packed& packed, std::vector<std::byte> bytes) {
    JsonEdit& edit = edit_of(buffer);
    edit.set("byteLength", JsonEdit::integer(bytes.size()));
    if (packed.format == Chunk::zstd) {
      auto frame = zstd_compress(bytes);
      if (!frame) return Unexpected(std::move(frame.error()));
      bytes = std::move(*frame);
    }
    const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    if (packed.chunk != nullptr)
      chunks_[chunk_number(packed)].data = {*owner, owner};
    else
      edit.set("uri", JsonEdit::string(octet_stream_uri(*owner)));
    return {};
  }

  /// Removes the chunks of removed buffers. The other buffers name their chunk if their position does not imply it.
  void place_chunks(const std::vector<std::optional<Buffers::Packed>>& packed) {
    std::vector<bool> drop(chunks_.size()), keep(chunks_.size());
    for (std::size_t i = 0; i < packed.size(); ++i)
      if (packed[i] && packed[i]->chunk != nullptr) (goes(i) ? drop : keep)[chunk_number(*packed[i])] = true;
    std::vector<std::size_t> number(chunks_.size());
    std::size_t next = 0;
    for (std::size_t c = 0; c < chunks_.size(); ++c) number[c] = drop[c] && !keep[c] ? next : next++;
    std::size_t place = 0;
    for (std::size_t i = 0; i < packed.size(); ++i) {
      if (goes(i)) continue;
      ++place;
      if (!packed[i] || packed[i]->chunk == nullptr) continue;
      const std::size_t chunk = number[chunk_number(*packed[i])];
      if (revision_ == Revision::r2026_07 || chunk != place)
        edit_of(i).set("chunk", JsonEdit::integer(chunk));
      else
        edit_of(i).erase("chunk");
    }
    std::vector<Chunk> left;
    for (std::size_t c = 0; c < chunks_.size(); ++c)
      if (!drop[c] || keep[c]) left.push_back(std::move(chunks_[c]));
    chunks_ = std::move(left);
  }

  const Document& document_;
  Revision revision_;
  ElementFlags gone_;
  bool all_;
  QuietReading reading_;
  JsonEdit root_;
  std::vector<Chunk> chunks_;
  std::vector<JsonValue> sources_, views_;
};

}  // namespace

Result<std::shared_ptr<const Document>> without_orphans(const Document* before, const Document& after, Revision revision, bool all) {
  const JsonValue source = after.json().root();
  auto gone = find_orphans(before == nullptr ? JsonValue() : before->json().root(), source, scheme, all);
  if (!any_of(gone) && !all) return std::shared_ptr<const Document>();
  return Removal(after, revision, std::move(gone), all).run();
}

}  // namespace sinew::g4mf

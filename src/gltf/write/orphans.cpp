// SPDX-License-Identifier: MIT
#include "gltf/write/orphans.hpp"

#include <utility>
#include <vector>

#include "document/edited.hpp"
#include "document/reading.hpp"
#include "gltf/schema/references.hpp"
#include "gltf/write/buffer_content.hpp"

namespace sinew::gltf {

using document::BufferCompaction;
using document::ByteRange;
using document::Bytes;
using document::Document;
using document::JsonEdit;
using document::JsonValue;

namespace {

constexpr std::uint64_t alignment = 4;  // of the largest component

/// What the removal of buffer views leaves of the first buffer.
BufferCompaction compaction_of(const std::vector<JsonValue>& views, const std::vector<bool>& gone, std::uint64_t size, bool all) {
  std::vector<ByteRange> kept, free;
  if (all) free.push_back({0, size});
  for (std::size_t i = 0; i < views.size(); ++i)
    for (const document::ViewRange& range : document::ranges_of(views[i]))
      if (range.buffer == 0) (gone[i] ? free : kept).push_back(range.bytes);
  return {size, std::move(kept), std::move(free), alignment};
}

}  // namespace

Result<std::shared_ptr<const Document>> without_orphans(const Document* before, const Document& after, bool all) {
  const document::ReferenceScheme scheme = reference_scheme();
  const JsonValue source = after.json().root();
  const auto gone = document::find_orphans(before == nullptr ? JsonValue() : before->json().root(), source, scheme, all);
  if (!document::any_of(gone) && !all) return std::shared_ptr<const Document>();
  const std::vector<bool>& gone_views = gone[scheme.view];
  const bool first_goes = !gone[scheme.buffer].empty() && gone[scheme.buffer].front();

  JsonEdit root(source);
  document::remove_elements(root, source, scheme, gone);
  auto content = buffer_content(after, 0, BufferFrom::anywhere);
  if (!content) return Unexpected(std::move(content.error()));
  if (!*content || first_goes) return document::with_binary(after, root.text(), first_goes ? std::optional(Bytes{}) : std::nullopt);

  const std::vector<JsonValue> views = document::list_of(source["bufferViews"]);
  const BufferCompaction compaction = compaction_of(views, gone_views, (*content)->view.size(), all);
  if (!compaction.changes()) return document::with_binary(after, root.text(), std::nullopt);
  std::size_t place = 0;
  for (std::size_t i = 0; i < views.size(); ++i)
    if (!gone_views[i]) document::move_ranges(root.find("bufferViews")->at(place++), views[i], 0, compaction);
  const auto bytes = std::make_shared<const std::vector<std::byte>>(compaction.apply((*content)->view));
  JsonEdit& buffer = root.find("buffers")->at(0);
  buffer.erase("uri");
  buffer.set("byteLength", JsonEdit::integer(bytes->size()));
  return document::with_binary(after, root.text(), Bytes{*bytes, bytes});
}

}  // namespace sinew::gltf

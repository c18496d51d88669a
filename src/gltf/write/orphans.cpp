// SPDX-License-Identifier: MIT
#include <optional>
#include <utility>
#include <vector>

#include "document/files/uri.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/references.hpp"
#include "gltf/write/buffer_content.hpp"
#include "gltf/write/joined_buffers.hpp"
#include "gltf/write/update.hpp"
#include "gltf/write/write_buffer.hpp"

namespace sinew::gltf {

namespace {

class Removal {
 public:
  Removal(const Document& document, const ReferenceScheme& scheme, ElementFlags gone, bool all)
      : document_(document), gone_views_(gone[scheme.view]), gone_buffers_(gone[scheme.buffer]), all_(all), root_(source()) {
    remove_elements(root_, source(), scheme, gone);
    changed_ = any_of(gone);
  }

  Result<std::shared_ptr<const Document>> run() {
    if (!gone_buffers_.empty() && gone_buffers_.front()) binary_ = Bytes{};
    std::size_t place = 0;
    for (std::size_t i = 0; i < gone_buffers_.size(); ++i) {
      if (gone_buffers_[i]) continue;
      if (auto done = compact(i, place++); !done) return Unexpected(std::move(done.error()));
    }
    if (!changed_) return std::shared_ptr<const Document>();
    return with_binary(document_, root_.text(), binary_);
  }

 private:
  [[nodiscard]] JsonValue source() const { return document_.json().root(); }

  /// Removes bytes of a buffer that only removed views use. The first buffer becomes the binary chunk; external files are not changed. A
  /// buffer without bytes (a placeholder for decoded bytes) gets a smaller byteLength, too.
  Result<> compact(std::size_t index, std::size_t place) {
    const JsonValue buffer = source()["buffers"].at(static_cast<std::uint32_t>(index));
    const auto size = whole_number(buffer["byteLength"]);
    const bool has_no_bytes = index != 0 && !buffer["uri"];
    if (!size || (index != 0 && !has_no_bytes && !is_data_uri(buffer["uri"].string()))) return {};
    const std::vector<JsonValue> views = list_of(source()["bufferViews"]);
    const BufferCompaction compaction = compaction_of(views, gone_views_, index, *size, alignment, all_);
    if (!compaction.changes()) return {};
    auto content = buffer_content(document_, index, BufferFrom::anywhere);
    if (!content) return Unexpected(std::move(content.error()));
    if (!*content && !has_no_bytes) return {};
    move_ranges(root_, views, gone_views_, index, compaction);
    JsonEdit& edit = root_.find("buffers")->at(place);
    changed_ = true;
    if (has_no_bytes)
      edit.set("byteLength", JsonEdit::integer(compaction.size()));
    else if (auto chunk = set_bytes(edit, compaction.apply((*content)->view), index == 0))
      binary_ = std::move(chunk);
    return {};
  }

  const Document& document_;
  std::vector<bool> gone_views_, gone_buffers_;
  bool all_;
  JsonEdit root_;
  std::optional<Bytes> binary_;
  bool changed_ = false;
};

}  // namespace

Result<std::shared_ptr<const Document>> without_orphans(const Document* before, const Document& after, bool all,
                                                        const std::vector<bool>& kept) {
  const ReferenceScheme scheme = reference_scheme();
  ElementFlags skins(static_cast<std::size_t>(Reference::skin) + 1);
  skins.back() = kept;
  auto gone = find_orphans(before == nullptr ? JsonValue() : before->json().root(), after.json().root(), scheme, all, skins);
  if (!any_of(gone) && !all) return std::shared_ptr<const Document>();
  return Removal(after, scheme, std::move(gone), all).run();
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "document/json/edit_members.hpp"
#include "document/json/json.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/orphans.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/references.hpp"
#include "gltf/schema/tables.hpp"
#include "operations/optimize/pack/accessor_rows.hpp"
#include "operations/optimize/pack/compact.hpp"

namespace sinew::operations {

using document::ByteRange;
using document::Document;
using document::JsonEdit;
using document::JsonValue;
using document::Property;
using gltf::Reference;
using gltf::reference_scheme;

namespace {

constexpr std::uint64_t view_text = 60;  ///< bytes of JSON text of a view, about

class Splitting {
 public:
  explicit Splitting(const std::shared_ptr<const Document>& document)
      : document_(document), root_(source()), accessors_(list_of(source()["accessors"])), views_(list_of(source()["bufferViews"])) {}

  Result<std::shared_ptr<const Document>> run() {
    count_references();
    if (unknown_indices_) return document_;
    std::vector<std::vector<std::size_t>> inside(views_.size());  // the accessors in each view
    for (std::size_t i = 0; i < accessors_.size(); ++i)
      if (const auto rows = accessor_rows(accessors_[i]); rows && rows->view < views_.size()) inside[rows->view].push_back(i);
    for (std::size_t view = 0; view < views_.size(); ++view)
      if (inside[view].size() == references_[view]) split(view, inside[view]);
    if (root_.source()) return document_;
    return with_binary(*document_, root_.text(), std::nullopt);
  }

 private:
  [[nodiscard]] JsonValue source() const { return document_->json().root(); }

  void count_references() {
    used_.resize(accessors_.size());
    references_.resize(views_.size());
    unknown_indices_ = visit_references(source(), reference_scheme(), [&](const Property& row, std::uint64_t index) {
      if (row.reference == static_cast<std::uint8_t>(Reference::accessor) && index < used_.size()) used_[index] = true;
      if (row.reference == static_cast<std::uint8_t>(Reference::buffer_view) && index < references_.size()) ++references_[index];
    });
  }

  void split(std::size_t view, const std::vector<std::size_t>& inside) {
    const JsonValue old = views_[view];
    const auto ranges = ranges_of(old);
    if (ranges.empty() || old["extensions"]) return;
    const std::uint64_t size = ranges.front().bytes.end - ranges.front().bytes.begin;
    std::vector<std::pair<ByteRange, std::size_t>> parts;
    for (const std::size_t accessor : inside) {
      if (!used_[accessor]) continue;
      const AccessorRows rows = *accessor_rows(accessors_[accessor]);
      const std::uint64_t stride = whole_number(old["byteStride"]).value_or(rows.size),
                          end = rows.offset + (rows.count - 1) * stride + rows.size;
      if (end > size || rows.count > size) return;
      parts.push_back({{rows.offset / 4 * 4, end}, accessor});
    }
    std::ranges::sort(parts, {}, [](const auto& part) { return part.first.begin; });
    const std::vector<ByteRange> runs = runs_of(parts);
    std::uint64_t covered = 0;
    for (const ByteRange& run : runs) covered += run.end - run.begin;
    if (runs.empty() || size <= covered + 8 + (runs.size() - 1) * view_text) return;
    for (const ByteRange& run : runs) add_view(old, ranges.front().bytes.begin + run.begin, run);
    const std::size_t first = length(root_.find("bufferViews")) - runs.size();
    for (const auto& [range, accessor] : parts) {
      const auto run = static_cast<std::size_t>(std::ranges::upper_bound(runs, range.begin, {}, &ByteRange::begin) - runs.begin()) - 1;
      JsonEdit& edit = root_.find("accessors")->at(accessor);
      edit.set("bufferView", JsonEdit::integer(first + run));
      set_byte_offset(edit, accessor_rows(accessors_[accessor])->offset - runs[run].begin);
    }
  }

  /// Joins ranges with gaps that are not worth a view. `parts`: by begin.
  static std::vector<ByteRange> runs_of(const std::vector<std::pair<ByteRange, std::size_t>>& parts) {
    std::vector<ByteRange> runs;
    for (const auto& [range, accessor] : parts) {
      if (!runs.empty() && range.begin <= runs.back().end + view_text)
        runs.back().end = std::max(runs.back().end, range.end);
      else
        runs.push_back(range);
    }
    return runs;
  }

  void add_view(JsonValue old, std::uint64_t offset, const ByteRange& run) {
    JsonEdit view(old);
    view.erase("name");
    view.set("byteOffset", JsonEdit::integer(offset));
    view.set("byteLength", JsonEdit::integer(run.end - run.begin));
    list_in(root_, "bufferViews").push_back(std::move(view));
  }

  const std::shared_ptr<const Document>& document_;
  JsonEdit root_;
  std::vector<JsonValue> accessors_, views_;
  std::vector<bool> used_;               ///< accessors that something refers to
  std::vector<std::size_t> references_;  ///< to each view
  bool unknown_indices_ = false;
};

}  // namespace

// The sizes of glTF's component types and rows; matrices of small components have padding.
std::optional<AccessorRows> accessor_rows(JsonValue accessor) {
  constexpr std::pair<std::string_view, std::size_t> widths[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  const std::uint64_t code = whole_number(accessor["componentType"]).value_or(0);
  const std::size_t component = code == 5120 || code == 5121 ? 1 : code == 5122 || code == 5123 ? 2 : code == 5125 || code == 5126 ? 4 : 0;
  const auto view = whole_number(accessor["bufferView"]), count = whole_number(accessor["count"]);
  const auto* const width = std::ranges::find_if(widths, [&](const auto& known) { return accessor["type"].equals(known.first); });
  if (!view || !count || *count == 0 || component == 0 || width == std::end(widths)) return std::nullopt;
  if (accessor["sparse"] || accessor["extensions"]) return std::nullopt;
  return AccessorRows{*view, whole_number(accessor["byteOffset"]).value_or(0), *count, width->second * component};
}

Result<std::shared_ptr<const Document>> split_views(const std::shared_ptr<const Document>& document) { return Splitting(document).run(); }

}  // namespace sinew::operations

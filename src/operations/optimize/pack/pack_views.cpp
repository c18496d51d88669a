// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "document/json/edit_members.hpp"
#include "document/json/json.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/orphans.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/KHR_meshopt_compression.hpp"
#include "gltf/extensions/references.hpp"
#include "gltf/schema/tables.hpp"
#include "gltf/write/buffer_content.hpp"
#include "operations/optimize/pack/accessor_rows.hpp"
#include "operations/optimize/pack/array_uses.hpp"
#include "operations/optimize/pack/compact.hpp"

namespace sinew::operations {

using document::Bytes;
using document::Document;
using document::JsonEdit;
using document::JsonKind;
using document::JsonValue;
using document::Property;
using gltf::BufferFrom;
using gltf::meshopt_extensions;
using gltf::Reference;
using gltf::reference_scheme;

namespace {

using Kind = PackedView::Kind;

Kind vertex_kind_of(ArrayUse::Vertex vertex) {
  switch (vertex) {
    case ArrayUse::Vertex::position:
      return Kind::positions;
    case ArrayUse::Vertex::normal:
      return Kind::normals;
    case ArrayUse::Vertex::tangent:
      return Kind::tangents;
    case ArrayUse::Vertex::texcoord:
      return Kind::texcoords;
    case ArrayUse::Vertex::color:
      return Kind::colors;
    case ArrayUse::Vertex::joints:
      return Kind::joints;
    case ArrayUse::Vertex::weights:
      return Kind::weights;
    case ArrayUse::Vertex::offset:
      return Kind::offsets;
    case ArrayUse::Vertex::direction_offset:
      return Kind::direction_offsets;
    case ArrayUse::Vertex::nothing:
    case ArrayUse::Vertex::other:
      break;
  }
  return Kind::vertices;
}

Kind kind_of(const ArrayUse& use, PackInto into) {
  if (use.vertices && into == PackInto::kinds) return vertex_kind_of(use.vertex);
  if (use.vertices) return use.directions ? Kind::directions : Kind::vertices;
  if (use.triangles) return use.indices ? Kind::indices : Kind::triangles;
  if (use.indices) return Kind::indices;
  if (use.only(TrackPath::rotation)) return Kind::rotations;
  if (use.only(TrackPath::translation) || use.only(TrackPath::scale)) return Kind::lengths;
  if (use.only(TrackPath::amounts)) return Kind::amounts;
  return Kind::data;
}

bool is_mixed(const ArrayUse& use) {
  return (use.vertices ? 1 : 0) + (use.triangles || use.indices ? 1 : 0) + (use.data || !use.channels.empty() ? 1 : 0) != 1;
}

/// Rows that one member of an accessor refers to.
struct RowsInView {
  std::size_t accessor = 0;
  std::string_view part;  ///< of `sparse`: "indices" or "values"; empty: the accessor itself
  std::uint64_t view = 0, offset = 0, count = 0;
  std::size_t size = 0, stride = 0;  ///< of a row: without padding, and in the view
  Kind kind = Kind::data;
};

/// What rows of one new view have in common: the kind, the bytes from row to row, the target.
using ViewKey = std::tuple<Kind, std::size_t, std::uint64_t>;
struct NewView {
  PackedView packed;
  std::uint64_t target = 0;
  std::vector<std::byte> bytes;
  bool padded = false;
};

class Packing {
 public:
  Packing(const std::shared_ptr<const Document>& document, std::vector<PackedView>* made, const DecodeView& decode, PackInto into)
      : document_(document),
        made_(made),
        decode_(decode),
        into_(into),
        root_(source()),
        accessors_(list_of(source()["accessors"])),
        views_(list_of(source()["bufferViews"])) {}

  Result<std::shared_ptr<const Document>> run() {
    if (!source()["buffers"].at(0).is(JsonKind::object) || !count_references() || !find_contents()) return document_;
    find_rows();
    std::vector<bool> packed(views_.size());
    for (std::size_t view = 0; view < views_.size(); ++view) packed[view] = can_pack(view);
    // Accessors may overlap, and each one gets its own rows. Padding takes up to four times the bytes.
    std::uint64_t size = 0, most = 0;
    for (const auto& content : contents_) most += 4 * content.size();
    for (const RowsInView& rows : rows_) size += packed[rows.view] ? rows.count * rows.size : 0;
    if (size > most) return document_;
    for (const RowsInView& rows : rows_)
      if (packed[rows.view]) add(rows);
    write(packed);
    std::string text = root_.text();
    if (made_ == nullptr && text.size() + binary_->size() >= size_before()) return document_;
    for (NewView& view : new_)
      if (made_ != nullptr) made_->push_back(std::move(view.packed));
    return with_binary(*document_, std::move(text), Bytes{*binary_, binary_});
  }

 private:
  [[nodiscard]] JsonValue source() const { return document_->json().root(); }

  /// Returns false if an unknown extension may refer to views.
  bool count_references() {
    references_.resize(views_.size());
    return !visit_references(source(), reference_scheme(), [&](const Property& row, std::uint64_t index) {
      if (row.reference == static_cast<std::uint8_t>(Reference::buffer_view) && index < references_.size()) ++references_[index];
    });
  }

  /// Returns false if the bytes of a view are not available, or stored in another form.
  bool find_contents() {
    for (const JsonValue view : views_) {
      const auto ranges = ranges_of(view);
      if (auto decoded = decode_ ? decode_(*document_, view) : std::nullopt) {
        decoded_.push_back(std::move(*decoded));
        contents_.push_back(decoded_.back());
        continue;
      }
      if (view["extensions"] || ranges.size() != 1) return false;
      const auto [buffer, range] = ranges.front();
      auto [known, added] = buffers_.try_emplace(buffer);
      if (added)
        if (auto content = buffer_content(*document_, buffer, BufferFrom::anywhere); content && *content) known->second = **content;
      if (range.end > known->second.view.size() || range.begin >= range.end) return false;
      contents_.push_back(known->second.view.subspan(range.begin, range.end - range.begin));
    }
    return true;
  }

  void find_rows() {
    const std::vector<ArrayUse> uses = array_uses(source());
    for (std::size_t i = 0; i < accessors_.size(); ++i) {
      const JsonValue accessor = accessors_[i];
      if (const auto rows = accessor_rows(accessor); rows && !is_mixed(uses[i]))
        add_rows({i, {}, rows->view, rows->offset, rows->count, rows->size, rows->size, kind_of(uses[i], into_)});
      const JsonValue sparse = accessor["sparse"];
      const auto count = whole_number(sparse["count"]);
      if (!sparse || !count || *count == 0 || accessor["extensions"] || accessor["bufferView"]) continue;
      const std::size_t index = component_size(sparse["indices"]["componentType"]), value = component_size(accessor["componentType"]);
      const std::string_view type = accessor["type"].is_plain_string() ? accessor["type"].plain_string() : std::string_view();
      const std::size_t width = type == "VEC3" ? 3 : type == "VEC2" ? 2 : type == "SCALAR" ? 1 : type == "VEC4" ? 4 : 0;
      add_sparse(i, "indices", sparse["indices"], *count, index);
      add_sparse(i, "values", sparse["values"], *count, value * width);
    }
  }

  static std::size_t component_size(JsonValue type) {
    const std::uint64_t code = whole_number(type).value_or(0);
    return code == 5120 || code == 5121 ? 1 : code == 5122 || code == 5123 ? 2 : code == 5125 || code == 5126 ? 4 : 0;
  }

  void add_sparse(std::size_t accessor, std::string_view part, JsonValue object, std::uint64_t count, std::size_t size) {
    const auto view = whole_number(object["bufferView"]);
    if (!view || size == 0) return;
    add_rows({accessor, part, *view, whole_number(object["byteOffset"]).value_or(0), count, size, size, Kind::sparse});
  }

  void add_rows(RowsInView rows) {
    if (rows.view >= views_.size()) return;
    rows.stride = whole_number(views_[rows.view]["byteStride"]).value_or(rows.size);
    const std::uint64_t size = contents_[rows.view].size();
    const bool fits = rows.stride >= rows.size && rows.offset < size && rows.count <= size && rows.size <= size - rows.offset &&
                      (rows.count - 1) <= (size - rows.offset - rows.size) / rows.stride;
    if (fits) rows_.push_back(rows);
  }

  /// Returns whether all references to a view are rows that were found.
  [[nodiscard]] bool can_pack(std::size_t view) const {
    const auto found = static_cast<std::size_t>(std::ranges::count(rows_, view, &RowsInView::view));
    return found != 0 && found == references_[view];
  }

  static bool is_vertex(Kind kind) { return kind <= Kind::direction_offsets; }

  void add(const RowsInView& rows) {
    // Rows of vertex attributes start at multiples of 4 bytes; other rows are packed.
    const std::size_t step = is_vertex(rows.kind) ? (rows.size + 3) / 4 * 4 : rows.size;
    const std::uint64_t target = whole_number(views_[rows.view]["target"]).value_or(0);
    const auto [known, added] = order_.try_emplace(ViewKey{rows.kind, step, target}, new_.size());
    if (added) new_.push_back({{rows.kind, step, {}}, target, {}, false});
    NewView& view = new_[known->second];
    const auto [same, first] = places_.try_emplace({rows.view, rows.offset, rows.count, rows.size, known->second}, view.bytes.size());
    if (first) {
      const std::span<const std::byte> from = contents_[rows.view].subspan(rows.offset);
      view.bytes.resize(same->second + rows.count * step);
      for (std::size_t row = 0; row < rows.count; ++row)
        std::memcpy(view.bytes.data() + same->second + row * step, from.data() + row * rows.stride, rows.size);
    }
    view.packed.parts.push_back({rows.accessor, same->second, static_cast<std::size_t>(rows.count)});
    view.padded |= step != rows.size;
    placed_.push_back({rows, known->second, same->second});
  }

  void place(const RowsInView& rows, std::size_t view, std::size_t offset) {
    JsonEdit* edit = &root_.find("accessors")->at(rows.accessor);
    if (!rows.part.empty()) edit = edit->find("sparse")->find(rows.part);
    edit->set("bufferView", JsonEdit::integer(view));
    set_byte_offset(*edit, offset);
  }

  /// Returns the bytes of the text and of all views in the old document.
  [[nodiscard]] std::size_t size_before() const {
    std::size_t size = document_->json().text().size();
    for (const auto& content : contents_) size += content.size();
    return size;
  }

  /// Writes the new views, then the others; `packed`: the old views that the new ones replace.
  void write(const std::vector<bool>& packed) {
    std::vector<std::uint64_t> places(views_.size());
    std::uint64_t next = new_.size();
    for (std::size_t view = 0; view < views_.size(); ++view) places[view] = packed[view] ? view : next++;
    renumber_references(root_, source(), reference_scheme(), [&](const Property& row, std::uint64_t index) -> std::optional<std::uint64_t> {
      const bool is_view = row.reference == static_cast<std::uint8_t>(Reference::buffer_view);
      return is_view && index < places.size() ? places[index] : index;
    });
    for (const auto& [rows, view, offset] : placed_) place(rows, view, offset);
    binary_ = std::make_shared<std::vector<std::byte>>();
    JsonEdit list = JsonEdit::array();
    for (const NewView& view : new_) {
      JsonEdit object = JsonEdit::object();
      set_range(object, view.bytes);
      if (is_vertex(view.packed.kind) && (view.padded || view.packed.parts.size() > 1))
        object.set("byteStride", JsonEdit::integer(view.packed.step));
      if (view.target != 0) object.set("target", JsonEdit::integer(view.target));
      list.push_back(std::move(object));
    }
    for (std::size_t view = 0; view < views_.size(); ++view) {
      if (packed[view]) continue;
      JsonEdit object(views_[view]);
      object.erase("extensions");  // it was decoded
      set_range(object, contents_[view]);
      list.push_back(std::move(object));
    }
    if (list.size() != 0) root_.set("bufferViews", std::move(list));
    JsonEdit buffer(source()["buffers"].at(0));
    buffer.erase("uri");
    buffer.set("byteLength", JsonEdit::integer(binary_->size()));
    JsonEdit buffers = JsonEdit::array();
    buffers.push_back(std::move(buffer));
    root_.set("buffers", std::move(buffers));
    for (const std::string_view name : meshopt_extensions)
      for (const std::string_view key : {"extensionsUsed", "extensionsRequired"}) erase_name(root_, key, name);
  }

  void set_range(JsonEdit& view, std::span<const std::byte> bytes) {
    binary_->resize((binary_->size() + 3) / 4 * 4);
    view.set("buffer", JsonEdit::integer(0));
    set_byte_offset(view, binary_->size());
    view.set("byteLength", JsonEdit::integer(bytes.size()));
    binary_->insert(binary_->end(), bytes.begin(), bytes.end());
  }

  const std::shared_ptr<const Document>& document_;
  std::vector<PackedView>* made_;
  const DecodeView& decode_;
  const PackInto into_;
  JsonEdit root_;
  std::vector<JsonValue> accessors_, views_;
  std::vector<std::size_t> references_;  ///< to each view
  std::map<std::uint64_t, Bytes> buffers_;
  std::list<std::vector<std::byte>> decoded_;
  std::vector<std::span<const std::byte>> contents_;  ///< of each view
  std::vector<RowsInView> rows_;
  std::map<ViewKey, std::size_t> order_;
  std::vector<NewView> new_;
  /// The offset in a new view of rows of an old one: several accessors may have the same rows.
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::size_t, std::size_t>, std::size_t> places_;
  std::vector<std::tuple<RowsInView, std::size_t, std::size_t>> placed_;  ///< rows with their new view and offset
  std::shared_ptr<std::vector<std::byte>> binary_;
};

}  // namespace

Result<std::shared_ptr<const Document>> pack_views(const std::shared_ptr<const Document>& document, std::vector<PackedView>* made,
                                                   const DecodeView& decode, PackInto into) {
  return Packing(document, made, decode, into).run();
}

}  // namespace sinew::operations

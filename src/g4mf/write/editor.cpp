// SPDX-License-Identifier: MIT
#include "g4mf/write/editor.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "document/container/zstd.hpp"
#include "document/schema/edited.hpp"
#include "g4mf/schema/data/asset.hpp"

namespace sinew::g4mf {

std::vector<std::byte> packed(const Array& rows) {
  const std::size_t size = rows.width() * byte_size(rows.type());
  std::vector<std::byte> bytes(rows.size() * size);
  for (std::size_t i = 0; i < rows.size(); ++i) std::memcpy(bytes.data() + i * size, rows.data() + i * rows.stride(), size);
  return bytes;
}

Result<std::shared_ptr<const Document>> with_buffer(const Document& document, Revision revision, JsonEdit& root,
                                                    std::vector<std::byte> data) {
  const std::vector<JsonValue> buffers = list_of(document.json().root()["buffers"]);
  const auto same = [&](JsonValue buffer) { return whole_number(buffer["byteLength"]) == data.size(); };
  while (std::ranges::any_of(buffers, same)) data.resize(data.size() + alignment);
  const std::size_t chunk = std::max<std::size_t>(document.chunk_list().size(), 1);
  JsonEdit buffer = JsonEdit::object();
  buffer.set("byteLength", JsonEdit::integer(data.size()));
  if (revision == Revision::r2026_07 || chunk != buffers.size() + 1) buffer.set("chunk", JsonEdit::integer(chunk));
  list_in(root, "buffers").push_back(std::move(buffer));
  const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(data));
  const Bytes blob{*owner, owner};
  return with_text(document, root.text(), std::span(&blob, 1));
}

Result<Bytes> unpacked(Reader& reader, const Buffers::Packed& packed, JsonValue buffer, std::uint64_t times) {
  if (packed.format == Chunk::uncompressed) return packed.bytes;
  if (auto taken = reader.take_decoded(buffer, packed.bytes.view.size(), packed.length, times); !taken)
    return Unexpected(reader.model().defects[taken.error().index]);
  auto content = zstd_decompress(packed.bytes.view, packed.length, Surplus::drop);
  if (!content) return Unexpected(std::move(content.error()));
  return std::move(content->bytes);
}

std::string_view name_in(Revision revision, const Property& property) {
  const bool old = (property.revisions >> static_cast<unsigned>(revision) & 1) == 0 && !property.old_name.empty();
  return old ? property.old_name : property.name;
}

Editor::Editor(const Document& document, Revision revision)
    : document_(document),
      revision_(revision),
      reading_(document, {.force = false, .revision = revision}),
      root_(document.json().root()),
      accessor_count_(reader().count(Reference::accessor)),
      view_count_(reader().count(Reference::buffer_view)) {}

Checked<> Editor::begin() {
  if (!old_root().is(JsonKind::object)) return reader().refuse(reader().root());
  if (auto asset = read_asset(reader()); !asset) return asset;
  // The result is binary, where a buffer without a URI would refer to a chunk.
  if (document_.container() == Container::json)
    for (Index i = 0; i < reader().count(Reference::buffer); ++i)
      if (const auto stored = reading_.buffers.packed(i); !stored && !old_list("buffers")[i]["uri"]) return Refused(stored.error());
  return {};
}

Result<std::shared_ptr<const Document>> Editor::finish() {
  if (data_.empty() && added_.empty()) return with_text(document_, root_.text(), {});
  return with_buffer(document_, revision_, root_, std::move(data_));
}

JsonEdit& Editor::element(RootObject::Row array, std::size_t index) { return root_.find(array.property().name)->at(index); }

Index Editor::add_accessor(JsonEdit view, ComponentType type, std::size_t width) {
  JsonEdit accessor = JsonEdit::object();
  accessor.set("bufferView", std::move(view));
  accessor.set(name_in(revision_, AccessorObject::property("componentType")), JsonEdit::string(component_name(type)));
  if (width != 1) accessor.set("vectorSize", JsonEdit::integer(width));
  list("accessors").push_back(std::move(accessor));
  return static_cast<Index>(accessor_count_++);
}

Checked<Index> Editor::add(const Array& rows) {
  const std::size_t size = rows.size() * rows.width() * byte_size(rows.type());
  if (auto taken = reader().take(old_root(), size, 2); !taken) return Refused(taken.error());
  const std::vector<std::byte> bytes = packed(rows);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto key = std::tuple(rows.type(), rows.width(), size, std::hash<std::string_view>{}(text));
  for (auto [known, end] = added_.equal_range(key); known != end; ++known)
    if (std::ranges::equal(std::span(data_).subspan(known->second.first, size), bytes)) return known->second.second;
  const std::size_t step = byte_size(rows.type());
  data_.resize((data_.size() + step - 1) / step * step);
  const std::size_t offset = data_.size();
  const Index index = add_accessor(JsonEdit::integer(add_bytes(bytes)), rows.type(), rows.width());
  added_.emplace(key, std::pair(offset, index));
  return index;
}

Index Editor::add_bytes(std::span<const std::byte> bytes) {
  JsonEdit view = JsonEdit::object();
  if (reader().count(Reference::buffer) != 0) view.set("buffer", JsonEdit::integer(reader().count(Reference::buffer)));
  if (!data_.empty()) view.set("byteOffset", JsonEdit::integer(data_.size()));
  view.set("byteLength", JsonEdit::integer(bytes.size()));
  list("bufferViews").push_back(std::move(view));
  data_.insert(data_.end(), bytes.begin(), bytes.end());
  return static_cast<Index>(view_count_++);
}

Checked<Index> Editor::add_numbers(std::size_t count, std::size_t width) {
  if (count >= none) return reader().refuse(old_root(), error("SINEW_TOO_MANY_VERTICES"_code, Failure::limit, {}, count, none - 1));
  if (auto taken = reader().take(old_root(), count, 4); !taken) return Refused(taken.error());
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return add(std::move(numbers), width);
}

Checked<> set_accessor(JsonEdit& object, std::string_view key, const Checked<Index>& accessor) {
  return accessor.map([&](Index index) { object.set(key, JsonEdit::integer(index)); });
}

Index index_of(JsonValue value) {
  const auto number = whole_number(value);
  return number && *number < none ? static_cast<Index>(*number) : none;
}

}  // namespace sinew::g4mf

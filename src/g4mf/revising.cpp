// SPDX-License-Identifier: MIT
#include "g4mf/revising.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "document/edited.hpp"
#include "g4mf/asset.hpp"

namespace sinew::g4mf {

namespace {

constexpr std::size_t alignment = 16;  // of the largest component

std::string_view name_of(Revision revision) { return revision_names[static_cast<std::size_t>(revision)]; }

ReadOptions as(Revision revision) {
  ReadOptions options;
  options.revision = revision;
  return options;
}

std::size_t hash_of(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::vector<std::byte> packed(const Array& rows) {
  const std::size_t size = rows.width() * byte_size(rows.type());
  std::vector<std::byte> bytes(rows.size() * size);
  for (std::size_t i = 0; i < rows.size(); ++i) std::memcpy(bytes.data() + i * size, rows.data() + i * rows.stride(), size);
  return bytes;
}

}  // namespace

Revising::Revising(const document::Document& document, Revision from, Revision to, FindingSink& losses)
    : document_(document),
      from_(from),
      to_(to),
      losses_(losses),
      reading_(document, Checks::safety, ignored_, model_, as(from)),
      buffers_(reading_),
      accessors_(reading_, buffers_),
      root_(document.json().root()),
      accessor_count_(reading_.count(Reference::accessor)),
      view_count_(reading_.count(Reference::buffer_view)) {}

Checked<> Revising::begin() {
  if (!old_root().is(JsonKind::object)) return reading_.refuse(reading_.root());
  if (auto asset = read_asset(reading_); !asset) return asset;
  // The next document is a binary one, where a buffer without a URI would be found in a chunk.
  if (document_.container() == document::Container::json)
    for (Index i = 0; i < reading_.count(Reference::buffer); ++i)
      if (const auto stored = buffers_.packed(i); !stored && !old_list(RootRow::buffers)[i]["uri"]) return Refused(stored.error());
  return {};
}

Result<std::shared_ptr<const document::Document>> Revising::finish() {
  if (added_.empty()) return document::with_text(document_, root_.text(), {});
  const std::size_t chunk = std::max<std::size_t>(document_.chunk_list().size(), 1);
  JsonEdit buffer = JsonEdit::object();
  buffer.set("byteLength", JsonEdit::integer(data_.size()));
  buffer.set("chunk", JsonEdit::integer(chunk));
  list("buffers").push_back(std::move(buffer));
  const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(data_));
  const document::Bytes blob{*owner, owner};
  return document::with_text(document_, root_.text(), std::span(&blob, 1));
}

JsonEdit& Revising::element(RootRow array, std::size_t index) {
  return root_.find(root_rows[static_cast<std::size_t>(array)].name)->at(index);
}

JsonEdit& Revising::list(std::string_view name) {
  JsonEdit* found = root_.find(name);
  if (found != nullptr && found->is(JsonKind::array)) return *found;
  return root_.set(name, JsonEdit::array());
}

void Revising::lost(JsonValue at, std::string_view what) {
  losses_.add(finding<"SINEW_REVISE_LOST"_code>(at.pointer(), name_of(to_), what));
}

void Revising::changed(JsonValue at, std::string_view what) {
  losses_.add(finding<"SINEW_REVISE_CHANGED"_code>(at.pointer(), name_of(to_), what));
}

void Revising::lost_item(JsonValue object, std::string_view what) {
  for (const std::string_view key : {"name", "comment", "extensions", "extras"})
    if (object[key]) lost(object[key], fmt::format("\"{}\" of {}", key, what));
}

Index Revising::add_accessor(JsonEdit view, ComponentType type, std::size_t width) {
  JsonEdit accessor = JsonEdit::object();
  accessor.set("bufferView", std::move(view));
  accessor.set("componentType", JsonEdit::string(component_name(type)));
  if (width != 1) accessor.set("vectorSize", JsonEdit::integer(width));
  list("accessors").push_back(std::move(accessor));
  return static_cast<Index>(accessor_count_++);
}

Checked<Index> Revising::add(const Array& rows) {
  const std::size_t size = rows.size() * rows.width() * byte_size(rows.type());
  if (auto taken = reading_.take(old_root(), size, 2); !taken) return Refused(taken.error());
  const std::vector<std::byte> bytes = packed(rows);
  const auto key = std::tuple(rows.type(), rows.width(), size, hash_of(bytes));
  for (auto [known, end] = added_.equal_range(key); known != end; ++known)
    if (std::ranges::equal(std::span(data_).subspan(known->second.first, size), bytes)) return known->second.second;
  data_.resize((data_.size() + alignment - 1) / alignment * alignment);
  const std::size_t offset = data_.size();
  data_.insert(data_.end(), bytes.begin(), bytes.end());
  JsonEdit view = JsonEdit::object();
  view.set("buffer", JsonEdit::integer(reading_.count(Reference::buffer)));
  if (offset != 0) view.set("byteOffset", JsonEdit::integer(offset));
  view.set("byteLength", JsonEdit::integer(size));
  list("bufferViews").push_back(std::move(view));
  const Index index = add_accessor(JsonEdit::integer(view_count_++), rows.type(), rows.width());
  added_.emplace(key, std::pair(offset, index));
  return index;
}

Checked<Index> Revising::add_numbers(std::size_t count, std::size_t width) {
  if (count >= none) return reading_.refuse(old_root(), error<"SINEW_TOO_MANY_VERTICES"_code>(Failure::limit, {}, count, none - 1));
  if (auto taken = reading_.take(old_root(), count, 4); !taken) return Refused(taken.error());
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return add(std::move(numbers), width);
}

Checked<Index> Revising::as_unsigned(Index accessor) {
  const Checked<Array>& array = accessors_.array(accessor);
  if (!array) return Refused(array.error());
  if (is_float(array->type()) || component_name(array->type()).front() == 'u') return accessor;
  if (const auto known = unsigned_.find(accessor); known != unsigned_.end()) return known->second;
  const JsonValue view = old_list(RootRow::accessors)[accessor]["bufferView"];
  const auto type = static_cast<ComponentType>(static_cast<std::uint8_t>(array->type()) + 1);  // signed and unsigned stand in pairs
  const Index index = add_accessor(JsonEdit(view), type, array->width());
  unsigned_.emplace(accessor, index);
  return index;
}

Index index_of(JsonValue value) {
  const auto number = document::whole_number(value);
  return number && *number < none ? static_cast<Index>(*number) : none;
}

}  // namespace sinew::g4mf

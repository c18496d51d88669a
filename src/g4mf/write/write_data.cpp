// SPDX-License-Identifier: MIT
#include "g4mf/write/write_data.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace sinew::g4mf {

Index DataWriter::add_view(std::span<const std::byte> values) {
  const std::size_t hash = std::hash<std::string_view>{}({reinterpret_cast<const char*>(values.data()), values.size()});
  const auto [first, last] = views_by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const View& there = views_[it->second];
    if (there.size == values.size() && std::equal(values.begin(), values.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(there.offset)))
      return it->second;
  }
  const auto view = static_cast<Index>(views_.size());
  views_.push_back({bytes_.size(), values.size()});  // components of four bytes: every end is a start
  bytes_.insert(bytes_.end(), values.begin(), values.end());
  views_by_hash_.emplace(hash, view);
  return view;
}

Index DataWriter::add(std::span<const std::byte> values, std::string_view component_type, std::size_t width) {
  const Accessor wanted{add_view(values), component_type, width};
  const auto place = static_cast<Index>(std::ranges::find(accessors_, wanted) - accessors_.begin());
  if (place == accessors_.size()) accessors_.push_back(wanted);
  return place;
}

void DataWriter::write(JsonWriter& json, std::string_view uri) const {
  if (accessors_.empty()) return;
  json.key("accessors").begin_array();
  for (const Accessor& accessor : accessors_) {
    json.begin_object();
    json.key("bufferView").integer(accessor.view);
    json.key("componentType").string(accessor.component_type);
    if (accessor.width != 1) json.key("vectorSize").integer(accessor.width);
    json.end_object();
  }
  json.end_array();
  json.key("bufferViews").begin_array();
  for (const View& view : views_) {
    json.begin_object();
    json.key("byteLength").integer(view.size);
    if (view.offset != 0) json.key("byteOffset").integer(view.offset);
    json.end_object();
  }
  json.end_array();
  json.key("buffers").begin_array();
  json.begin_object();
  json.key("byteLength").integer(bytes_.size());
  if (!uri.empty()) json.key("uri").string(uri);
  json.end_object();
  json.end_array();
}

}  // namespace sinew::g4mf

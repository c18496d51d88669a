// SPDX-License-Identifier: MIT
#include "show/page/packet.hpp"

#include <cstring>

namespace sinew::show {

void write_index(document::JsonWriter& json, std::string_view key, Index index) {
  json.key(key);
  if (index == none)
    json.raw("null");
  else
    json.integer(index);
}

Packet::Packet() {
  header_.begin_object();
  header_.key("arrays").begin_object();
}

void Packet::add(std::string_view name, std::span<const float> values, std::size_t width) {
  append(name, "float32", std::as_bytes(values), values.size() / width, width);
}

void Packet::add(std::string_view name, std::span<const std::uint32_t> values, std::size_t width) {
  append(name, "uint32", std::as_bytes(values), values.size() / width, width);
}

void Packet::add(std::string_view name, std::span<const std::byte> bytes) { append(name, "uint8", bytes, bytes.size(), 1); }

void Packet::append(std::string_view name, std::string_view type, std::span<const std::byte> bytes, std::size_t rows, std::size_t width) {
  header_.key(name).begin_object();
  header_.key("type").string(type);
  header_.key("width").integer(width);
  header_.key("rows").integer(rows);
  header_.key("offset").integer(body_.size());
  header_.end_object();
  if (!bytes.empty()) body_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  body_.append((4 - body_.size() % 4) % 4, '\0');
}

std::string Packet::take(std::string_view about) && {
  header_.end_object();
  header_.key("about").raw(about);
  header_.end_object();
  std::string header = std::move(header_).take();
  header.append((4 - header.size() % 4) % 4, ' ');
  const auto length = static_cast<std::uint32_t>(header.size());
  std::string whole(sizeof length, '\0');
  std::memcpy(whole.data(), &length, sizeof length);
  whole.reserve(whole.size() + header.size() + body_.size());
  return whole.append(header).append(body_);
}

}  // namespace sinew::show

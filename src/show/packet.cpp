// SPDX-License-Identifier: MIT
#include "show/packet.hpp"

#include <cassert>
#include <cstring>

namespace sinew::show {

Packet::Packet() {
  header_.begin_object();
  header_.key("arrays").begin_object();
}

void Packet::add(std::string_view name, std::span<const float> values, std::size_t width) {
  append(name, "float32", std::as_bytes(values), width);
}

void Packet::add(std::string_view name, std::span<const std::uint32_t> values, std::size_t width) {
  append(name, "uint32", std::as_bytes(values), width);
}

void Packet::append(std::string_view name, std::string_view type, std::span<const std::byte> bytes, std::size_t width) {
  assert(width != 0 && bytes.size() % (4 * width) == 0);
  header_.key(name).begin_object();
  header_.key("type").string(type);
  header_.key("width").integer(width);
  header_.key("rows").integer(bytes.size() / (4 * width));
  header_.key("offset").integer(body_.size());
  header_.end_object();
  if (!bytes.empty()) body_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
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

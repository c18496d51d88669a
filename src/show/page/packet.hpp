// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "document/json/json_writer.hpp"

#include "sinew/model.hpp"

namespace sinew::show {

/// Writes a member of JSON that is an index; `none` as null.
void write_index(document::JsonWriter& json, std::string_view key, Index index);

/// Named arrays in one answer to the page:
/// - the length of the header as uint32
/// - the header: `{"arrays": {NAME: {"type": "float32"|"uint32"|"uint8", "width": W, "rows": R, "offset": BYTES}}, "about":
///   {…}}`, padded with spaces to a multiple of four bytes
/// - the arrays, little endian, each padded to a multiple of four bytes; offsets count from the end of the header
class Packet {
 public:
  Packet();
  void add(std::string_view name, std::span<const float> values, std::size_t width);
  void add(std::string_view name, std::span<const std::uint32_t> values, std::size_t width);
  void add(std::string_view name, std::span<const std::byte> bytes);  ///< rows of one uint8

  /// Returns the packet; `about`: additional data as a JSON value.
  [[nodiscard]] std::string take(std::string_view about = "{}") &&;

 private:
  void append(std::string_view name, std::string_view type, std::span<const std::byte> bytes, std::size_t rows, std::size_t width);

  document::JsonWriter header_;
  std::string body_;
};

}  // namespace sinew::show

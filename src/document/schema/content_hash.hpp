// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>

#include "document/json/json.hpp"

namespace sinew::document {

/// A hash of texts, numbers and JSON values (FNV-1a with 64 bits). For questions where a wrong "equal" by chance does no harm.
class ContentHash {
 public:
  /// Hashes a value in place of the default, and returns true, or leaves it.
  using Special = std::function<bool(JsonValue value, std::string_view key, ContentHash& hash)>;

  void add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) byte(static_cast<unsigned char>(number >> shift));
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number)); }
  void add(std::string_view text) {
    for (const char c : text) byte(static_cast<unsigned char>(c));
    add(std::uint64_t{text.size()});
  }
  /// The order of members and the form of numbers do not count. `special` may be empty; it is asked about each value below `value`.
  void add(JsonValue value, const Special& special);

  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  void byte(unsigned char value) { hash_ = (hash_ ^ value) * 0x100000001B3u; }

  std::uint64_t hash_ = 0xCBF29CE484222325u;
};

/// Calls `visit` for each extension object at any depth of an element, but not inside of extensions and extras. `place`: the way from the
/// element to the object that has the extension, such as "primitives/0/".
void for_each_extension(JsonValue element, const std::function<void(std::string_view place, JsonMember extension)>& visit);

}  // namespace sinew::document

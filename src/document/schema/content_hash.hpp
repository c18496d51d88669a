// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "document/json/json.hpp"

namespace sinew::document {

/// Returns a 64-bit hash of bytes, the same on every machine. For names and to find equal arrays; not secure against forgery.
[[nodiscard]] std::uint64_t content_hash(std::span<const std::byte> bytes);

/// A hash of texts, numbers and JSON values. For questions where a wrong "equal" by chance does no harm.
class ContentHash {
 public:
  /// Hashes a value in place of the default, and returns true, or leaves it.
  using Special = std::function<bool(JsonValue value, std::string_view key, ContentHash& hash)>;

  void add(std::uint64_t number);
  void add(double number) { add(std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number)); }
  void add(std::string_view text) { add(content_hash(std::as_bytes(std::span(text)))); }
  /// The order of members and the form of numbers do not count. `special` may be empty; it is asked about each value below `value`.
  void add(JsonValue value, const Special& special);

  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0x53696e6577;
};

/// Calls `visit` for each extension object at any depth of an element, but not inside of extensions and extras. `place`: the way from the
/// element to the object that has the extension, such as "primitives/0/".
void for_each_extension(JsonValue element, const std::function<void(std::string_view place, JsonMember extension)>& visit);

}  // namespace sinew::document

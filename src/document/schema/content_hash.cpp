// SPDX-License-Identifier: MIT
#include "document/schema/content_hash.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace sinew::document {

namespace {

// Words are mixed like in MurmurHash64A (Austin Appleby, public domain): two multiplications by an odd constant and a shift.
constexpr std::uint64_t factor = 0xc6a4a7935bd1e995;

std::uint64_t with_word(std::uint64_t hash, std::uint64_t word) {
  word *= factor;
  word ^= word >> 47;
  return (hash ^ word * factor) * factor;
}

}  // namespace

std::uint64_t content_hash(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0x53696e6577ULL ^ (bytes.size() * factor);
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    hash = with_word(hash, word);
  }
  hash ^= hash >> 47;
  hash *= factor;
  return hash ^ (hash >> 47);
}

void ContentHash::add(std::uint64_t number) { hash_ = with_word(hash_, number); }

// Recursion is limited by the depth of the JSON text (Limits::json_depth).
void ContentHash::add(JsonValue value, const Special& special) {
  switch (value.kind()) {
    case JsonKind::object: {
      std::uint64_t sum = 0;
      for (const JsonMember member : value.members()) {
        ContentHash one;
        const std::string key = member.key.string();
        one.add(std::string_view(key));
        if (!special || !special(member.value, key, one)) one.add(member.value, special);
        sum += one.value();
      }
      return add(sum);
    }
    case JsonKind::array:
      for (const JsonValue element : value.elements())
        if (!special || !special(element, {}, *this)) add(element, special);
      return add(std::uint64_t{value.size()});
    case JsonKind::number:
      if (const auto number = value.number()) return add(*number);
      break;
    case JsonKind::string:
      return add(std::string_view(value.string()));
    default:
      break;
  }
  add(value.text());
}

namespace {

void visit_below(JsonValue value, std::string& place, const std::function<void(std::string_view, JsonMember)>& visit) {
  const auto below = [&](JsonValue child, std::string_view step) {
    if (!child.is(JsonKind::object) && !child.is(JsonKind::array)) return;
    const std::size_t length = place.size();
    place += step;
    place += '/';
    visit_below(child, place, visit);
    place.resize(length);
  };
  for (const JsonMember member : value.members()) {
    if (member.key.equals("extensions")) {
      for (const JsonMember extension : member.value.members()) visit(place, extension);
    } else if (!member.key.equals("extras") && member.value.size() != 0) {
      below(member.value, member.key.string());
    }
  }
  std::size_t index = 0;
  for (const JsonValue element : value.elements()) below(element, std::to_string(index++));
}

}  // namespace

void for_each_extension(JsonValue element, const std::function<void(std::string_view place, JsonMember extension)>& visit) {
  std::string place;
  visit_below(element, place, visit);
}

}  // namespace sinew::document

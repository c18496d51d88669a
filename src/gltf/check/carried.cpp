// SPDX-License-Identifier: MIT
#include "gltf/check/carried.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "base/message.hpp"

namespace sinew::gltf {

namespace {

std::string_view name_of_type(PropertyType type) {
  constexpr std::string_view names[] = {"any value", "boolean", "integer", "index", "number", "string", "string", "object"};
  return names[static_cast<std::size_t>(type)];
}

bool is_of_type(PropertyType type, JsonValue value) {
  switch (type) {
    case PropertyType::any:
      return true;
    case PropertyType::boolean:
      return value.is(JsonKind::boolean);
    case PropertyType::integer:
    case PropertyType::index: {
      const auto number = value.number();
      return number && std::trunc(*number) == *number;
    }
    case PropertyType::number:
      return value.is(JsonKind::number);
    case PropertyType::string:
    case PropertyType::uri:
      return value.is(JsonKind::string);
    case PropertyType::object:
      return value.is(JsonKind::object);
  }
  return true;
}

class CarriedCheck {
 public:
  CarriedCheck(Checker& checker, const CarriedCodes& codes) : checker_(checker), codes_(codes) {}

  // Recursion is limited by the depth of the tables.
  void object(JsonValue value, const Table& table) {
    if (!value.is(JsonKind::object)) return checker_.report(codes_.type, value, excerpt(value), "object");
    for (const JsonMember member : value.members()) {
      if (member.key.equals(row::extensions.name) || member.key.equals(row::extras.name)) continue;
      if (const Property* const row = find_row(table, member)) property(*row, member.value);
    }
    if (!codes_.missing) return;
    for (const Property& row : table.rows)
      if (row.need == Property::Need::required && !value[row.name]) checker_.report(*codes_.missing, value, row.name);
  }

 private:
  void property(const Property& row, JsonValue value) {
    if (row.shape == Property::Shape::single) return single(row, value);
    if (!value.is(JsonKind::array)) return checker_.report(codes_.type, value, excerpt(value), "array");
    const std::uint32_t least = row.least == 1 && !codes_.empty ? 0 : row.least;
    if (value.size() == 0 && least == 1) return checker_.report(*codes_.empty, value);
    if (value.size() < least || value.size() > row.most)
      return checker_.report(codes_.type, value, format_text("{} items", value.size()), format_text("{}", row.most));
    for (const JsonValue element : value.elements()) single(row, element);
  }

  void single(const Property& row, JsonValue value) {
    if (!is_of_type(row.type, value)) return checker_.report(codes_.type, value, excerpt(value), name_of_type(row.type));
    if (row.of != nullptr) return object(value, *row.of);
    if (row.type == PropertyType::index) return index(row, value);
    if (row.type == PropertyType::number || row.type == PropertyType::integer) return number(row, value);
    if (!row.words.empty() && std::ranges::none_of(row.words, [&](std::string_view word) { return value.equals(word); }))
      checker_.report(codes_.choice, value, excerpt(value), join_text(row.words, ", "));
  }

  void index(const Property& row, JsonValue value) {
    const auto place = whole_number(value);
    if (!place && value.number() == row.also) return;
    const std::size_t count = count_of(checker_, row);
    if (!place || *place >= count)
      checker_.report(codes_.index(row), value, excerpt(value), format_text("less than {}, the number of {}", count, list_name(row)));
  }

  void number(const Property& row, JsonValue value) {
    const auto number = value.number();  // nothing: too large for double
    if (number && is_in_range(row, *number)) return;
    checker_.report(codes_.range, value, excerpt(value), range_text(row));
  }

  Checker& checker_;
  const CarriedCodes& codes_;
};

}  // namespace

void check_carried(Checker& checker, JsonValue value, const Table& table, const CarriedCodes& codes) {
  CarriedCheck(checker, codes).object(value, table);
}

std::size_t count_of(const Checker& checker, const Property& row) {
  if (row.of_list.empty()) return checker.root().count(static_cast<Reference>(row.reference));
  JsonValue list = checker.root()["extensions"];
  for (std::size_t start = 0; start <= row.of_list.size();) {
    const std::size_t end = std::min(row.of_list.find('/', start), row.of_list.size());
    list = list[row.of_list.substr(start, end - start)];
    start = end + 1;
  }
  return list.size();
}

}  // namespace sinew::gltf

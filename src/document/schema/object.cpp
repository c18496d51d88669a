// SPDX-License-Identifier: MIT
#include "document/schema/object.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <unordered_set>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/message.hpp"
#include "document/json/json_text.hpp"

namespace sinew::document {

namespace {

// A pointer costs a walk over the value's siblings, so it is omitted for findings that are only counted.
FindingPlace place_of(JsonValue value, const CappedSink& sink) { return sink.full() ? FindingPlace("") : value.place(); }

// Findings about the root object's members point to "/", as in the Khronos validator.
FindingPlace object_place(JsonValue object, const CappedSink& sink) {
  FindingPlace place = place_of(object, sink);
  if (place.pointer.empty()) place.pointer = "/";
  return place;
}

// The name and the JSON kind of each type, indexed by PropertyType.
struct TypeRow {
  std::string_view name;
  JsonKind kind;
};
constexpr TypeRow type_rows[] = {{"value", JsonKind::missing}, {"boolean", JsonKind::boolean}, {"integer", JsonKind::number},
                                 {"index", JsonKind::number},  {"number", JsonKind::number},   {"string", JsonKind::string},
                                 {"URI", JsonKind::string},    {"object", JsonKind::object}};

constexpr const TypeRow& row_of(PropertyType type) { return type_rows[static_cast<std::size_t>(type)]; }
constexpr std::string_view type_name(PropertyType type) { return row_of(type).name; }

bool whole(JsonValue value) {
  if (value.integer()) return true;
  const auto number = value.number();
  return number && std::isfinite(*number) && std::trunc(*number) == *number;
}

// Returns whether a value of this kind may belong to the row. Distinguishes rows with the same name.
bool may_be(const Property& row, JsonKind kind) {
  return row.type == PropertyType::any || kind == (row.shape == Property::Shape::list ? JsonKind::array : row_of(row.type).kind);
}

bool right_kind(PropertyType type, JsonValue value) {
  if (type == PropertyType::integer || type == PropertyType::index) return whole(value);
  return type == PropertyType::any || value.is(row_of(type).kind);
}

// Returns the place of a string in the list of allowed words; the size of the list if it is not in it.
std::size_t place_of_word(const Property& property, JsonValue value) {
  const auto is = [&](std::string_view word) {
    return value.is_plain_string() ? same_name(value.plain_string(), word) : value.equals(word);
  };
  return static_cast<std::size_t>(std::ranges::find_if(property.words, is) - property.words.begin());
}

bool is_word(const Property& property, JsonValue value) {
  return property.words.empty() || place_of_word(property, value) < property.words.size();
}

bool is_plain_integer(const Property& property, const Json& json, std::uint32_t id) {
  const Json::Entry& entry = json.entry(id);
  if (!entry.is_short_integer()) return false;
  if (property.type == PropertyType::index) return true;
  const double real = entry.amount();
  return (property.numbers.empty() || std::ranges::find(property.numbers, real) != property.numbers.end()) && is_in_range(property, real) &&
         (property.multiple_of == 1 || entry.amount() % property.multiple_of == 0);
}

bool is_plain_number(const Property& property, const Json& json, std::uint32_t id) {
  const Json::Entry& entry = json.entry(id);
  if (!property.numbers.empty()) return false;
  if (entry.is_real()) return is_in_range(property, json.real(id));
  return entry.is_short_integer() && is_in_range(property, entry.amount());
}

bool is_plain_text(const Property& property, const Json& json, std::uint32_t id) {
  return right_kind(property.type, {json, id}) && is_word(property, {json, id});
}

template <class IsRight>
bool are_plain(const Property& property, const Json& json, std::uint32_t id, IsRight is_right) {
  if (property.shape == Property::Shape::single) return is_right(id);
  const Json::Entry& list = json.entry(id);
  if (list.kind() != JsonKind::array || list.amount() < std::max(property.least, 1u) || list.amount() > property.most) return false;
  const bool unique = property.items == Property::Items::unique && list.amount() > 1;
  if (unique && property.type != PropertyType::index && property.type != PropertyType::integer) return false;
  const std::uint32_t end = json.next(id);
  std::int64_t last = -1;
  for (std::uint32_t element = json.below(id); element != end; element = json.next(element)) {
    if (!is_right(element)) return false;
    const std::int64_t value = json.entry(element).amount();
    if (unique && value <= last) return false;  // ascending integers differ; others need the full check
    last = value;
  }
  return true;
}

// A fast test for valid values, which most are.
bool is_plainly_right(const Property& property, const Json& json, std::uint32_t id) {
  switch (property.type) {
    case PropertyType::number:
      return are_plain(property, json, id, [&](std::uint32_t one) { return is_plain_number(property, json, one); });
    case PropertyType::index:
    case PropertyType::integer:
      return are_plain(property, json, id, [&](std::uint32_t one) { return is_plain_integer(property, json, one); });
    default:
      return are_plain(property, json, id, [&](std::uint32_t one) { return is_plain_text(property, json, one); });
  }
}

// Returns the row of a name whose hash no other name of the table has, as for nearly all names; else the number of rows.
std::size_t row_of_name(const Rows& rows, std::string_view name) {
  const std::size_t row = name.empty() ? rows.size() : rows.first[key_hash(name)];
  return row < rows.size() && same_name(rows[row].name, name) ? row : rows.size();
}

constexpr std::string_view nothing;  // messages of rows use at most two arguments: what was found and what is expected

// Checks the value of one row, and keeps the worst effect with its finding.
class RowCheck {
 public:
  enum class Effect : std::uint8_t { none, fallback, refuse };

  RowCheck(const Property& property, const ObjectCodes& codes, CappedSink& sink) : property_(property), codes_(codes), sink_(sink) {}

  void list(JsonValue list) {
    if (!list.is(JsonKind::array))
      return report(property_.wrong_type.value_or(codes_.wrong_type), list, excerpt(list), "array", Effect::fallback);
    if (list.size() == 0 && (property_.least > 0 || property_.empty))
      return report(property_.empty.value_or(codes_.empty), list, excerpt(list), "one or more entries",
                    property_.least == 0 ? Effect::none : Effect::fallback);
    if (list.size() < property_.least || list.size() > property_.most)
      return report(codes_.length, list, std::to_string(list.size()), expected_length(), Effect::fallback);
    for (const JsonValue element : list.elements()) value(element, list);
    if (property_.items == Property::Items::unique) duplicates(list);
  }

  // `list`: the array that contains the value, if any. Invalid elements are reported at the array, except indices and strings.
  void value(JsonValue value, JsonValue list) {
    if (!right_kind(property_.type, value)) {
      if (property_.type == PropertyType::index)
        return report(list ? codes_.wrong_listed_index : codes_.wrong_index, value, excerpt(value), type_name(property_.type),
                      element_is_optional(list) ? Effect::none : Effect::fallback);
      const JsonValue place = property_.type == PropertyType::string ? value : list;
      if (list) return report(codes_.wrong_element, place, excerpt(value), type_name(property_.type), Effect::fallback);
      return report(property_.wrong_type.value_or(codes_.wrong_type), value, excerpt(value), type_name(property_.type), Effect::fallback);
    }
    switch (property_.type) {
      case PropertyType::index:
        if (!whole_number(value))
          report(property_.range.value_or(list && value.number() == -1.0 ? codes_.placeholder : codes_.negative_index), value,
                 excerpt(value), {}, outside());
        return;
      case PropertyType::integer:
      case PropertyType::number:
        return number(value);
      case PropertyType::string:
        return word(value);
      default:
        return;
    }
  }

  [[nodiscard]] Effect effect() const { return effect_; }
  [[nodiscard]] std::optional<Finding>& cause() { return cause_; }

 private:
  void report(Code code, JsonValue at, const std::string& found, std::string_view expected, Effect effect) {
    Finding reported = finding(code, place_of(at, sink_), found, expected);
    if (effect > effect_) {
      effect_ = effect;
      cause_ = reported;
    }
    sink_.add(std::move(reported));
  }

  [[nodiscard]] Effect outside() const {
    constexpr Effect effects[] = {Effect::refuse, Effect::fallback, Effect::none};
    return effects[static_cast<std::size_t>(property_.out_of_range)];
  }

  // An invalid entry of an optional list of indices is ignored; the rest stays.
  [[nodiscard]] bool element_is_optional(JsonValue list) const {
    return static_cast<bool>(list) && property_.need == Property::Need::optional;
  }

  void number(JsonValue value) {
    const bool integer = property_.type == PropertyType::integer;
    const auto number = value.number();
    if (number && !property_.numbers.empty() && std::ranges::find(property_.numbers, *number) == property_.numbers.end())
      return report(codes_.choice, value, excerpt(value), join_text(property_.numbers, ", "), Effect::fallback);
    if (!number || (integer && !whole_number(value)))  // out of double's range, or a negative or huge integer
      return report(property_.range.value_or(codes_.range), value, excerpt(value), range_text(property_), Effect::refuse);
    if (!is_in_range(property_, *number))
      report(property_.range.value_or(codes_.range), value, excerpt(value), range_text(property_), outside());
    else if (integer && *whole_number(value) % property_.multiple_of != 0)
      report(codes_.multiple, value, excerpt(value), std::to_string(property_.multiple_of), Effect::none);
  }

  void word(JsonValue value) {
    if (is_word(property_, value)) return;
    report(codes_.choice, value, excerpt(value), join_text(property_.words, ", "), Effect::fallback);
  }

  void duplicates(JsonValue list) {
    std::unordered_set<std::string> seen;
    for (const JsonValue element : list.elements())
      if (right_kind(property_.type, element) &&
          !seen.emplace(element.is(JsonKind::string) ? element.string() : std::string(element.text())).second)
        report(codes_.duplicate, element, excerpt(element), {}, Effect::none);
  }

  [[nodiscard]] std::string expected_length() const {
    return property_.least == property_.most ? format_text("{}", property_.least) : format_text("{} or more", property_.least);
  }

  const Property& property_;
  const ObjectCodes& codes_;
  CappedSink& sink_;
  Effect effect_ = Effect::none;
  std::optional<Finding> cause_;
};

}  // namespace

std::optional<std::uint64_t> other_whole_number(JsonValue value) {
  if (!value) return std::nullopt;
  if (const auto integer = value.integer()) {
    if (*integer < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*integer);
  }
  const auto number = value.number();
  constexpr double exact = 9007199254740992.0;  // 2^53: larger doubles are not single integers
  if (!number || !(*number >= 0 && *number <= exact) || std::trunc(*number) != *number) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

JsonValue element(JsonValue list, JsonValue index) {
  const auto number = whole_number(index);
  return number && *number < list.size() ? list.at(static_cast<std::uint32_t>(*number)) : JsonValue();
}

std::string excerpt(JsonValue value) {
  constexpr std::size_t most = 40;
  const std::string_view text = value.text();
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // keeps whole UTF-8 characters
  return std::string(text.substr(0, end)) + "…";
}

bool is_in_range(const Property& property, double number) {
  if (number == property.also) return true;
  const bool low = property.above ? number <= property.minimum : number < property.minimum;
  return !low && !(property.below ? number >= property.maximum : number > property.maximum);
}

std::string range_text(const Property& property) {
  const bool open = property.minimum == std::numeric_limits<double>::denorm_min();
  const bool endless = property.maximum == std::numeric_limits<double>::infinity();
  if (open) return endless ? "more than 0" : format_text("more than 0, up to {}", property.maximum);
  if (property.above && endless) return format_text("more than {:.6g}", property.minimum);
  if (property.above || property.below)
    return format_text("{} {:.6g}, {} {:.6g}", property.above ? "more than" : "at least", property.minimum,
                       property.below ? "less than" : "at most", property.maximum);
  if (endless)
    return property.minimum >= 0 || property.type == PropertyType::integer ? format_text("at least {}", std::max(property.minimum, 0.0))
                                                                           : std::string("a finite number");
  return format_text("{} to {}", property.minimum, property.maximum);
}

const Property* find_row(const Rows& rows, const JsonMember& member) {
  const bool escaped = !member.key.is_plain_string();  // with escapes, it may be any name
  const auto has_name = [&](std::string_view name) {
    return escaped ? member.key.equals(name) : same_name(member.key.plain_string(), name);
  };
  const Property* found = nullptr;
  for (std::size_t row = escaped ? 0 : rows.first[key_hash(member.key.plain_string())]; row < rows.size(); ++row) {
    const Property& property = rows[row];
    if (!has_name(property.name) && (property.old_name.empty() || !has_name(property.old_name))) continue;
    const bool fits = may_be(property, member.value.kind());
    if (fits || found == nullptr) found = &property;
    if (fits) break;
  }
  return found;
}

const Property* find_row(const Table& table, const JsonMember& member) {
  if (const Property* row = find_row(table.rows, member)) return row;
  if (table.others != nullptr) return table.others;
  return table.ending != nullptr && member.key.string().ends_with(table.ending->name) ? table.ending : nullptr;
}

void report_unknown(JsonValue value, const Rows& table, Code code, CappedSink& sink) {
  if (!value.is(JsonKind::object)) return;
  const Json& json = *value.json();
  const std::uint32_t end = json.next(value.id());
  for (std::uint32_t key = json.below(value.id()), member = 0; key != end; key = json.next(member)) {
    member = json.next(key);
    const bool known = row_of_name(table, plain_key(json, key)) < table.size() || find_row(table, {{json, key}, {json, member}}) != nullptr;
    if (!known) sink.add(finding(code, place_of({json, member}, sink), nothing, nothing));
  }
}

Object::Object(JsonValue value, const Rows& table, const ObjectCodes& codes, CappedSink& sink, Unknown unknown)
    : value_(value), table_(&table), codes_(&codes) {
  assert(table.size() <= max_rows);
  ask_deadline();
  if (!value.is(JsonKind::object)) {
    defect_ = finding(codes.wrong_type, place_of(value, sink), excerpt(value), "object");
    sink.add(*defect_);
    return;
  }
  const Match matched = match();
  if (unknown == Unknown::report && matched.unknown) report_unknown(value, table, codes.unknown, sink);
  for (std::uint32_t rows = matched.rows | table.required; rows != 0; rows &= rows - 1) {
    const auto row = static_cast<std::size_t>(std::countr_zero(rows));
    if (slots_[row] == 0 || !is_plainly_right(table[row], *value.json(), slots_[row])) check(row, sink);
  }
}

// Of several values of a row the last counts; the new name has priority over the old one.
Object::Match Object::match() {
  const Json& json = *value_.json();
  const Rows& rows = *table_;
  Match found;
  const std::uint32_t end = json.next(value_.id());
  for (std::uint32_t key = json.below(value_.id()), next = 0; key != end; key = next) {
    const std::uint32_t value = json.next(key);
    next = json.next(value);
    std::size_t row = row_of_name(rows, plain_key(json, key));
    if (row == rows.size() || !may_be(rows[row], json.entry(value).kind())) {
      const Property* other = find_row(rows, {{json, key}, {json, value}});
      found.unknown |= other == nullptr;
      if (other == nullptr) continue;
      row = static_cast<std::size_t>(other - rows.data());
      if (slots_[row] != 0 && !JsonValue(json, key).equals(other->name)) continue;
    }
    slots_[row] = value;
    found.rows |= 1u << row;
  }
  return found;
}

// Checks a value that is missing or failed the fast test.
void Object::check(std::size_t row, CappedSink& sink) {
  const Property& property = (*table_)[row];
  const JsonValue value = at(row);
  if (!value) {
    Finding missing = finding(property.missing.value_or(codes_->missing), object_place(value_, sink), property.name, nothing);
    sink.add(missing);
    if (!defect_) defect_ = std::move(missing);
    return;
  }
  RowCheck checked(property, *codes_, sink);
  if (property.shape == Property::Shape::list)
    checked.list(value);
  else
    checked.value(value, {});
  if (checked.effect() == RowCheck::Effect::none) return;
  slots_[row] = 0;
  const bool required = property.need == Property::Need::required;
  if ((required || checked.effect() == RowCheck::Effect::refuse) && !defect_) defect_ = std::move(checked.cause());
}

bool Object::boolean(std::size_t row) const { return at(row).boolean().value_or((*table_)[row].fallback != 0); }

std::uint64_t Object::integer(std::size_t row) const {
  const auto value = whole_number(at(row));
  return value ? *value : static_cast<std::uint64_t>((*table_)[row].fallback);
}

double Object::number(std::size_t row) const { return at(row).number().value_or((*table_)[row].fallback); }

std::size_t Object::word(std::size_t row) const {
  const Property& property = (*table_)[row];
  const std::size_t place = place_of_word(property, at(row));
  return place < property.words.size() ? place : static_cast<std::size_t>(property.fallback);
}

void Object::numbers(std::size_t row, double* out) const {
  const JsonValue list = at(row);
  if (!list.is(JsonKind::array)) return;
  const Json& json = *list.json();
  const std::uint32_t end = json.next(list.id());
  for (std::uint32_t id = json.below(list.id()); id != end; id = json.next(id))
    *out++ = json.entry(id).is_real() ? json.real(id) : JsonValue(json, id).number().value_or(0);
}

}  // namespace sinew::document

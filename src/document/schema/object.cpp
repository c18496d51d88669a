// SPDX-License-Identifier: MIT
#include "document/schema/object.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <unordered_set>

#include "base/catalogue.hpp"

namespace sinew::document {

namespace {

// A pointer costs a walk over the value's siblings: not for findings that are only counted.
std::string pointer_of(JsonValue value, const CappedSink& sink) { return sink.full() ? std::string() : value.pointer(); }

// Findings about the root object's members point to "/", as the Khronos validator has it.
std::string object_pointer(JsonValue object, const CappedSink& sink) {
  std::string pointer = pointer_of(object, sink);
  return pointer.empty() ? "/" : pointer;
}

std::string_view type_name(PropertyType type) {
  switch (type) {
    case PropertyType::any:
      return "value";
    case PropertyType::boolean:
      return "boolean";
    case PropertyType::integer:
      return "integer";
    case PropertyType::index:
      return "index";
    case PropertyType::number:
      return "number";
    case PropertyType::string:
      return "string";
    case PropertyType::uri:
      return "URI";
    case PropertyType::object:
      return "object";
  }
  return "";
}

bool whole(JsonValue value) {
  if (value.integer()) return true;
  const auto number = value.number();
  return number && std::isfinite(*number) && std::trunc(*number) == *number;
}

// Whether it is a number without an exponent and below 10^100, which a double can hold. The entry says so, without the text.
bool is_decimal(JsonValue value) { return value.is(JsonKind::number) && !value.json()->entry(value.id()).special(); }

// Whether a value of that kind may be one of that type: what tells rows of one name apart.
bool may_be(PropertyType type, JsonKind kind) {
  constexpr JsonKind kinds[] = {JsonKind::missing, JsonKind::boolean, JsonKind::number, JsonKind::number,
                                JsonKind::number,  JsonKind::string,  JsonKind::string, JsonKind::object};
  return type == PropertyType::any || kinds[static_cast<std::size_t>(type)] == kind;
}

bool right_kind(PropertyType type, JsonValue value) {
  switch (type) {
    case PropertyType::any:
      return true;
    case PropertyType::boolean:
      return value.is(JsonKind::boolean);
    case PropertyType::integer:
    case PropertyType::index:
      return whole(value);
    case PropertyType::number:
      return value.is(JsonKind::number);
    case PropertyType::string:
    case PropertyType::uri:
      return value.is(JsonKind::string);
    case PropertyType::object:
      return value.is(JsonKind::object);
  }
  return false;
}

// A finding of a code that is known when the program runs. Messages have at most the two arguments that all uses give.
Finding finding_of(Code code, std::string pointer, const std::string& found = {}, std::string_view expected = {}) {
  return {code->code, code->severity, std::move(pointer), std::nullopt,
          fmt::vformat(code->message, fmt::make_format_args(found, expected))};
}

// Checks the value of one row, and keeps what follows for its use: the worst effect and the finding that has it.
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
    const bool any_finite = property_.type == PropertyType::number && property_.numbers.empty() && unbounded();
    for (const JsonValue element : list.elements())
      if (!any_finite || !is_decimal(element)) value(element, list);
    if (property_.items == Property::Items::unique) duplicates(list);
  }

  // `list`: the array that the value is an element of, if any. Wrong elements are reported at the array, except indices and strings.
  void value(JsonValue value, JsonValue list) {
    if (is_plainly_right(value)) return;
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

  // Most of what there is: one look tells that nothing is wrong.
  [[nodiscard]] bool is_plainly_right(JsonValue value) const {
    if (property_.type == PropertyType::number) return is_plain_number(value);
    if (property_.type != PropertyType::index && property_.type != PropertyType::integer) return false;
    const auto number = value.integer();
    if (!number || *number < 0) return false;
    if (property_.type == PropertyType::index) return true;
    return property_.numbers.empty() && !out_of_range(static_cast<double>(*number)) && *number % property_.multiple_of == 0;
  }

  // A number that need not be converted to know that it is in range.
  [[nodiscard]] bool is_plain_number(JsonValue value) const {
    if (!is_decimal(value) || !property_.numbers.empty()) return false;
    if (unbounded()) return true;
    const std::string_view text = value.text();
    const bool below_one = text.starts_with("0.") || text.starts_with("-0.");
    return below_one && property_.minimum <= -1 && property_.maximum >= 1;
  }

  [[nodiscard]] Effect effect() const { return effect_; }
  [[nodiscard]] std::optional<Finding>& cause() { return cause_; }

 private:
  void report(Code code, JsonValue at, const std::string& found, std::string_view expected, Effect effect) {
    Finding finding = finding_of(code, pointer_of(at, sink_), found, expected);
    if (effect > effect_) {
      effect_ = effect;
      cause_ = finding;
    }
    sink_.add(std::move(finding));
  }

  [[nodiscard]] Effect outside() const {
    constexpr Effect effects[] = {Effect::refuse, Effect::fallback, Effect::none};
    return effects[static_cast<std::size_t>(property_.outside)];
  }

  // A wrong entry of an optional list of indices is left out; the rest stays.
  [[nodiscard]] bool element_is_optional(JsonValue list) const {
    return static_cast<bool>(list) && property_.need == Property::Need::optional;
  }

  [[nodiscard]] bool unbounded() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return property_.minimum == -infinity && property_.maximum == infinity;
  }

  [[nodiscard]] bool out_of_range(double number) const {
    if (number == property_.also) return false;
    const bool low = property_.above ? number <= property_.minimum : number < property_.minimum;
    return low || (property_.below ? number >= property_.maximum : number > property_.maximum);
  }

  void number(JsonValue value) {
    const bool integer = property_.type == PropertyType::integer;
    const auto number = value.number();
    if (number && !property_.numbers.empty() && std::ranges::find(property_.numbers, *number) == property_.numbers.end())
      return report(codes_.choice, value, excerpt(value), fmt::format("{}", fmt::join(property_.numbers, ", ")), Effect::fallback);
    if (!number || (integer && !whole_number(value)))  // beyond double's range, or a negative or huge integer
      return report(property_.range.value_or(codes_.range), value, excerpt(value), expected_range(), Effect::refuse);
    if (out_of_range(*number))
      report(property_.range.value_or(codes_.range), value, excerpt(value), expected_range(), outside());
    else if (integer && *whole_number(value) % property_.multiple_of != 0)
      report(codes_.multiple, value, excerpt(value), std::to_string(property_.multiple_of), Effect::none);
  }

  void word(JsonValue value) {
    if (property_.words.empty() || std::ranges::any_of(property_.words, [&](std::string_view word) { return value.equals(word); })) return;
    report(codes_.choice, value, excerpt(value), fmt::format("{}", fmt::join(property_.words, ", ")), Effect::fallback);
  }

  void duplicates(JsonValue list) {
    std::unordered_set<std::string> seen;
    for (const JsonValue element : list.elements())
      if (right_kind(property_.type, element) &&
          !seen.emplace(element.is(JsonKind::string) ? element.string() : std::string(element.text())).second)
        report(codes_.duplicate, element, excerpt(element), {}, Effect::none);
  }

  [[nodiscard]] std::string expected_range() const {
    const bool open = property_.minimum == std::numeric_limits<double>::denorm_min();
    if (open)
      return property_.maximum == std::numeric_limits<double>::infinity() ? "more than 0"
                                                                          : fmt::format("more than 0, up to {}", property_.maximum);
    if (property_.above || property_.below)
      return fmt::format("{} {:.6g}, {} {:.6g}", property_.above ? "more than" : "at least", property_.minimum,
                         property_.below ? "less than" : "at most", property_.maximum);
    if (property_.maximum == std::numeric_limits<double>::infinity())
      return property_.minimum >= 0 || property_.type == PropertyType::integer
                 ? fmt::format("at least {}", std::max(property_.minimum, 0.0))
                 : std::string("a finite number");
    return fmt::format("{} to {}", property_.minimum, property_.maximum);
  }
  [[nodiscard]] std::string expected_length() const {
    return property_.least == property_.most ? fmt::format("{}", property_.least) : fmt::format("{} or more", property_.least);
  }

  const Property& property_;
  const ObjectCodes& codes_;
  CappedSink& sink_;
  Effect effect_ = Effect::none;
  std::optional<Finding> cause_;
};

}  // namespace

std::optional<std::uint64_t> whole_number(JsonValue value) {
  if (const auto integer = value.integer()) {
    if (*integer < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*integer);
  }
  const auto number = value.number();
  constexpr double exact = 9007199254740992.0;  // 2^53: larger doubles are not single integers
  if (!number || !(*number >= 0 && *number <= exact) || std::trunc(*number) != *number) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::string excerpt(JsonValue value) {
  constexpr std::size_t most = 40;
  const std::string_view text = value.text();
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // whole UTF-8 characters
  return std::string(text.substr(0, end)) + "…";
}

const Property* find_row(std::span<const Property> table, const JsonMember& member) {
  const Property* found = nullptr;
  const JsonKind kind = member.value.kind();
  // Whether the search is over.
  const auto take = [&](const Property& row) {
    const bool fits = may_be(row.type, kind);
    if (fits || found == nullptr) found = &row;
    return fits;
  };
  const std::string_view text = member.key.text();
  const std::string_view key = text.substr(1, text.size() - 2);
  if (member.key.json()->entry(member.key.id()).special() || key.empty()) {
    for (const Property& row : table)
      if ((member.key.equals(row.name) || (!row.old_name.empty() && member.key.equals(row.old_name))) && take(row)) break;
    return found;
  }
  // Most keys have no escapes: those are the bytes between the quotes. Length and first letter tell nearly all names apart.
  const auto is = [&](std::string_view name) { return name.size() == key.size() && name.front() == key.front() && name == key; };
  for (const Property& row : table)
    if ((is(row.name) || is(row.old_name)) && take(row)) break;
  return found;
}

void report_unknown(JsonValue value, std::span<const Property> table, Code code, CappedSink& sink) {
  for (const JsonMember member : value.members())
    if (find_row(table, member) == nullptr) sink.add(finding_of(code, pointer_of(member.value, sink)));
}

Object::Object(JsonValue value, std::span<const Property> table, const ObjectCodes& codes, CappedSink& sink)
    : value_(value), table_(table), codes_(&codes) {
  assert(table.size() <= max_rows);
  if (!value.is(JsonKind::object)) {
    defect_ = finding_of(codes.wrong_type, pointer_of(value, sink), excerpt(value), "object");
    sink.add(*defect_);
    return;
  }
  match();
  for (std::size_t row = 0; row < table_.size(); ++row)
    if (slots_[row] || table_[row].need == Property::Need::required) check(row, sink);
}

void Object::match() {
  for (const JsonMember member : value_.members())
    if (const Property* row = find_row(table_, member)) {
      JsonValue& slot = slots_[static_cast<std::size_t>(row - table_.data())];
      if (!slot || member.key.equals(row->name)) slot = member.value;  // of several the last; the name before the old name
    }
}

void Object::check(std::size_t row, CappedSink& sink) {
  const Property& property = table_[row];
  const bool required = property.need == Property::Need::required;
  if (!slots_[row]) {
    Finding missing = finding_of(property.missing.value_or(codes_->missing), object_pointer(value_, sink), std::string(property.name));
    sink.add(missing);
    if (!defect_) defect_ = std::move(missing);
    return;
  }
  RowCheck checked(property, *codes_, sink);
  if (property.shape == Property::Shape::list)
    checked.list(slots_[row]);
  else
    checked.value(slots_[row], {});
  if (checked.effect() == RowCheck::Effect::none) return;
  slots_[row] = {};
  if ((required || checked.effect() == RowCheck::Effect::refuse) && !defect_) defect_ = std::move(checked.cause());
}

bool Object::boolean(std::size_t row) const { return slots_[row].boolean().value_or(table_[row].fallback != 0); }

std::uint64_t Object::integer(std::size_t row) const {
  const auto value = whole_number(slots_[row]);
  return value ? *value : static_cast<std::uint64_t>(table_[row].fallback);
}

double Object::number(std::size_t row) const { return slots_[row].number().value_or(table_[row].fallback); }

std::size_t Object::word(std::size_t row) const {
  const auto& words = table_[row].words;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (slots_[row].equals(words[i])) return i;
  return static_cast<std::size_t>(table_[row].fallback);
}

std::optional<std::uint64_t> Object::index(std::size_t row) const { return whole_number(slots_[row]); }

SmallVector<double, 16> Object::numbers(std::size_t row) const {
  SmallVector<double, 16> values(slots_[row].size());
  std::size_t i = 0;
  for (const JsonValue element : slots_[row].elements()) values[i++] = element.number().value_or(0);
  return values;
}

}  // namespace sinew::document

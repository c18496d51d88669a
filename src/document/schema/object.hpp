// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/catalogue.hpp"
#include "document/container/capped_sink.hpp"
#include "document/json/json.hpp"

#include "sinew/array.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

/// How a property refers to elements.
enum class ReferenceForm : std::uint8_t {
  index,
  pointer,  ///< a JSON pointer into the file, whose steps contain indices; other texts refer to nothing
  name,     ///< the name of an element
  parallel  ///< a list with one object for each element of the list that it refers to, in the same order
};

/// How the property of a root's extension joins that of another file.
enum class Joining : std::uint8_t {
  add,    ///< elements of lists and members of objects are added; other values of the first file stay
  once,   ///< does the same, but elements that are equal are one
  named,  ///< does the same, but elements of equal "name" are joined
  first   ///< the value of the first file stays
};

/// The type of a property's value. An index is a non-negative integer that refers to an element of an array of the file.
enum class PropertyType : std::uint8_t { any, boolean, integer, index, number, string, uri, object };

/// The effect of a number out of range.
enum class OutOfRange : std::uint8_t {
  refuse,    ///< the object cannot be used
  fallback,  ///< the default is used
  keep       ///< it is used (a negative integer never is)
};

struct Property;

/// The rows of a table with a lookup index, built at compile time. Two rows may have the same name.
struct Rows : std::span<const Property> {
  std::array<std::uint8_t, 64> first = {};  ///< by key_hash: the first row with such a name, or the number of rows
  std::uint32_t required = 0;               ///< one bit per row

  constexpr Rows() = default;
  constexpr Rows(std::span<const Property> rows);
  template <std::size_t count>
  constexpr Rows(const Property (&rows)[count]) : Rows(std::span<const Property>(rows)) {}
  template <std::size_t count>
  constexpr Rows(const std::array<Property, count>& rows) : Rows(std::span<const Property>(rows)) {}
};

struct Table {
  Rows rows = {};
  const Property* others = nullptr;  ///< the row of all other members, if their names are free
  bool whole = false;                ///< the object's references count only if no required property is missing
  const Property* ending = nullptr;  ///< the row of other members whose names end with its name
  /// Returns the table that describes an object, if that depends on its content.
  const Table& (*kind)(JsonValue object) = nullptr;
};

/// Returns the table that describes an object of a kind.
[[nodiscard]] inline const Table& kind_of(JsonValue object, const Table& table) {
  return table.kind == nullptr ? table : table.kind(object);
}

/// One property of a JSON object, described once for the reader, the checks and the documentation. The codes replace the format's general
/// ones (ObjectCodes) for this property.
struct Property {
  std::string_view name;
  PropertyType type = PropertyType::any;
  enum class Need : std::uint8_t { optional, required } need = Need::optional;
  enum class Shape : std::uint8_t { single, list } shape = Shape::single;
  enum class Items : std::uint8_t { any, unique } items = Items::any;  ///< of a list
  std::uint32_t least = 1;                                             ///< fewest items of a list; EMPTY_ENTITY below 1
  std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool above = false;                                      ///< the minimum itself is not allowed
  bool below = false;                                      ///< the maximum itself is not allowed
  double also = std::numeric_limits<double>::quiet_NaN();  ///< an allowed number outside the range
  OutOfRange out_of_range = OutOfRange::refuse;
  std::uint32_t multiple_of = 1;                 ///< of an integer; only reported
  std::span<const double> numbers = {};          ///< allowed numbers; empty = all
  std::span<const std::string_view> words = {};  ///< allowed strings; empty = all
  double fallback = 0;                           ///< default of a number, integer or boolean, or the index of the default in `words`
  std::uint8_t reference = 0;                    ///< what an index refers to, in the numbering of the format's module; 0 = nothing
  ReferenceForm form = ReferenceForm::index;
  Joining joining = Joining::add;
  std::string_view of_list = {};        ///< of an index into a list that the root's extensions hold: "EXTENSION/list"
  bool loose = false;                   ///< a value of another type refers to nothing
  std::uint8_t usage = 0;               ///< the use of an index's target, in the numbering of the format's module
  std::string_view old_name = {};       ///< the same property in older revisions
  std::uint8_t revisions = 0xFF;        ///< revisions with `name`, one bit each, the oldest first
  std::uint8_t old_revisions = 0;       ///< revisions with `old_name`
  const Table* of = nullptr;            ///< the properties of the object, or of the objects of the list
  std::optional<Code> missing = {};     ///< arguments: the name
  std::optional<Code> wrong_type = {};  ///< arguments: found, expected
  std::optional<Code> range = {};       ///< the same; also of negative indices
  std::optional<Code> unresolved = {};  ///< arguments: the index, the number of elements, the name of their array
  std::optional<Code> empty = {};       ///< a list without items; it is still used if `least` is 0
};

/// Returns a property with another value of a member, for the short forms of tables.
template <class T>
[[nodiscard]] constexpr Property with(Property property, T Property::* member, std::type_identity_t<T> value) {
  property.*member = value;
  return property;
}
[[nodiscard]] constexpr Property listed(Property property) { return with(property, &Property::shape, Property::Shape::list); }

constexpr Rows::Rows(std::span<const Property> rows) : span(rows) {
  first.fill(static_cast<std::uint8_t>(size()));
  for (std::size_t row = size(); row-- > 0;) {
    if (rows[row].need == Property::Need::required) required |= 1u << row;
    for (const std::string_view name : {rows[row].name, rows[row].old_name})
      if (!name.empty()) first[key_hash(name)] = static_cast<std::uint8_t>(row);
  }
}

/// The rows of a table, followed by those that all objects of the format have.
template <std::size_t own, std::size_t common>
[[nodiscard]] constexpr std::array<Property, own + common> join_rows(const Property (&own_rows)[own],
                                                                     const Property (&common_rows)[common]) {
  std::array<Property, own + common> rows;
  std::copy_n(common_rows, common, std::copy_n(own_rows, own, rows.begin()));
  return rows;
}

/// A table that contains its rows: the only description of a kind of object.
template <std::size_t count>
struct TableOf : Table {
  std::array<Property, count> list;

  constexpr explicit TableOf(const std::array<Property, count>& properties, bool all_or_nothing = false)
      : Table{.whole = all_or_nothing}, list(properties) {
    rows = Rows(list);
  }
  TableOf(const TableOf&) = delete;  // `rows` is a view of a member
  TableOf& operator=(const TableOf&) = delete;
};

/// The codes of a format for violations of any property. Arguments as in Property.
struct ObjectCodes {
  Code missing = "UNDEFINED_PROPERTY"_code;
  Code unknown = "UNEXPECTED_PROPERTY"_code;  ///< no arguments
  Code wrong_type = "TYPE_MISMATCH"_code;
  Code wrong_element = "ARRAY_TYPE_MISMATCH"_code;
  Code wrong_index = "TYPE_MISMATCH"_code;
  Code wrong_listed_index = "INVALID_INDEX"_code;
  Code negative_index = "INVALID_INDEX"_code;
  Code placeholder = "INVALID_INDEX"_code;  ///< -1 in a list of indices
  Code range = "VALUE_NOT_IN_RANGE"_code;
  Code multiple = "VALUE_MULTIPLE_OF"_code;
  Code choice = "VALUE_NOT_IN_LIST"_code;
  Code empty = "EMPTY_ENTITY"_code;
  Code length = "ARRAY_LENGTH_NOT_IN_LIST"_code;
  Code duplicate = "DUPLICATE_ELEMENTS"_code;
};
inline constexpr ObjectCodes khronos_codes{};

/// Returns whether a property may have this number, and which numbers it may have: "more than 0".
[[nodiscard]] bool is_in_range(const Property& property, double number);
[[nodiscard]] std::string range_text(const Property& property);

/// Returns the row that describes a member: by name or old name, and among several by the kind of the value; nullptr if there is none.
[[nodiscard]] const Property* find_row(const Rows& rows, const JsonMember& member);
/// Does the same for a table, whose other members may have a row, too.
[[nodiscard]] const Property* find_row(const Table& table, const JsonMember& member);

/// Reports the members of an object that its table does not list.
void report_unknown(JsonValue value, const Rows& table, Code code, CappedSink& sink);

/// Whether an object reports the members that its table does not list, before everything else.
enum class Unknown : bool { ignore, report };

/// The values of one JSON object, matched to the rows of its table in one pass. Missing required and unusable values are findings at once.
/// An optional property with an invalid value counts as absent, so getters return its default. `defect` is set if the object is unusable.
/// Findings that a full sink would drop have no pointer.
class Object {
 public:
  Object(JsonValue value, const Rows& table, const ObjectCodes& codes, CappedSink& sink, Unknown unknown = Unknown::ignore);

  [[nodiscard]] JsonValue value() const { return value_; }
  [[nodiscard]] const Rows& table() const { return *table_; }
  /// Returns the first finding that makes the object unusable: a required property missing or wrong, an optional one out of range.
  [[nodiscard]] const Finding* defect() const { return defect_ ? &*defect_ : nullptr; }

 protected:
  static constexpr std::size_t max_rows = 24;

  [[nodiscard]] JsonValue at(std::size_t row) const { return slots_[row] != 0 ? JsonValue(*value_.json(), slots_[row]) : JsonValue(); }
  [[nodiscard]] bool boolean(std::size_t row) const;
  [[nodiscard]] std::uint64_t integer(std::size_t row) const;
  [[nodiscard]] double number(std::size_t row) const;
  [[nodiscard]] std::size_t word(std::size_t row) const;
  void numbers(std::size_t row, double* out) const;

 private:
  struct Match {
    std::uint32_t rows = 0;  ///< that have a value, one bit each
    bool unknown = false;    ///< there are other members
  };
  [[nodiscard]] Match match();
  void check(std::size_t row, CappedSink& sink);

  JsonValue value_;
  const Rows* table_;
  const ObjectCodes* codes_;
  std::array<std::uint32_t, max_rows> slots_ = {};  ///< ids of the values; 0 (the root's id): absent
  std::optional<Finding> defect_;
};

/// An object with a given table.
template <const auto& described_by, const ObjectCodes& codes = khronos_codes>
class ObjectOf : public Object {
  static_assert(described_by.rows.size() <= max_rows);

 public:
  /// A row of the table by its name, found at compile time: an unknown name does not compile. If two rows (of different revisions) have the
  /// name, it is the first one, or the one with the given type.
  class Row {
   public:
    consteval Row(const char* name) {  // NOLINT(google-explicit-constructor): a name converts to its row
      while (described_by.rows[place].name != name) ++place;
    }
    consteval Row(const char* name, PropertyType type) {
      while (described_by.rows[place].name != name || described_by.rows[place].type != type) ++place;
    }
    constexpr explicit Row(std::size_t number) : place(number) {}
    [[nodiscard]] constexpr const Property& property() const { return described_by.rows[place]; }
    [[nodiscard]] constexpr bool operator==(const Row&) const = default;

    std::size_t place = 0;
  };

  ObjectOf(JsonValue value, CappedSink& sink) : Object(value, described_by.rows, codes, sink) {}

  /// Returns the value; missing if it is absent or unusable.
  [[nodiscard]] JsonValue operator[](Row row) const { return at(row.place); }
  [[nodiscard]] bool has(Row row) const { return static_cast<bool>(at(row.place)); }
  /// Returns the value or the table's default.
  [[nodiscard]] bool boolean(Row row) const { return Object::boolean(row.place); }
  [[nodiscard]] std::uint64_t integer(Row row) const { return Object::integer(row.place); }
  [[nodiscard]] double number(Row row) const { return Object::number(row.place); }
  [[nodiscard]] std::string string(Row row) const { return at(row.place).string(); }
  /// Returns the index of the string in the allowed words.
  [[nodiscard]] std::size_t word(Row row) const { return Object::word(row.place); }
  [[nodiscard]] std::optional<std::uint64_t> index(Row row) const { return whole_number(at(row.place)); }
  template <std::size_t Inline = 16>
  [[nodiscard]] SmallVector<double, Inline> numbers(Row row) const {
    SmallVector<double, Inline> values(at(row.place).size());
    Object::numbers(row.place, values.data());
    return values;
  }
  [[nodiscard]] static constexpr const Property& property(Row row) { return row.property(); }
  /// Returns the first row with a name, or the number of rows.
  [[nodiscard]] static constexpr std::size_t place_of(std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(described_by.rows, name, &Property::name) - described_by.rows.begin());
  }
};

/// The rows of the root object for the arrays that references refer to; the number of rows for other references.
template <class Of, class Reference>
[[nodiscard]] consteval auto rows_of_arrays(std::string_view (*name)(Reference)) {
  constexpr std::size_t count = static_cast<std::size_t>(Reference::count);
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{typename Of::Row(Of::place_of(name(static_cast<Reference>(i))))...};
  }(std::make_index_sequence<count>());
}

/// whole_number for values that are no short integers.
[[nodiscard]] std::optional<std::uint64_t> other_whole_number(JsonValue value);
/// Returns a whole, non-negative number that is represented exactly ("3", also "3.0"), otherwise nothing.
[[nodiscard]] inline std::optional<std::uint64_t> whole_number(JsonValue value) {
  if (value && value.json()->entry(value.id()).is_short_integer()) return value.json()->entry(value.id()).amount();
  return other_whole_number(value);
}

/// Returns the element of a list at an index, both values of the file; missing if there is none.
[[nodiscard]] JsonValue element(JsonValue list, JsonValue index);

/// Returns the start of a value's text, for messages.
[[nodiscard]] std::string excerpt(JsonValue value);

}  // namespace sinew::document

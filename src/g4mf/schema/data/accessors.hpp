// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "g4mf/schema/data/buffers.hpp"

namespace sinew::g4mf {

/// What a property demands of the accessor that it names.
struct Demand {
  enum class Type : std::uint8_t { number, floating, integer, unsigned_integer } type = Type::number;
  std::size_t width = 0;  ///< 0 = any
  Code wrong_type = codes.wrong_type;
  Code wrong_width = codes.wrong_type;  ///< arguments of both: what was found, what was expected
};

/// The file's accessors. Data are read when first asked for: borrowed where the alignment allows it.
class Accessors {
 public:
  Accessors(Reader& reader, Buffers& buffers);

  /// All elements of an accessor, which stay what they are stored as: integers are never normalised.
  [[nodiscard]] const Checked<Array>& array(Index index);
  /// The accessor that `at` names, if it is as demanded.
  [[nodiscard]] Checked<Array> array(JsonValue at, Index index, const Demand& demand);
  /// The same for a row of an object that has it.
  template <const auto& table>
  [[nodiscard]] Checked<Array> array(const Item<table>& object, typename Item<table>::Row row, const Demand& demand) {
    const auto index = reader_.resolve(object, row);
    if (!index) return Refused(index.error());
    return array(object[row], *index, demand);
  }
  /// "3 × float32".
  [[nodiscard]] static std::string text(const Array& array);
  /// Reads what nobody has asked for, so that everything wrong with it is reported.
  void read_all();

 private:
  [[nodiscard]] Checked<Array> read(JsonValue value);
  [[nodiscard]] Refused refuse_type(JsonValue value);

  Reader& reader_;
  Buffers& buffers_;
  std::vector<JsonValue> values_;
  std::vector<std::optional<Checked<Array>>> arrays_;
};

/// "float32".
[[nodiscard]] std::string_view component_name(ComponentType type);
/// The first row with a component that is not below `limit` or is negative, if any. The array holds integers.
[[nodiscard]] std::optional<std::size_t> first_outside(const Array& integers, std::uint64_t limit);
/// The first row with a number that is not finite; the number of rows if all are finite.
[[nodiscard]] std::size_t first_not_finite(const Array& array);
/// The components of a row as text, for messages.
[[nodiscard]] std::string text_of_row(const Array& array, std::size_t row);

}  // namespace sinew::g4mf

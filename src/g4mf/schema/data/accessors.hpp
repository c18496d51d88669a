// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "g4mf/schema/data/buffers.hpp"

namespace sinew::g4mf {

/// The type and width that a property requires of its accessor.
struct AccessorRequirement {
  enum class Type : std::uint8_t { number, floating, integer, unsigned_integer } type = Type::number;
  std::size_t width = 0;  ///< 0 = any
  Code wrong_type = codes.wrong_type;
  Code wrong_width = codes.wrong_type;  ///< arguments of both codes: found, expected
};

/// The file's accessors. Reads data on first use, and borrows it if the alignment allows that.
class Accessors {
 public:
  Accessors(Reader& reader, Buffers& buffers);

  /// Returns all elements in their stored type; integers are never normalised.
  [[nodiscard]] const Checked<Array>& array(Index index);
  /// Returns the accessor at `at` if it meets the requirement.
  [[nodiscard]] Checked<Array> array(JsonValue at, Index index, const AccessorRequirement& requirement);
  /// Does the same for a row of an object. Precondition: the object has it.
  template <const auto& table>
  [[nodiscard]] Checked<Array> array(const Item<table>& object, typename Item<table>::Row row, const AccessorRequirement& requirement) {
    const auto index = reader_.resolve(object, row);
    if (!index) return Refused(index.error());
    return array(object[row], *index, requirement);
  }
  /// Returns the accessor with an index; nullptr if it is no index of one, or if the accessor cannot be used.
  [[nodiscard]] const Array* find(JsonValue index);
  /// Returns "3 × float32".
  [[nodiscard]] static std::string text(const Array& array);
  /// Reads all accessors, so that everything wrong with them is reported.
  void read_all();

 private:
  [[nodiscard]] Checked<Array> read(JsonValue value);
  [[nodiscard]] Refused refuse_type(JsonValue value);

  Reader& reader_;
  Buffers& buffers_;
  std::vector<JsonValue> values_;
  std::vector<std::optional<Checked<Array>>> arrays_;
};

/// Parts of a document, read without a report: reading all of it reports the findings.
struct QuietReading {
  explicit QuietReading(const Document& document, const ReadOptions& options = {})
      : reader(document, ignored, model, options), buffers(reader), accessors(reader, buffers) {}

  [[nodiscard]] const Error& error_of(Defect defect) const { return model.defects[defect.index]; }

  FindingList ignored;
  Model model;
  Reader reader;
  Buffers buffers;
  Accessors accessors;
};

/// Returns "float32".
[[nodiscard]] std::string_view component_name(ComponentType type);
/// Returns the first row with a component that is negative or not below `limit`. Precondition: the array has integers.
[[nodiscard]] std::optional<std::size_t> first_outside(const Array& integers, std::uint64_t limit);
/// Returns the first row with a number that is not finite, or the number of rows.
[[nodiscard]] std::size_t first_not_finite(const Array& array);
[[nodiscard]] std::string text_of_row(const Array& array, std::size_t row);

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue_gltf.hpp"
#include "gltf/read/parsed.hpp"

namespace sinew::gltf {

/// What a buffer view says of itself; empty where that is no possible value.
struct ViewLayout {
  std::optional<std::uint64_t> offset;
  std::optional<std::uint64_t> length;
  std::optional<std::uint64_t> stride;  ///< also empty where absent
  Index buffer = none;
};

/// An accessor as far as its properties are known: rules hold for it also where its data cannot be used.
struct AccessorFacts : AccessorFormat {
  bool known = false;     ///< it is an object
  bool usable = false;    ///< nothing in its own object keeps its data from being used
  bool in_place = false;  ///< it lies in its view as it should: aligned, inside, elements apart

  /// Whether the file has bytes for it where they should be; else there is nothing that rules about values could look at.
  [[nodiscard]] bool has_data() const { return usable && in_place && (view != none || sparse); }
};

/// What the checks of one document share: the document, what reading made of it, and the sink of findings.
class Checker : public document::Reporter {
 public:
  Checker(const document::Document& document, FindingSink& sink);

  [[nodiscard]] const Root& root() const { return parsed_.reader.root(); }
  [[nodiscard]] const Model& model() const { return parsed_.model; }
  [[nodiscard]] Parsed& parsed() { return parsed_; }
  [[nodiscard]] const Finding* cut() const;

  /// The object by the table of `Of`. Reports nothing: check_objects does.
  template <class Of>
  [[nodiscard]] Of object(JsonValue value) {
    return Of(value, silence_.sink());
  }
  [[nodiscard]] document::CappedSink& silence() { return silence_.sink(); }
  /// The index in a row; `none` where it is absent or there is no such element.
  template <const auto& table, const auto& codes>
  [[nodiscard]] Index index(const document::ObjectOf<table, codes>& object, typename document::ObjectOf<table, codes>::Row row) const {
    const auto index = object.index(row);
    return index && *index < root().count(static_cast<Reference>(object.property(row).reference)) ? static_cast<Index>(*index) : none;
  }

  /// The accessor that an index names; nullptr where there is none.
  [[nodiscard]] const AccessorFacts* accessor(JsonValue index) const;
  /// The elements of a known accessor, zeros where it has no data; nothing where they cannot be used.
  [[nodiscard]] std::optional<Array> array(const AccessorFacts& accessor);
  [[nodiscard]] Index index_of(const AccessorFacts& accessor) const { return static_cast<Index>(&accessor - accessors.data()); }

  /// Reports what reading alone can know: what files and decoders say, and how nodes, skins and skeletons hang together.
  void report_reading();

  std::vector<AccessorFacts> accessors;
  std::vector<ViewLayout> views;
  std::vector<bool> lost_buffers;            ///< their data is not what the file says: it is not checked
  std::set<std::string> checked_influences;  ///< primitives with joints outside of the skin that have been reported

 private:
  FindingList found_;  ///< by reading
  Parsed parsed_;
  document::Silence silence_;
};

/// An object that only checks look at, its values asked for by their names. check_objects has reported what its table says:
/// this reports nothing.
class CheckedObject : public document::Object {
 public:
  CheckedObject(Checker& checker, JsonValue value, const document::Table& table)
      : Object(value, table.rows, document::khronos_codes, checker.silence()) {}

  using Object::at;
  /// The value; missing where it is absent or unusable. Precondition of all: the table has such a row.
  [[nodiscard]] JsonValue operator[](std::string_view name) const { return at(row_of(name)); }
  [[nodiscard]] bool boolean(std::string_view name) const { return Object::boolean(row_of(name)); }
  /// Returns the default if the number is absent, and NaN if it is unusable. Every comparison with NaN is false.
  [[nodiscard]] double number(std::string_view name) const;
  /// The index where there is such an element, else `none`.
  [[nodiscard]] Index index(std::string_view name, const Checker& checker) const;
  [[nodiscard]] bool knows(std::string_view name) const;

 private:
  [[nodiscard]] std::size_t row_of(std::string_view name) const;
};

/// Calls `each(name, value)` for the extension objects of an object that the file declares to use.
template <class Each>
void for_each_extension(const Checker& checker, JsonValue object, const Each& each) {
  for (const document::JsonMember member : object["extensions"].members()) {
    const std::string name = member.key.string();
    if (member.value.is(JsonKind::object) && checker.root().uses_extension(name)) each(std::string_view(name), member.value);
  }
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue_gltf.hpp"
#include "gltf/read/parsed.hpp"
#include "model/scan_memo.hpp"

namespace sinew::gltf {

/// The declared layout of a buffer view. A member is empty if the stored value is invalid.
struct ViewLayout {
  std::optional<std::uint64_t> offset;
  std::optional<std::uint64_t> length;
  std::optional<std::uint64_t> stride;  ///< also empty if absent
  Index buffer = none;
};

/// The known properties of an accessor. Rules apply to them even if its data cannot be used.
struct AccessorFacts : AccessorFormat {
  bool known = false;                                   ///< the accessor is a JSON object
  bool usable = false;                                  ///< its own properties are valid enough to use its data
  bool in_place = false;                                ///< it is aligned and inside its view, and its elements do not overlap
  bool comparable_min = false, comparable_max = false;  ///< the stored limit can be compared with values

  /// Returns whether the file has bytes where the accessor expects them. Without them no rule about values applies.
  [[nodiscard]] bool has_data() const { return usable && in_place && (view != none || sparse); }
};

/// Forwards findings, and remembers which rule was broken where.
class Recorder : public FindingSink {
 public:
  explicit Recorder(FindingSink& sink) : out_(sink) {}
  void add(Finding found) override {
    seen_.emplace(found.code, found.pointer);
    out_.add(std::move(found));
  }
  [[nodiscard]] bool has(const Finding& found) const { return seen_.contains({found.code, found.pointer}); }

 private:
  FindingSink& out_;
  std::set<std::pair<std::string_view, std::string>> seen_;
};

/// The state that all checks of a document share: the document, the result of reading, and the sink of findings.
class Checker : private Recorder, public Reporter {
 public:
  Checker(const Document& document, FindingSink& sink);

  [[nodiscard]] const Root& root() const { return parsed_.reader.root(); }
  [[nodiscard]] const Model& model() const { return parsed_.model; }
  [[nodiscard]] Parsed& parsed() { return parsed_; }
  [[nodiscard]] const Finding* cut() const;

  /// Parses an object by the table of `Of`. Reports nothing, because check_objects does.
  template <class Of>
  [[nodiscard]] Of object(JsonValue value) {
    return Of(value, silence_.sink());
  }
  [[nodiscard]] CappedSink& silence() { return silence_.sink(); }
  /// Returns the index in a row; `none` if it is absent or no such element exists.
  template <const auto& table, const auto& codes>
  [[nodiscard]] Index index(const ObjectOf<table, codes>& object, typename ObjectOf<table, codes>::Row row) const {
    return root().plain_index(object[row], static_cast<Reference>(object.property(row).reference));
  }

  /// Returns the accessor with an index, or nullptr.
  [[nodiscard]] const AccessorFacts* accessor(JsonValue index) const;
  /// Returns the elements of a known accessor: zeros if it has no data, nothing if they cannot be used.
  [[nodiscard]] std::optional<Array> array(const AccessorFacts& accessor);
  [[nodiscard]] Index index_of(const AccessorFacts& accessor) const { return static_cast<Index>(&accessor - accessors.data()); }

  /// Reports the findings that only reading can have: about files, decoders, and the relations between nodes, skins and skeletons.
  void report_reading();

  /// Numbers that scans of values found: rows, or one count.
  using Numbers = std::vector<std::uint64_t>;
  [[nodiscard]] ScanMemo<Numbers>& scans() { return scans_; }
  [[nodiscard]] WorkMeter& work() { return work_; }

  std::vector<AccessorFacts> accessors;
  std::vector<ViewLayout> views;
  std::vector<bool> lost_buffers;  ///< buffers whose data does not match its declaration; it is not checked

 private:
  FindingList found_;  ///< from reading
  Parsed parsed_;
  Silence silence_;
  WorkMeter work_;
  ScanMemo<Numbers> scans_;
};

/// An object that only checks read, with access to values by name. Reports nothing, because check_objects does.
class CheckedObject : public Object {
 public:
  CheckedObject(Checker& checker, JsonValue value, const Table& table) : Object(value, table.rows, khronos_codes, checker.silence()) {}

  using Object::at;
  /// Returns the value, or a missing value if it is absent or unusable. Precondition of all accessors: the table has such a row.
  [[nodiscard]] JsonValue operator[](std::string_view name) const { return at(row_of(name)); }
  [[nodiscard]] bool boolean(std::string_view name) const { return Object::boolean(row_of(name)); }
  /// Returns the default if the number is absent, and NaN if it is unusable. Every comparison with NaN is false.
  [[nodiscard]] double number(std::string_view name) const;
  /// Returns the index if such an element exists, else `none`.
  [[nodiscard]] Index index(std::string_view name, const Checker& checker) const;
  [[nodiscard]] bool knows(std::string_view name) const;

 private:
  [[nodiscard]] std::size_t row_of(std::string_view name) const;
};

/// Calls `each(name, value)` for each extension object that the file declares in extensionsUsed.
template <class Each>
void for_each_extension(const Checker& checker, JsonValue object, const Each& each) {
  for (const JsonMember member : object["extensions"].members()) {
    const std::string name = member.key.string();
    if (member.value.is(JsonKind::object) && checker.root().uses_extension(name)) each(std::string_view(name), member.value);
  }
}

}  // namespace sinew::gltf

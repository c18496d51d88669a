// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// The four severities of the Khronos glTF-Validator, with its numbers.
enum class Severity : std::uint8_t { error = 0, warning = 1, information = 2, hint = 3 };

[[nodiscard]] std::string_view to_string(Severity severity);

/// Where in a JSON text something begins. In a binary container lines are those of its JSON chunk.
struct Position {
  std::uint64_t line = 1;
  std::uint64_t column = 1;           ///< in characters (Unicode code points), from 1
  std::optional<std::uint64_t> byte;  ///< from the start of the file; nothing where the text was decompressed
  bool operator==(const Position&) const = default;
};

/// What a check measured. Findings of one code are compared by it.
struct Measure {
  double off = 0;            ///< distance of the value from what the rule expects
  std::string_view of = {};  ///< what has the value, in the plural: "vertices"; lives as long as the program
};

/// One result of a check. `code` points into the findings catalogue and lives as long as the program.
struct Finding {
  std::string_view code;
  Severity severity = Severity::error;
  std::string pointer;                  ///< JSON pointer; meaningful when `offset` is empty
  std::optional<std::uint64_t> offset;  ///< byte offset in the container, for findings outside the JSON text
  std::string message;
  std::optional<Measure> measure = {};
  std::optional<Position> position = {};  ///< of the value; only where somebody looked for it (validate does)
};

/// Receives findings in the order in which they are met. Not called from several threads at once.
class FindingSink {
 public:
  virtual ~FindingSink() = default;
  virtual void add(Finding finding) = 0;
};

/// Keeps what it is given.
class FindingList final : public FindingSink {
 public:
  void add(Finding finding) override { list_.push_back(std::move(finding)); }
  [[nodiscard]] const std::vector<Finding>& list() const { return list_; }

 private:
  std::vector<Finding> list_;
};

/// What the catalogue says about a code; nullptr where there is no such code.
struct CatalogueRow {
  std::string_view code;
  Severity severity;
  std::string_view message;  ///< fmt template; arguments are checked against it at compile time
};
[[nodiscard]] const CatalogueRow* find_code(std::string_view code);
[[nodiscard]] std::span<const CatalogueRow> all_codes();

/// What a code's rule is for, in whole sentences.
struct Explanation {
  std::string_view code;
  std::string_view formats;         ///< "glTF 2.0", "G4MF", "G4MF 2026-07", "STAIK_skeletons", "any model"; "program": no rule about files
  std::string_view why;             ///< what the rule says and what goes wrong where it is broken
  std::string_view mend;            ///< what to do about it
  std::string_view source;          ///< document and section of the rule
  std::string_view unchecked = {};  ///< why no program can check the rule; empty = it is checked
};
/// nullptr where there is no such code.
[[nodiscard]] const Explanation* explain(std::string_view code);

}  // namespace sinew

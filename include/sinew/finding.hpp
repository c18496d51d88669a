// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// The four severities of the Khronos glTF-Validator, with its numbers.
enum class Severity : std::uint8_t { error = 0, warning = 1, information = 2, hint = 3 };

[[nodiscard]] std::string_view to_string(Severity severity);

/// One result of a check. `code` points into the findings catalogue and lives as long as the program.
struct Finding {
  std::string_view code;
  Severity severity = Severity::error;
  std::string pointer;                  ///< JSON pointer; meaningful when `offset` is empty
  std::optional<std::uint64_t> offset;  ///< byte offset in the container, for findings outside the JSON text
  std::string message;
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

}  // namespace sinew

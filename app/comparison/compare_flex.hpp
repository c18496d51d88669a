// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "comparison/compare_files.hpp"
#include "reports/flex_report.hpp"

namespace app {

/// What one file deforms worse than the other one.
struct ComparedFlex {
  FlexedFile a, b;
  std::vector<sinew::operations::FlexChange> changes;  ///< of the reports

  /// Returns whether a warning or an error is new or worse.
  [[nodiscard]] bool fails() const;
};

/// Bends both models of a comparison.
[[nodiscard]] sinew::Result<ComparedFlex> compare_flex(const ComparedFiles& files, const CompareOptions& options, const Common& common);

/// The member "flex" of a comparison.
[[nodiscard]] Json to_json(const ComparedFlex& flex);
/// A line for each change, and a summary. Notes only with -v.
[[nodiscard]] std::string to_text(const ComparedFlex& flex, const Terminal& terminal);

}  // namespace app

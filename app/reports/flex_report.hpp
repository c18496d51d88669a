// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "console/json.hpp"
#include "console/terminal.hpp"

#include "sinew/flex.hpp"
#include "sinew/model.hpp"
#include "sinew/validate.hpp"

namespace app {

/// A report with what is needed to print it without the model.
struct FlexedFile {
  std::string file;
  sinew::operations::FlexReport report;
  std::vector<std::string> joints;    ///< by finding: the name of the joint; empty: none
  std::vector<std::string> clips;     ///< by finding: the name of the clip of its pose
  std::vector<std::string> pictures;  ///< by finding: file name; empty: none
};

[[nodiscard]] FlexedFile flexed_file(std::string file, const sinew::Model& model, sinew::operations::FlexReport report);

/// What a line shows as the subject of a finding: the joint, else the blend shape.
[[nodiscard]] std::string flex_subject(const FlexedFile& file, std::size_t finding);
/// The members of a finding, of a report's summary, and of its checks that did not run.
[[nodiscard]] Json flex_finding_json(const FlexedFile& file, std::size_t finding);
[[nodiscard]] Json flex_summary_json(const sinew::operations::FlexReport& report);
[[nodiscard]] Json flex_skipped_json(const sinew::operations::FlexReport& report);

[[nodiscard]] Json flex_json(const FlexedFile& file);
/// Lines of findings, the worst first, and a summary. Notes only with -v.
[[nodiscard]] std::string flex_text(const FlexedFile& file, const std::function<bool(const sinew::operations::FlexFinding&)>& fails,
                                    const Terminal& terminal);
/// The findings as those of validate, for SARIF; their places are names of joints.
[[nodiscard]] sinew::validate::Report flex_findings(const FlexedFile& file);

}  // namespace app

// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "conformance/suite.hpp"
#include "console/terminal.hpp"

namespace app {

/// The results of one engine over the cases; both have the same order.
struct ConformanceReport {
  std::string engine;  ///< the command, or "Sinew 0.3.0"
  std::string call;    ///< the command line that runs the engine over the suite
  std::span<const ConformanceCase> cases;
  std::span<const ConformanceResult> results;

  [[nodiscard]] std::size_t count(ConformanceResult::State state) const;
  [[nodiscard]] bool passes() const;  ///< every covered case passes
};

/// Lists the cases that do not pass, each with its rule and source, and counts the cases that pass by status.
[[nodiscard]] std::string to_text(const ConformanceReport& report, const Terminal& terminal);
[[nodiscard]] std::string to_json(const ConformanceReport& report);
/// A page of its own, with all cases.
[[nodiscard]] std::string to_html(const ConformanceReport& report);

}  // namespace app

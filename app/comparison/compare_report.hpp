// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "console/json.hpp"
#include "console/terminal.hpp"

#include "sinew/compare.hpp"

namespace app {

struct CompareOptions {
  std::string a, b;
  double tolerance = 1e-5;
  std::optional<double> max_distance;
  bool match = false;
  bool surfaces = false;
  bool attributes = false;
  bool clips = false;
  std::size_t worst = 0;
  std::string heat;
  bool keep_distances = false;  ///< of each vertex: for heat_of
  bool flex = false;  ///< also compare how the files deform; the status is about that
  bool json = false;

  /// The tolerance relative to the diagonal, of --tolerance or of --max-distance.
  [[nodiscard]] double relative_to(const sinew::operations::Comparison& comparison) const;
};

/// A pair of files, with all of the result.
[[nodiscard]] Json to_json(const sinew::operations::Comparison& comparison, const CompareOptions& options);

/// "proved", "bound" and "why", for a tolerance relative to the diagonal.
[[nodiscard]] Json every_pose_json(const sinew::operations::Comparison& comparison, double tolerance);

/// The rows of all mesh instances and tables, and the verdict at the end. `reordered`: pairs by position are much nearer.
[[nodiscard]] std::string to_text(const sinew::operations::Comparison& comparison, const CompareOptions& options, bool reordered,
                                  const Terminal& terminal);

/// The largest distance of pairs that are measured separately (InstancePair::apart); 0: none.
[[nodiscard]] double apart_max(const sinew::operations::Comparison& comparison);

/// The verdict with its largest distance, without a newline.
[[nodiscard]] std::string verdict_line(const sinew::operations::Comparison& comparison, const CompareOptions& options);

}  // namespace app

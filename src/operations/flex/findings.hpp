// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "operations/flex/figure.hpp"

namespace sinew::operations::bend {

/// A vertex beyond a limit, and how far.
struct Mark {
  double value;
  Number vertex;
};

/// A finding before its text is made.
struct Found {
  FlexKind kind = FlexKind::tear;
  Severity severity = Severity::information;
  Number joint = nothing;  ///< of Figure::joints
  double value = 0, limit = 0;
  std::string_view unit;
  FlexPose pose;
  bool exact = false;
  std::size_t count = 0;    ///< 0: the marks
  std::vector<Mark> marks;  ///< may repeat a vertex
  std::string_view detail;  ///< a phrase of the message, chosen by the kind
};

/// Keeps the worst pose of each joint, shape or clip for each kind. The result depends on the order of offers only where they are equal.
class Findings {
 public:
  /// Returns whether a finding would be kept.
  [[nodiscard]] bool wants(const Found& found) const;
  void offer(Found found);
  void merge(Findings&& other);
  /// Makes the list of a report.
  [[nodiscard]] std::vector<FlexFinding> finish(const Figure& figure) const;

 private:
  using Key = std::tuple<FlexKind, Number, std::string>;
  [[nodiscard]] static Key key_of(const Found& found);
  std::map<Key, Found> kept_;
};

/// Returns the severity of a value by two limits; information below the first.
[[nodiscard]] constexpr Severity severity_of(double value, double warning, double error) {
  return value >= error ? Severity::error : value >= warning ? Severity::warning : Severity::information;
}

/// "at -90° about X", "in \"Run\" at 0.40 s", "with jawOpen at 1"; empty at rest.
[[nodiscard]] std::string pose_text(const Model& model, const FlexPose& pose);

}  // namespace sinew::operations::bend

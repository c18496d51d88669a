// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "operations/flex/moves.hpp"
#include "show/page/packet.hpp"
#include "show/page/view_state.hpp"
#include "show/page/viewer.hpp"

#include "sinew/flex.hpp"
#include "sinew/model.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

/// What the page knows of ViewOptions::flex: a list of findings, each with the state that shows its worst pose and the rows to mark.
class FlexFindings {
 public:
  /// Also binds the viewer to the rest pose of the findings. Precondition: options.flex. Keeps references to `model` and the report.
  [[nodiscard]] static Result<FlexFindings> create(const Model& model, const ViewOptions& options, Viewer& viewer);

  [[nodiscard]] const Pose& rest() const { return moves_.rest; }

  /// Returns the state in which a finding was found; `share` below 1: on the way to it. Clips play `lead` seconds up to the moment.
  [[nodiscard]] ViewState state(std::size_t finding, double share) const;
  static constexpr double lead = 0.8;

  /// Adds frames for pages that cannot compute, as far as there is room, and returns how many each finding has. The last one is exact. The
  /// packet "/played" has the frame of the rest pose, "/played K I" the rows of frame I of finding K that differ from it.
  [[nodiscard]] Result<std::vector<std::size_t>> add_played(Viewer& viewer, Packet& packet) const;

  /// Returns `{"summary": {…}, "skipped": […], "notCovered": […], "lead": SECONDS, "findings": [{"code", "severity", "subject", "node",
  /// "message", "vertices", "rows", "worst", "state", "frames"}]}`: how many vertices to mark, and their rows of frames; a state as
  /// read_state reads it. `frames`: of add_played; empty: the page computes.
  [[nodiscard]] std::string json(std::span<const std::size_t> frames = {}) const;

 private:
  FlexFindings(const Model& model, const operations::FlexReport& report) : model_(&model), report_(&report) {}
  void write_finding(document::JsonWriter& json, std::size_t finding) const;
  void write_state(document::JsonWriter& json, std::size_t finding) const;
  void write_rows(document::JsonWriter& json, std::string_view key, std::span<const std::size_t> rows) const;

  const Model* model_;
  const operations::FlexReport* report_;
  operations::bend::Moves moves_;
  std::vector<std::size_t> first_row_;     ///< by row of `deform`: where its rows of frames begin
  std::vector<std::uint32_t> frame_rows_;  ///< of all rows of `deform`
};

}  // namespace sinew::show

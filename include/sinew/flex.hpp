// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

// Flex: bends a rig in every joint, clip and blend shape, and reports where its vertices deform badly (docs/flex.md).

/// The kinds of bad deformation, in the order of reports.
enum class FlexKind : std::uint8_t { tear, collapse, flip, penetration, self, island, inert, spike, unbound };

/// A kind and the code of its findings ("FLEX_TEAR").
struct FlexKindRow {
  FlexKind kind;
  std::string_view code;
};
[[nodiscard]] std::span<const FlexKindRow> flex_kinds() noexcept;
/// Returns the kind with this name: "FLEX_TEAR" or "tear", in any case; nothing if there is none.
[[nodiscard]] std::optional<FlexKind> find_flex_kind(std::string_view name) noexcept;

struct FlexOptions {
  Index scene = none;                                      ///< none: the default one
  std::optional<std::vector<Index>> clips = std::nullopt;  ///< nothing: all clips
  std::vector<double> angles = {45, 90};                   ///< of stress poses, in degrees: more than 0, at most 180
  std::vector<FlexKind> kinds = {};                        ///< empty: all
  bool names = false;    ///< guess the bones of a humanoid by their names if the file does not list them (ranges instead of angles)
  unsigned threads = 0;  ///< 0 = all cores; the result does not depend on it
  std::function<void(std::size_t done, std::size_t total)> progress = {};  ///< may be empty
};

/// The pose of a finding.
struct FlexPose {
  enum class Kind : std::uint8_t { rest, stress, clip, shape };
  Kind kind = Kind::rest;
  Index node = none;                                   ///< stress: the joint that turns
  std::array<Index, 2> plane{};                        ///< stress: axes of its own frame
  double degrees = 0;                                  ///< stress: from the first axis towards the second
  Index clip = none;                                   ///< clip
  double seconds = 0;                                  ///< clip
  std::vector<std::pair<std::string, double>> shapes;  ///< shape: blend shapes or expressions, and how far they are on
};

struct FlexVertex {
  Index node = none, mesh = none;
  Index primitive = 0;  ///< the vertex block of the mesh
  Index vertex = 0;     ///< in the block
  std::size_t row = 0;  ///< in the output of `deform`
};

/// One result: the worst pose of a joint or blend shape for one code.
struct FlexFinding {
  FlexKind kind = FlexKind::tear;
  std::string_view code;
  Severity severity = Severity::information;
  Index joint = none;  ///< the node; none: no joint is responsible
  double value = 0, limit = 0;
  std::string_view unit;  ///< "diagonal", "ratio", "cosine", "weight", "count"
  FlexPose pose;
  std::vector<FlexVertex> vertices;  ///< the worst first, at most 8
  std::size_t count = 0;             ///< vertices (flip, self: simplexes) beyond the limit in this pose
  bool exact = false;                ///< `value` is the supremum over all poses of the kind, not the largest sample
  std::string message;
  std::vector<std::size_t> rows;  ///< all vertices beyond the limit, as rows of `deform`, ascending
};

/// A check that did not run, or not completely.
struct FlexSkipped {
  std::string_view code;
  std::string reason;
};

struct FlexReport {
  std::size_t dimension = 0;
  double diagonal = 0;  ///< of the box around all vertices at rest: the unit of lengths
  std::size_t joints = 0;
  std::size_t stress_poses = 0, clip_poses = 0, shape_poses = 0;
  std::size_t clips = 0;
  std::vector<FlexSkipped> skipped;
  std::vector<NotCovered> not_covered;
  std::vector<FlexFinding> findings;  ///< the most severe first, then by code

  /// Returns the number of findings of a severity.
  [[nodiscard]] std::size_t count(Severity severity) const noexcept;
};

/// Bends the rig of a scene and reports bad deformation. Rest is the bind pose; findings do not change under uniform scaling or mirroring.
/// Fails like deforming the model. Failure::usage for invalid options, Failure::limit beyond Limits::work.
[[nodiscard]] Result<FlexReport> flex(const Model& model, const FlexOptions& options = {});

/// A finding that a change of a model brought, removed, or changed by much.
struct FlexChange {
  enum class Kind : std::uint8_t {
    added,   ///< B has it, and A has none of this code for the joint or blend shape
    worse,   ///< its severity is higher than that of A; or the same, and its value or count is more than flex_factor times as much
    better,  ///< the same, the other way round
    gone     ///< only A has it
  };
  Kind kind = Kind::added;
  const FlexFinding* a = nullptr;  ///< of the report of A; added: nullptr
  const FlexFinding* b = nullptr;  ///< of the report of B; gone: nullptr

  /// Returns whether it makes a model worse by a warning or an error.
  [[nodiscard]] bool fails() const noexcept;
};
inline constexpr double flex_factor = 1.25;  ///< of values that count as different

/// Compares the findings of two models, for example before and after an edit. Findings are paired by code and by the name of the joint, the
/// blend shapes or the animation; of several with one name, in their order. The reports must outlive the result. Those of B first.
[[nodiscard]] Result<std::vector<FlexChange>> flex_changes(const Model& a, const FlexReport& of_a, const Model& b, const FlexReport& of_b);

/// A static model of three dimensions for a picture, and the direction from which to look at it (show::View).
struct FlexCloseUp {
  Model model;
  double yaw = 0, pitch = 0;
};

/// Returns the surface around a finding in its pose, or the whole surface at rest: grey, with the vertices of the finding in a signal
/// colour. Two dimensions become flat; of more than three, the first three axes are shown.
[[nodiscard]] Result<FlexCloseUp> flex_close_up(const Model& model, const FlexFinding& finding, bool at_rest,
                                                const FlexOptions& options = {});

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "sinew/flex.hpp"

#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "model/place.hpp"
#include "operations/flex/checks.hpp"
#include "operations/flex/penetration.hpp"

namespace sinew::operations {

namespace bend {

namespace {

/// A check that this dimension does not have, and why.
void skip_by_dimension(const Kinds& kinds, std::size_t n, std::vector<FlexSkipped>& out) {
  const auto skip = [&](FlexKind kind, std::string reason) {
    if (kinds[kind]) out.push_back({flex_kinds()[static_cast<std::size_t>(kind)].code, std::move(reason)});
  };
  if (n == 2) skip(FlexKind::collapse, "dimension 2: no twist exists");
  if (!has_crossings(n))
    for (const FlexKind kind : {FlexKind::penetration, FlexKind::self}) skip(kind, format_text("dimension {}", n));
}

std::vector<Piece> outline_of_plane(const Figure& figure) {
  if (figure.n != 2) return {};
  std::vector<Number> all(figure.count());
  std::iota(all.begin(), all.end(), Number{0});
  return outline_of(figure, all);
}

void report_inert_joints(const Figure& figure, Findings& out) {
  bool any = false;
  for (const Joint& joint : figure.joints) any |= joint.of_skin && joint.influences;
  if (figure.has_skin && !any)
    out.offer({FlexKind::inert, Severity::error, nothing, 0, 0, "weight", {}, true, 0, {}, "no joint influences a vertex"});
  for (Number j = 0; j < figure.joints.size(); ++j) {
    bool below = false;
    for (Number k = j; k < figure.joints[j].end; ++k) below |= figure.joints[k].influences;
    if (!figure.joints[j].of_skin || below) continue;
    out.offer({FlexKind::inert, Severity::information, j, 0, 0, "weight", {}, true, 0, {}, "the joint moves no vertex"});
  }
  if (!figure.has_skin && figure.shapes.empty())
    out.offer({FlexKind::inert,
               Severity::information,
               nothing,
               0,
               0,
               "weight",
               {},
               true,
               0,
               {},
               "nothing to flex: no joints and no blend shapes"});
}

Result<> check_options(const Model& model, const FlexOptions& options) {
  for (const double angle : options.angles)
    if (!(angle > 0 && angle <= 180))
      return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, format_text("the angle {} is not above 0 and at most 180", angle)));
  for (const Index clip : options.clips.value_or(std::vector<Index>()))
    if (clip >= model.clips.size())
      return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, format_text("the model has no animation {}", clip)));
  return {};
}

Result<FlexReport> run(const Model& model, const FlexOptions& options) {
  if (auto fine = check_options(model, options); !fine) return Unexpected(std::move(fine.error()));
  std::vector<Index> clips = options.clips.value_or(std::vector<Index>());
  if (!options.clips) {
    clips.resize(model.clips.size());
    std::iota(clips.begin(), clips.end(), Index{0});
  }
  for (const Index clip : clips)
    if (auto defect = closure_defect(model, options.scene, clip)) return Unexpected(std::move(*defect));
  auto figure = Figure::create(model, options.scene, options.threads);
  if (!figure) return Unexpected(std::move(figure.error()));
  FlexReport report;
  report.dimension = figure->n;
  report.diagonal = figure->diagonal;
  report.not_covered = need(not_covered(model));
  for (const Joint& joint : figure->joints) report.joints += joint.of_skin ? 1 : 0;
  Kinds kinds(options.kinds);
  if (kinds[FlexKind::tear] && figure->step > limit::tear) {  // vertices that differ became equal
    report.skipped.push_back({"FLEX_TEAR", format_text("positions are stored in steps of {:.2g} % of the diagonal", 100 * figure->step)});
    kinds.drop(FlexKind::tear);
  }
  skip_by_dimension(kinds, figure->n, report.skipped);
  Findings found;
  if (kinds[FlexKind::inert]) report_inert_joints(*figure, found);
  if (!figure->vertices.empty()) {
    if (kinds[FlexKind::unbound]) find_unbound(*figure, found);
    if (kinds[FlexKind::island]) find_islands(*figure, found);
    std::optional<Covers> covers;
    if (kinds[FlexKind::penetration] && has_crossings(figure->n)) covers.emplace(*figure);
    WorkMeter work = meter_of(model);
    const std::vector<double> bones = bone_directions(*figure);
    const Checks checks{*figure,
                        kinds,
                        options,
                        swings_of(*figure, options),
                        find_seams(*figure),
                        Faces(*figure),
                        bones,
                        limb_directions(*figure, bones),
                        outline_of_plane(*figure),
                        covers && !covers->empty() ? &*covers : nullptr,
                        &work};
    const auto count = [](Result<std::size_t> poses, std::size_t& to) -> Result<> {
      if (!poses) return Unexpected(std::move(poses.error()));
      to = *poses;
      return {};
    };
    if (auto done = count(check_stress(checks, found), report.stress_poses); !done) return Unexpected(std::move(done.error()));
    if (auto done = count(check_shapes(checks, found, report.skipped), report.shape_poses); !done)
      return Unexpected(std::move(done.error()));
    if (auto done = count(check_clips(checks, clips, found), report.clip_poses); !done) return Unexpected(std::move(done.error()));
  }
  report.clips = clips.size();
  report.findings = found.finish(*figure);
  return report;
}

}  // namespace

}  // namespace bend

Result<FlexReport> flex(const Model& model, const FlexOptions& options) SINEW_TRY { return bend::run(model, options); }
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations

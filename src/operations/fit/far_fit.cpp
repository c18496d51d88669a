// SPDX-License-Identifier: MIT
#include "operations/fit/far_fit.hpp"

#include <string>
#include <string_view>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"

namespace sinew::operations {

namespace {

constexpr double far_fit = 2.3;     // FitMeasures::uneven: 1.3 to 2.2 where clothes look right
constexpr double far_hair = 1.5;    // the same of what follows the head alone: 1.1 to 1.4 there
constexpr double far_inside = 0.2;  // of the places of vertices
constexpr double far_off = 0.05;    // SurfaceFit::far_off: 0 to 0.04 where clothes look right
constexpr double far_pose = 60;     // FitMeasures::most_degrees: a sleeve for a raised arm has no cloth for one that hangs

}  // namespace

void report_far_fit(const FitMeasures& done, WearerGiven wearer, FindingSink& losses) {
  const auto warn = [&](const std::string& what, std::string_view advice) {
    losses.add(finding("SINEW_MERGE_FAR_FIT"_code, "", what, advice));
  };
  if (done.cloth_degrees > far_pose)
    warn(format_text("the rest poses differ by up to {:.3g} degrees", done.cloth_degrees),
         "and give the body a rest pose like that of the clothes (arms raised) in a modelling program if they are bad");
  if (static_cast<double>(done.surface.inside) > far_inside * static_cast<double>(done.surface.points))
    warn(format_text("{} of {} places of the clothes are still inside the body", done.surface.inside, done.surface.points),
         wearer != WearerGiven::none
             ? "and fit them by hand if they are bad: the body has other limbs, or another shape there, than the figure"
             : "and name the figure that they were made for with --made-for, or fit them by hand if they are bad");
  if (!done.hanging.empty())
    warn(format_text("\"{}\" has no skin and hangs from one bone, so that its place on a body of another shape is a guess", done.hanging),
         "and move its node in a modelling program if it is bad");
  if (done.crumpled)
    warn(format_text("{:.0f} % of the edges of the clothes at \"{}\" were folded", 100 * done.folded, done.folded_at),
         "and smooth that place in a modelling program if it is bad");
  if (done.on_head && done.uneven > far_hair)
    warn(format_text("the heads have other shapes, and a tenth of the edges of the clothes were stretched or shrunk more than {:.2g} times "
                     "as much as the others, so that strands of hair part",
                     done.uneven),
         "and take hair of another form, or shape it in a modelling program if it is bad");
  else if (done.uneven > far_fit)
    warn(format_text(
             "the shapes differ much, and a tenth of the edges of the clothes were stretched or shrunk more than {:.2g} times as much "
             "as the others",
             done.uneven),
         wearer == WearerGiven::made_for
             ? "and try --fit auto without --made-for (not for hair and beards), or shape them in a modelling program"
         : wearer == WearerGiven::same_file ? "and shape them in a modelling program"
                                            : "and name the figure that the clothes were made for with --made-for");
  else if (!done.crumpled && !done.on_head && done.cloth_degrees <= far_pose &&
           static_cast<double>(done.surface.far_off) > far_off * static_cast<double>(done.surface.close))
    warn(format_text("{} of {} places of the clothes that lie close to their figure are far off the body", done.surface.far_off,
                     done.surface.close),
         "and take a body without wide clothes of its own there if they are bad: fitting goes around all that the body shows");
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "operations/optimize/asked_steps.hpp"

#include <algorithm>
#include <string_view>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"

namespace sinew::operations {

bool AskedSteps::runs(OptimizeStep step) const {
  if (!options_.steps.empty()) return asks_for(step);
  if (step == OptimizeStep::triangles) return reduces_triangles();
  if (step == OptimizeStep::textures) return changes_textures();
  if (step == OptimizeStep::lods) return adds_levels();
  if (step == OptimizeStep::names) return options_.drop_names;
  return step == OptimizeStep::compress ? compresses() : step != OptimizeStep::instances || joins_nodes();
}

Result<> AskedSteps::check(const std::filesystem::path& file, bool g4mf) const {
  const auto refuse = [&](std::string_view what) {
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{path_text(file), {}, {}}, what));
  };
  const auto misused = [](std::string_view what) { return Unexpected(error("SINEW_USAGE"_code, Failure::usage, Place{}, what)); };
  if (options_.max_influences != 0 && !runs(OptimizeStep::weights)) return misused("--max-influences needs the step weights");
  if (options_.joint_budget != 0 && !runs(OptimizeStep::joints)) return misused("--joint-budget needs the step joints");
  if (asks_for(OptimizeStep::compress) && !compresses())
    return misused("the step compress needs a compression: meshopt, khr-meshopt or zstd");
  if (joins_nodes() && !runs(OptimizeStep::instances)) return misused("--instances nodes needs the step instances");
  if (asks_for(OptimizeStep::instances) && !joins_nodes()) return misused("the step instances needs --instances nodes");
  if (!(options_.triangles > 0 && options_.triangles <= 1)) return misused("--triangles needs a number above 0 and at most 1");
  if (reduces_triangles() && !runs(OptimizeStep::triangles)) return misused("--triangles needs the step triangles");
  if (asks_for(OptimizeStep::triangles) && !reduces_triangles()) return misused("the step triangles needs --triangles");
  if (reduces_triangles() && g4mf) return refuse("--triangles works on glTF only");
  double finer = std::min(1.0, options_.triangles);
  for (const double ratio : options_.lods) {
    if (!(ratio > 0 && ratio < finer)) return misused("--lods needs descending numbers above 0 and below 1 and --triangles");
    finer = ratio;
  }
  if (adds_levels() && !runs(OptimizeStep::lods)) return misused("--lods needs the step lods");
  if (asks_for(OptimizeStep::lods) && !adds_levels()) return misused("the step lods needs --lods");
  if (adds_levels() && g4mf) return refuse("--lods works on glTF only");
  if (changes_textures() && !runs(OptimizeStep::textures)) return misused("--textures and --max-texture need the step textures");
  if (asks_for(OptimizeStep::textures) && !changes_textures()) return misused("the step textures needs --textures or --max-texture");
  if (options_.drop_names && !runs(OptimizeStep::names)) return misused("--drop-names needs the step names");
  if (asks_for(OptimizeStep::names) && !options_.drop_names) return misused("the step names needs --drop-names");
  if (changes_textures() && g4mf) return refuse("--textures and --max-texture work on glTF only");
  if (options_.drop_names && g4mf) return refuse("--drop-names works on glTF only");
  if (options_.joint_budget != 0 && g4mf) return refuse("--joint-budget works on glTF only");
  if (joins_nodes() && g4mf) return refuse("--instances nodes works on glTF only: G4MF has no copies of a node");
  for (const OptimizeStep step : {OptimizeStep::quantize, OptimizeStep::order})
    if (g4mf && asks_for(step)) return refuse(format_text("the step {} works on glTF only", to_string(step)));
  if (compresses() && g4mf != (options_.compression == OptimizeCompression::zstd))
    return refuse(g4mf ? "expected the compression none or zstd for G4MF"
                       : "expected the compression none, meshopt or khr-meshopt for glTF");
  return {};
}

}  // namespace sinew::operations

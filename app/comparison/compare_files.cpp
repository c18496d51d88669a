// SPDX-License-Identifier: MIT
#include "comparison/compare_files.hpp"

#include <cmath>
#include <optional>

#include "posing.hpp"

namespace app {

using sinew::operations::Comparison;
using sinew::operations::InstancePair;

namespace {

// --scene applies to files with several scenes; if neither has several, it must name the only one.
sinew::Result<sinew::operations::CompareOptions> compare_options(const sinew::Model& a, const sinew::Model& b, const Common& common) {
  sinew::operations::CompareOptions how;
  how.threads = common.threads;
  const bool several = a.scenes.size() > 1 || b.scenes.size() > 1;
  for (const auto& [model, scene] : {std::pair{&a, &how.scene_a}, std::pair{&b, &how.scene_b}}) {
    if (several && model->scenes.size() <= 1) continue;
    const auto found = scene_of(*model, common);
    if (!found) return sinew::Unexpected(found.error());
    *scene = *found;
  }
  return how;
}

}  // namespace

sinew::Result<Compared> compare_models(const sinew::Model& a, const sinew::Model& b, const CompareOptions& options, const Common& common) {
  if (!check_revision(a, common))
    if (auto fine = check_revision(b, common); !fine) return sinew::Unexpected(fine.error());
  auto how = compare_options(a, b, common);
  if (!how) return sinew::Unexpected(how.error());
  for (const auto& [model, scene] : {std::pair{&a, how->scene_a}, std::pair{&b, how->scene_b}})
    if (auto fits = check_scene_memory(*model, scene, common); !fits) return sinew::Unexpected(fits.error());
  how->match = options.match;
  how->surfaces = options.surfaces;
  how->triangles = true;
  how->attributes = options.attributes;
  how->worst = options.worst;
  how->distances = options.keep_distances;
  std::optional<Progress> progress;
  how->progress = [&](std::size_t done, std::size_t total) {
    if (!progress) progress.emplace(common.terminal, "comparing", total);
    progress->step(done);
  };
  auto comparison = compare(a, b, *how);
  progress.reset();
  how->progress = {};
  if (!comparison) return sinew::Unexpected(comparison.error());
  return Compared{std::move(*how), std::move(*comparison)};
}

sinew::Result<ComparedFiles> compare_files(const CompareOptions& options, const Common& common) {
  auto a = load(options.a, common);
  if (!a) return sinew::Unexpected(a.error());
  auto b = load(options.b, common);
  if (!b) return sinew::Unexpected(b.error());
  auto compared = compare_models(a->model, b->model, options, common);
  if (!compared) return sinew::Unexpected(compared.error());
  return ComparedFiles{std::move(*compared), std::move(*a), std::move(*b)};
}

std::optional<std::vector<std::vector<float>>> heat_of(const sinew::Model& a, const Comparison& comparison) {
  const double most = comparison.max();
  if (!comparison.why_not.empty() || !std::isfinite(most)) return std::nullopt;
  std::vector<std::vector<float>> heat(a.nodes.size());
  for (const InstancePair& pair : comparison.instances) {
    std::vector<float>& own = heat[pair.a.node] = pair.distances;
    for (float& value : own) value = std::isnan(value) || most == 0 ? 0.0F : value / static_cast<float>(most);
  }
  return heat;
}

}  // namespace app

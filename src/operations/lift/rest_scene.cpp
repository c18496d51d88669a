// SPDX-License-Identifier: MIT
#include "operations/lift/rest_scene.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/guard.hpp"
#include "math/extent.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations {

namespace {

constexpr double one_place = 1e-6;  ///< relative to the diagonal

double edges_of(const Mesh& mesh, std::size_t n, std::span<const double> places) {
  double sum = 0;
  for (const Surface& surface : mesh.surfaces) {
    const Elements elements = need(elements_of(mesh, surface, n));
    for (std::size_t i = 0; elements.corners > 1 && i + elements.corners <= elements.indices.size(); i += elements.corners) {
      double square = 0;
      for (std::size_t axis = 0; axis < n; ++axis)
        square += std::pow(places[elements.indices[i] * n + axis] - places[elements.indices[i + 1] * n + axis], 2);
      sum += std::sqrt(square);
    }
  }
  return sum;
}

/// Several sheets as one. Its points are one where they lie at one place.
class Gathering {
 public:
  Gathering(std::size_t dimension, double grid) : grid_(grid) { all_.dimension = dimension; }

  void add(const Sheet& sheet, std::span<const double> places, double thickness) {
    const std::size_t n = all_.dimension, first = all_.row.size();
    for (const std::uint32_t row : sheet.row) {
      std::vector<double> cell;
      for (std::size_t i = 0; i < n; ++i) {
        all_.places.push_back(places[row * n + i]);
        cell.push_back(grid_ > 0 ? std::round(all_.places.back() / grid_) : all_.places.back());
      }
      all_.welded.push_back(known_.emplace(std::move(cell), static_cast<std::uint32_t>(all_.row.size())).first->second);
      all_.row.push_back(row);
      thickness_.push_back(thickness);
    }
    for (const std::uint32_t point : sheet.simplexes) all_.simplexes.push_back(static_cast<std::uint32_t>(first + point));
    all_.surface.insert(all_.surface.end(), sheet.surface.begin(), sheet.surface.end());
  }

  /// Returns the number of simplexes that meet others.
  std::size_t limit(unsigned threads) { return limit_thickness(all_, mitres_of(all_), threads, thickness_); }
  [[nodiscard]] const std::vector<double>& thickness() const { return thickness_; }

 private:
  double grid_;
  Sheet all_;
  std::map<std::vector<double>, std::uint32_t> known_;
  std::vector<double> thickness_;
};

}  // namespace

double RestScene::scale_of(Index mesh) const {
  const auto found = std::ranges::find(drawn, mesh, &Drawn::mesh);
  return found == drawn.end() ? 1 : found->scale;
}

Result<RestScene> scene_at_rest(const Model& model, unsigned threads) {
  auto deformer = deform::SceneDeformer::create(model, need(instances(model)), {});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  const std::size_t n = model.dimension;
  std::vector<float> places(deformer->vertices() * n);
  if (auto done = deformer->run(model.rest_pose, {{places.data(), deformer->vertices(), n}, {}, {}}, threads); !done)
    return Unexpected(std::move(done.error()));
  RestScene scene;
  scene.dimension = n;
  Extent box;
  for (std::size_t i = 0; i < places.size(); ++i) box.add(i % n, static_cast<double>(places[i]));
  scene.diagonal = box.diagonal(n);
  for (std::size_t i = 0; i < deformer->instances().size(); ++i) {
    const Index index = deformer->instances()[i].mesh;
    const Mesh& mesh = model.meshes[index];
    const std::size_t first = deformer->first(i), count = deformer->first(i + 1) - first;
    if (std::ranges::find(scene.drawn, index, &RestScene::Drawn::mesh) != scene.drawn.end() || mesh.blocks.size() != 1 ||
        mesh.blocks.front().vertices != count)
      continue;
    const Attribute* const stored = find_attribute(mesh.blocks.front().attributes, Semantic::position);
    if (stored == nullptr) continue;
    RestScene::Drawn& own = scene.drawn.emplace_back();
    own.mesh = index;
    own.places.assign(places.begin() + static_cast<std::ptrdiff_t>(first * n),
                      places.begin() + static_cast<std::ptrdiff_t>((first + count) * n));
    const double ratio = edges_of(mesh, n, own.places) / edges_of(mesh, n, stored->values.read<double>());
    if (ratio > 0 && std::isfinite(ratio)) own.scale = ratio;
  }
  return scene;
}

SheetThickness thickness_in(const RestScene& scene, const std::vector<const Sheet*>& sheets, double wanted, unsigned threads) {
  SheetThickness out;
  for (Index mesh = 0; mesh < sheets.size(); ++mesh) out.of_mesh.emplace_back(sheets[mesh]->points(), wanted / scene.scale_of(mesh));
  Gathering all(scene.dimension, one_place * scene.diagonal);
  std::vector<bool> seen(sheets.size());
  for (const RestScene::Drawn& drawn : scene.drawn) {
    seen[drawn.mesh] = true;
    all.add(*sheets[drawn.mesh], drawn.places, wanted);
  }
  out.meeting = all.limit(threads);
  std::size_t next = 0;
  for (const RestScene::Drawn& drawn : scene.drawn)
    for (double& own : out.of_mesh[drawn.mesh]) own = all.thickness()[next++] / drawn.scale;
  for (Index mesh = 0; mesh < sheets.size(); ++mesh) {
    if (seen[mesh] || sheets[mesh]->count() == 0) continue;
    out.meeting += limit_thickness(*sheets[mesh], mitres_of(*sheets[mesh]), threads, out.of_mesh[mesh]);  // nothing draws it
  }
  return out;
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT

#include "sinew/project.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "math/extent.hpp"
#include "model/mesh_numbers.hpp"
#include "model/place.hpp"
#include "operations/files/most_work.hpp"
#include "operations/slice/cells_as_simplexes.hpp"

#include "sinew/bake.hpp"

namespace sinew::operations {

namespace {

constexpr double default_distance = 3;
constexpr double nearest = 0.1;  ///< fraction of the eye's distance; nearer points are drawn as if they were at this distance

}  // namespace

Result<Projection> fitted(Projection projection, strided_view<const float> positions) SINEW_TRY {
  const std::size_t n = positions.width();
  if (projection.center.empty()) {
    projection.center.assign(n, 0);
    Extent box;
    for (std::size_t v = 0; v < positions.size(); ++v)
      for (std::size_t i = 0; i < n; ++i) box.add(i, positions[v][i]);
    for (std::size_t i = 0; i < n && !positions.empty(); ++i) projection.center[i] = (box.low[i] + box.high[i]) / 2;
  }
  if (projection.radius <= 0) {
    double largest = 0;
    for (std::size_t v = 0; v < positions.size(); ++v) {
      double squared = 0;
      for (std::size_t i = 0; i < n; ++i) squared += std::pow(positions[v][i] - projection.center[i], 2);
      largest = std::max(largest, squared);
    }
    projection.radius = largest > 0 ? std::sqrt(largest) : 1;
  }
  return projection;
}
SINEW_CATCH()

Projector::Projector(std::size_t dimension, Projection projection) noexcept : dimension_(dimension), projection_(std::move(projection)) {
  if (projection_.distance == 0) projection_.distance = default_distance;
}

void Projector::run(strided_view<const float> positions, strided_view<float> out, strided_view<float> hidden) const noexcept {
  std::array<double, max_dimension> point{}, turned{};
  const bool turn = projection_.view.dimension() == dimension_;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    for (std::size_t i = 0; i < dimension_; ++i) point[i] = positions[v][i] - projection_.center[i];
    if (turn) {
      for (std::size_t i = 0; i < dimension_; ++i) {
        turned[i] = 0;
        for (std::size_t j = 0; j < dimension_; ++j) turned[i] += projection_.view(i, j) * point[j];
      }
      point = turned;
    }
    double scale = 1;
    for (std::size_t i = 3; i < dimension_; ++i) {
      const double height = point[i] / projection_.radius;
      if (!hidden.empty()) hidden[v][i - 3] = static_cast<float>(height);
      if (projection_.kind == ProjectionKind::perspective) scale /= std::max(1 - height / projection_.distance, nearest);
    }
    for (std::size_t i = 0; i < 3; ++i) out[v][i] = i < dimension_ ? static_cast<float>(projection_.center[i] + scale * point[i]) : 0.0F;
  }
}

void hidden_color(double hidden, std::span<float, 3> rgb) noexcept {
  constexpr double cool[] = {0.0436, 0.0730, 0.5271}, light[] = {0.7230, 0.7230, 0.7230}, warm[] = {0.4563, 0.0012, 0.0194};
  const double amount = std::min(std::abs(hidden), 1.0);
  for (std::size_t i = 0; i < 3; ++i) rgb[i] = static_cast<float>(light[i] + amount * ((hidden < 0 ? cool : warm)[i] - light[i]));
}

namespace {

std::vector<double> stored_positions(const VertexBlock& block, std::size_t dimension) {
  std::vector<double> rows(block.vertices * dimension);  // missing coordinates are 0, surplus ones are ignored
  const Attribute* positions = find_attribute(block.attributes, Semantic::position);
  if (positions == nullptr) return rows;
  const std::size_t width = positions->values.width();
  const std::vector<double> stored = positions->values.read<double>();
  const std::vector<std::uint32_t> index = positions->index.read<std::uint32_t>();
  for (std::size_t v = 0; v < block.vertices; ++v)
    for (std::size_t i = 0; i < std::min(width, dimension); ++i)
      rows[v * dimension + i] = stored[(index.empty() ? v : index[v]) * width + i];
  return rows;
}

Array as_array(const std::vector<Edge>& edges) {
  std::vector<std::uint32_t> ends;
  for (const Edge& edge : edges) ends.insert(ends.end(), edge.begin(), edge.end());
  return Array::own(std::move(ends), 2);
}

/// Adds the shape edges of a block's simplexes; each surface gets its own edges.
void add_edges(Index block, std::size_t dimension, Mesh& mesh) {
  std::vector<Surface*> surfaces;
  for (Surface& surface : mesh.surfaces)
    if (surface.block == block && surface.primitive >= Primitive::simplexes) surfaces.push_back(&surface);
  if (std::ranges::none_of(surfaces, [](const Surface* surface) { return surface->edges.empty(); })) return;
  std::vector<std::vector<std::uint32_t>> simplexes;
  std::vector<std::uint32_t> all;
  for (const Surface* const surface : surfaces) {
    simplexes.push_back(need(elements_of(mesh, *surface, dimension)).indices);
    all.insert(all.end(), simplexes.back().begin(), simplexes.back().end());
  }
  const std::vector<double> positions = stored_positions(mesh.blocks[block], dimension);
  const std::vector<Edge> edges = need(shape_edges({positions.data(), mesh.blocks[block].vertices, dimension}, all));
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (!surfaces[s]->edges.empty()) continue;
    if (surfaces.size() == 1) {
      surfaces[s]->edges = as_array(edges);
      continue;
    }
    std::vector<Edge> own = need(edges_from_simplexes(dimension, simplexes[s])), common;
    for (Edge& edge : own) edge = {std::min(edge[0], edge[1]), std::max(edge[0], edge[1])};
    std::ranges::sort(own);
    std::ranges::set_intersection(edges, own, std::back_inserter(common));
    surfaces[s]->edges = as_array(common);
  }
}

Result<> check(const Projection& projection, const Model& model) {
  const std::size_t n = model.dimension;
  const auto refuse = [&](std::string what) {
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(model), std::move(what)));
  };
  if (!projection.center.empty() && projection.center.size() != n)
    return refuse(format_text("found a centre of {} numbers, expected {}", projection.center.size(), n));
  if (projection.view.dimension() != 0 && projection.view.dimension() != n)
    return refuse(format_text("found a view of {} dimensions, expected {}", projection.view.dimension(), n));
  if (projection.distance != 0 && !(projection.distance > 1 && std::isfinite(projection.distance)))
    return refuse(format_text("found the distance {}, expected more than 1", projection.distance));
  return {};
}

/// Returns the positions of all blocks of all instances.
std::vector<float> all_positions(const Model& model) {
  std::vector<float> all;
  for (const Instance& instance : need(instances(model)))
    for (const VertexBlock& block : model.meshes[instance.mesh].blocks) {
      const std::vector<double> rows = stored_positions(block, model.dimension);
      all.insert(all.end(), rows.begin(), rows.end());
    }
  return all;
}

/// Projects attributes and surfaces to three dimensions.
class ModelProjector {
 public:
  ModelProjector(const Model& model, const Projection& projection) : n_(model.dimension), projector_(n_, projection) {}

  void mesh(Mesh& mesh) const {
    for (VertexBlock& block : mesh.blocks) vertices(block);
    for (Surface& surface : mesh.surfaces) {
      surface.topology.reset();
      std::erase_if(surface.attributes, [&](const Attribute& attribute) { return n_ > 3 || attribute.semantic == Semantic::normal; });
      if (n_ < 3 || surface.primitive < Primitive::simplexes) continue;
      surface.primitive = Primitive::lines;
      surface.indexed = true;
      surface.elements = Array::own(surface.edges.read<std::uint32_t>(), 1);
      surface.edges = {};
    }
  }

 private:
  void vertices(VertexBlock& block) const {
    const std::vector<double> rows = stored_positions(block, n_);
    const std::vector<float> from(rows.begin(), rows.end());
    std::vector<float> to(block.vertices * 3), hidden(n_ > 3 ? block.vertices * (n_ - 3) : 0);
    projector_.run({from.data(), block.vertices, n_}, {to.data(), block.vertices, 3},
                   hidden.empty() ? strided_view<float>() : strided_view<float>(hidden.data(), block.vertices, n_ - 3));
    std::vector<Attribute> attributes;
    attributes.push_back({Semantic::position, 0, {}, Array::own(std::move(to), 3), {}, {}});
    for (Attribute& attribute : block.attributes) {
      const bool turned = attribute.semantic == Semantic::normal || attribute.semantic == Semantic::tangent;
      const bool replaced = attribute.semantic == Semantic::position || (n_ > 3 && attribute.semantic == Semantic::color);
      if (!turned && !replaced) attributes.push_back(std::move(attribute));
    }
    if (n_ > 3) {
      std::vector<float> colors(block.vertices * 3);
      for (std::size_t v = 0; v < block.vertices; ++v) hidden_color(hidden[v * (n_ - 3)], std::span<float, 3>(&colors[v * 3], 3));
      attributes.push_back({Semantic::color, 0, {}, Array::own(std::move(colors), 3), {}, {}});
    }
    block.attributes = std::move(attributes);
  }

  std::size_t n_;
  Projector projector_;
};

}  // namespace

Result<Model> with_shape_edges(const Model& model) SINEW_TRY {
  constexpr std::uint64_t steps_per_number = 16;
  WorkMeter work = meter_of(model);
  for (const Mesh& mesh : model.meshes) work.add(steps_per_number * numbers_of(mesh), "the numbers of all meshes, which may share arrays,");
  FindingList unheard;
  auto edged = cells_as_simplexes(model, unheard);
  if (!edged || model.dimension < 3) return edged;
  for (Mesh& mesh : edged->meshes)
    if (mesh.defect == none)
      for (Index block = 0; block < mesh.blocks.size(); ++block) add_edges(block, model.dimension, mesh);
  return edged;
}
SINEW_CATCH(place_of(model))

Result<Model> project(const Model& model, const Projection& projection) SINEW_TRY {
  if (auto fits = check(projection, model); !fits) return Unexpected(std::move(fits.error()));
  if (model.dimension == 3) return model;
  auto flat = with_shape_edges(model);
  if (!flat) return flat;
  const std::vector<float> positions = all_positions(model);
  const std::size_t n = model.dimension;
  const ModelProjector projector(model, need(fitted(projection, {positions.data(), n == 0 ? 0 : positions.size() / n, n})));
  for (Mesh& mesh : flat->meshes) projector.mesh(mesh);
  flat->dimension = 3;
  for (LocalTransform& local : flat->rest_pose.locals) local = {};
  return flat;
}
SINEW_CATCH(place_of(model))

Result<Model> project(const Model& model, const Pose& pose, const Projection& projection, const BakeOptions& options) SINEW_TRY {
  const auto edged = with_shape_edges(model);
  if (!edged) return edged;
  const auto baked = bake(*edged, pose, options);
  return baked ? project(*baked, projection) : baked;
}
SINEW_CATCH()

}  // namespace sinew::operations

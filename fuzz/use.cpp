// SPDX-License-Identifier: MIT
#include "use.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "sinew/animate.hpp"
#include "sinew/deform.hpp"

namespace sinew::fuzz {

namespace {

/// Returns the largest |coordinate| that the sums of the deformation can reach. Rounding errors are relative to it.
double reach(const deform::Palette& palette, double largest, double weights) {
  double most = 0;
  for (std::size_t slot = 0; slot < palette.size(); ++slot)
    most = std::max(most, palette.map_size(slot).linear * largest + palette.map_size(slot).translation);
  return most * std::max(1.0, weights);
}

double largest_weights(const Mesh& mesh) {
  double most = 0;
  for (const VertexBlock& block : mesh.blocks)
    for (std::size_t v = 0; v < block.vertices; ++v) {
      double sum = 0;
      std::array<float, 4> row{};
      for (const Influences::Set& set : block.influences.sets) {
        set.weights.read<float>(v, 1, row.data());
        for (const float weight : row) sum += std::abs(weight);
      }
      most = std::max(most, sum);
    }
  return most;
}

}  // namespace

void broken(std::string_view promise, const std::string& details) {
  std::fprintf(stderr, "BROKEN PROMISE: %.*s: %s\n", static_cast<int>(promise.size()), promise.data(), details.c_str());
  std::abort();
}

io::LoadOptions small_limits() {
  io::LoadOptions options;
  options.open.limits.memory = 32 << 20;
  options.open.limits.findings = 40;
  return options;
}

std::optional<validate::Report> validated(const std::filesystem::path& file) {
  validate::Options options;
  options.load = small_limits();
  auto report = validate::check_file(file, options);
  if (!report && report.error().failure != Failure::input) return std::nullopt;
  if (!report) broken("every file that can be opened has a report", report.error().line());
  static_cast<void>(validate::to_json(*report));
  return std::move(*report);
}

std::optional<Model> loaded(const std::filesystem::path& file) {
  FindingList findings;
  auto model = io::load(file, small_limits(), findings);
  if (!model) return std::nullopt;
  return std::move(*model);
}

bool is_large(const Model& model) {
  constexpr std::size_t most = 20000;
  std::size_t rows = model.nodes.size() + model.clips.size();
  for (const Instance& instance : got(instances(model))) {
    const Mesh& mesh = model.meshes[instance.mesh];
    for (const VertexBlock& block : mesh.blocks) rows += block.vertices;
    for (const Surface& surface : mesh.surfaces) rows += surface.elements.size() + surface.edges.size();
  }
  return rows > most;
}

Result<std::vector<float>> deformed(const Model& model, const Pose& pose) {
  if (auto defect = closure_defect(model)) return Unexpected(std::move(*defect));
  deform::PrepareOptions channels;
  channels.normals = true;
  channels.tangents = model.dimension == 3;
  auto scene = deform::SceneDeformer::create(model, got(instances(model)), channels);
  if (!scene) return Unexpected(std::move(scene.error()));
  const std::size_t rows = scene->vertices(), n = model.dimension;
  std::vector<float> positions(rows * n), normals(rows * n), tangents(channels.tangents ? rows * 4 : 0);
  const auto view = [&](std::vector<float>& values, std::size_t width) { return strided_view<float>(values.data(), rows, width); };
  deform::Output output{view(positions, n), view(normals, n), {}};
  if (channels.tangents) output.tangents = view(tangents, 4);
  if (auto done = scene->run(pose, output, 1); !done) return Unexpected(std::move(done.error()));
  std::vector<float> corners(scene->corners() * n);
  static_cast<void>(scene->run_corner_normals(pose, {corners.data(), scene->corners(), n}, 1));
  std::vector<float> topology(scene->topology_corners() * n);
  static_cast<void>(scene->run_topology_normals(pose, {topology.data(), scene->topology_corners(), n}, 1));
  for (const float value : positions)
    if (!std::isfinite(value)) broken("deformed positions are finite", "one is not");
  return positions;
}

std::vector<float> with_kernel(const Mesh& mesh, std::size_t dimension, const deform::Palette& palette, std::span<const double> amounts,
                               std::string_view kernel, bool skinned) {
  deform::PrepareOptions options;
  options.kernel = kernel;
  options.slots = palette.size() - 1;
  options.skinned = skinned;
  const auto prepared = deform::prepare(mesh, dimension, options);
  if (!prepared) return {};
  std::vector<float> rows(prepared->vertices() * dimension);
  deform::run(*prepared, palette, amounts, {0, prepared->vertices()}, {{rows.data(), prepared->vertices(), dimension}, {}, {}});
  return rows;
}

double rounding_error(const Model& model, const Instance& instance, const deform::Palette& palette, std::span<const double> amounts) {
  const Mesh& mesh = model.meshes[instance.mesh];
  deform::Palette still(model.dimension);
  got(still.push_back(Affine(model.dimension)));
  double largest = 0;
  for (const float value : with_kernel(mesh, model.dimension, still, amounts, "plain", false))
    largest = std::max<double>(largest, std::abs(value));
  const double bound = 1e-5 * reach(palette, largest, largest_weights(mesh));
  return bound <= 1e30 ? bound : std::numeric_limits<double>::infinity();  // also if it is no number
}

double rounding_error(const Model& model, const Pose& pose) {
  const std::vector<Affine> world = got(world_transforms(model, pose));
  double most = 0;
  for (const Instance& instance : got(instances(model))) {
    deform::Palette palette;
    if (!deform::palette(model, instance, world, world, palette)) continue;
    most = std::max(most, rounding_error(model, instance, palette, pose.amounts[instance.node]));
  }
  return most;
}

void deform_all(const Model& model) {
  if (is_large(model)) return;
  static_cast<void>(deformed(model, model.rest_pose));
  const Index clips = static_cast<Index>(std::min<std::size_t>(model.clips.size(), 3));
  for (Index clip = 0; clip < clips; ++clip) {
    if (closure_defect(model, none, clip)) continue;
    for (const double part : {0.0, 0.4, 1.0}) {
      Pose pose = model.rest_pose;
      got(animate::sample(model, model.clips[clip], model.clips[clip].duration * part, pose));
      static_cast<void>(deformed(model, pose));
    }
  }
}

}  // namespace sinew::fuzz

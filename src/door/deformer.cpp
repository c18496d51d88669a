// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "door/clip.hpp"
#include "door/state.hpp"
#include "model/check_pose.hpp"

#include "sinew/deform.hpp"
#include "sinew/sinew.hpp"

namespace sinew {

namespace {

void fill(const strided_view<float>& rows, float value) {
  for (std::size_t row = 0; row < rows.size(); ++row) std::fill_n(rows[row], rows.width(), value);
}

/// Returns whether every vertex of the scene has the stored channel.
bool all_have(const Model& model, const std::vector<Instance>& instances, Semantic semantic) {
  return std::ranges::all_of(instances, [&](const Instance& instance) {
    return std::ranges::all_of(model.meshes[instance.mesh].blocks,
                               [&](const VertexBlock& block) { return find_attribute(block.attributes, semantic) != nullptr; });
  });
}

Result<> check_rows(const strided_view<float>& rows, std::size_t vertices, std::size_t width, std::string_view what) {
  if (rows.empty() || (rows.size() == vertices && rows.width() == width)) return {};
  return usage(format_text("{}: found {} rows of {} numbers, expected {} rows of {}", what, rows.size(), rows.width(), vertices, width));
}

/// Returns the rows for this number of poses.
Result<strided_view<float>> rows_of(std::size_t poses, const Deformer& deformer, std::span<float> out) {
  const std::size_t size = deformer.vertices() * deformer.dimension();
  if (size != 0 && (out.size() % size != 0 || out.size() / size != poses))
    return usage(format_text("positions: found {} numbers, expected {} poses of {} vertices of {} numbers", out.size(), poses,
                             deformer.vertices(), deformer.dimension()));
  return strided_view<float>(out.data(), poses * deformer.vertices(), deformer.dimension());
}

}  // namespace

Result<> Deformer::State::check(const deform::Output& out, std::size_t rows) const {
  if (!out.normals.empty() && options.normals == Normals::off) return usage("normals: set DeformerOptions::normals to get them");
  if (!out.tangents.empty() && !options.tangents) return usage("tangents: set DeformerOptions::tangents to get them");
  if (auto fits = check_rows(out.positions, rows, model->dimension, "positions"); !fits) return fits;
  if (auto fits = check_rows(out.normals, rows, model->dimension, "normals"); !fits) return fits;
  return check_rows(out.tangents, rows, 4, "tangents");
}

void Deformer::State::fill_missing(const deform::Output& out) const {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  if (!computed && !all_have(*model, scene.instances(), Semantic::normal)) fill(out.normals, nan);
  if (!all_have(*model, scene.instances(), Semantic::tangent)) fill(out.tangents, nan);
}

Deformer::Deformer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Deformer::Deformer(Deformer&&) noexcept = default;
Deformer& Deformer::operator=(Deformer&&) noexcept = default;
Deformer::~Deformer() = default;

Result<Deformer> Deformer::clone() const SINEW_TRY { return Deformer(std::make_unique<State>(*state_)); }
SINEW_CATCH()

Result<Deformer> Deformer::create(const Model& model, const DeformerOptions& options) SINEW_TRY {
  return create(std::make_shared<const Model>(model), options);
}
SINEW_CATCH()

Result<Deformer> Deformer::create(Model&& model, const DeformerOptions& options) SINEW_TRY {
  return create(std::make_shared<const Model>(std::move(model)), options);
}
SINEW_CATCH()

Result<Deformer> Deformer::create(std::shared_ptr<const Model> model, const DeformerOptions& options) SINEW_TRY {
  if (options.scene != none && options.scene >= model->scenes.size()) return usage(format_text("scene {} does not exist", options.scene));
  if (auto defect = closure_defect(*model, options.scene)) return Unexpected(std::move(*defect));
  deform::PrepareOptions channels;
  channels.tangents = options.tangents;
  channels.normals = options.normals != Normals::off || options.tangents;
  channels.max_influences = options.max_influences;
  channels.kernel = options.kernel;
  channels.memory = options.memory;
  auto scene = deform::SceneDeformer::create(*model, need(sinew::instances(*model, options.scene)), channels);
  if (!scene) return Unexpected(std::move(scene.error()));
  std::shared_ptr<const ComputedNormals> computed;
  if (options.normals == Normals::computed && !all_have(*model, scene->instances(), Semantic::normal))
    computed = std::make_shared<const ComputedNormals>(*model, *scene, options.memory);
  std::vector<InstanceRows> rows;
  for (std::size_t i = 0; i < scene->instances().size(); ++i) {
    const Instance& instance = scene->instances()[i];
    rows.push_back({instance.node, instance.mesh, scene->first(i), scene->first(i + 1) - scene->first(i), instance.copy});
  }
  DeformerOptions kept = options;
  kept.kernel = {};  // the caller owns the text
  return Deformer(std::make_unique<State>(State{std::move(model), kept, std::move(*scene), std::move(computed), std::move(rows)}));
}
SINEW_CATCH()

const std::shared_ptr<const Model>& Deformer::model() const noexcept { return state_->model; }
const DeformerOptions& Deformer::options() const noexcept { return state_->options; }
std::size_t Deformer::dimension() const noexcept { return state_->model->dimension; }
std::size_t Deformer::vertices() const noexcept { return state_->scene.vertices(); }
deform::SceneDeformer& Deformer::scene() noexcept { return state_->scene; }

std::span<const InstanceRows> Deformer::instances() const noexcept { return state_->instances; }

Result<std::vector<std::uint32_t>> Deformer::triangles() const SINEW_TRY {
  std::vector<std::uint32_t> all;
  const std::size_t corners = std::max<std::size_t>(dimension(), 3);
  for (const InstanceRows& rows : instances()) {
    const Mesh& mesh = state_->model->meshes[rows.mesh];
    for_each_simplex_list(mesh, dimension(), corners, [&](const Surface&, std::size_t first, const std::vector<std::uint32_t>& indices) {
      for (const std::uint32_t vertex : indices) all.push_back(static_cast<std::uint32_t>(rows.first + first + vertex));
    });
  }
  return all;
}
SINEW_CATCH()

Result<std::vector<float>> Deformer::positions(const Pose& pose, unsigned threads) SINEW_TRY {
  std::vector<float> out(vertices() * dimension());
  if (auto done = positions(pose, out, threads); !done) return Unexpected(std::move(done.error()));
  return out;
}
SINEW_CATCH()

Result<> Deformer::positions(const Pose& pose, std::span<float> out, unsigned threads) SINEW_TRY {
  if (out.size() != vertices() * dimension())
    return usage(format_text("positions: found {} numbers, expected {}, for {} vertices of {} numbers", out.size(),
                             vertices() * dimension(), vertices(), dimension()));
  return run(pose, {.positions = {out.data(), vertices(), dimension()}, .normals = {}, .tangents = {}}, threads);
}
SINEW_CATCH()

Result<> Deformer::positions(std::span<const Pose> poses, std::span<float> out, unsigned threads) SINEW_TRY {
  for (const Pose& pose : poses)
    if (auto fits = check_pose(*state_->model, pose); !fits) return fits;
  const auto rows = rows_of(poses.size(), *this, out);
  return rows ? state_->scene.run_poses(poses, {*rows, {}, {}}, threads) : Unexpected(rows.error());
}
SINEW_CATCH()

Result<> Deformer::positions(Index clip, std::span<const double> seconds, std::span<float> out, unsigned threads) SINEW_TRY {
  if (auto played = check_clip(*state_->model, clip); !played) return played;
  if (!std::ranges::all_of(seconds, [](double time) { return std::isfinite(time); })) return usage("the time of a pose must be finite");
  const auto rows = rows_of(seconds.size(), *this, out);
  return rows ? state_->scene.run_clip(clip, seconds, {*rows, {}, {}}, threads) : Unexpected(rows.error());
}
SINEW_CATCH()

Result<> Deformer::run(const Pose& pose, const deform::Output& out, unsigned threads) SINEW_TRY {
  State& state = *state_;
  if (auto fits = state.check(out, vertices()); !fits) return fits;
  if (auto fits = check_pose(*state.model, pose); !fits) return fits;
  state.fill_missing(out);
  deform::Output all = out;
  const bool compute = state.computed && !out.normals.empty();
  if (compute && out.positions.empty()) {
    state.positions.resize(vertices() * dimension());
    all.positions = {state.positions.data(), vertices(), dimension()};
  }
  if (auto done = state.scene.run(pose, all, threads); !done) return done;
  if (compute) state.computed->run(all.positions, out.normals, state.normals_scratch, threads);
  return {};
}
SINEW_CATCH()

}  // namespace sinew

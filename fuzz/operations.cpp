// SPDX-License-Identifier: MIT
#include "operations.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "taker.hpp"
#include "use.hpp"

#include "sinew/animate.hpp"
#include "sinew/compare.hpp"
#include "sinew/geometry.hpp"
#include "sinew/repair.hpp"
#include "sinew/save.hpp"
#include "sinew/slice.hpp"

namespace sinew::fuzz {

namespace {

namespace fs = std::filesystem;

/// The bytes near the end of a model change its numbers; their sum chooses among options.
Taker choices(Input bytes) { return Taker(bytes.last(std::min<std::size_t>(bytes.size(), 16))); }

/// Returns the loaded model if it can be deformed and is small.
std::optional<Model> usable(const fs::path& file) {
  auto model = loaded(file);
  if (!model || is_large(*model) || !deformed(*model, model->rest_pose)) return std::nullopt;
  return model;
}

void expect_inside(const operations::Box& box, const std::vector<float>& positions, std::size_t dimension) {
  if (box.empty() && !positions.empty()) broken("a box contains every vertex", "it is empty");
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (positions[i] < box.min[i % dimension] || positions[i] > box.max[i % dimension])
      broken("a box contains every vertex", std::to_string(positions[i]) + " on axis " + std::to_string(i % dimension));
}

std::vector<Rotor> random_turns(Taker& taker, const Model& model) {
  std::vector<Rotor> turns;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const std::size_t from = taker.take(static_cast<std::uint32_t>(model.dimension)),
                      other = taker.take(static_cast<std::uint32_t>(model.dimension - 1));
    turns.push_back(Rotor::in_plane(from, other < from ? other : other + 1, taker.take(256) / 256.0 * 2 * std::numbers::pi));
  }
  return turns;
}

/// Turns all joints of used skins; nothing if one cannot be turned.
std::optional<Pose> turned(const Model& model, const std::vector<Rotor>& turns) {
  Pose pose = model.rest_pose;
  for (const Instance& instance : instances(model)) {
    if (instance.skin == none) continue;
    for (const Index joint : model.skins[instance.skin].slots)
      if (joint != none && !pose.turn(model, std::to_string(joint), turns[joint])) return std::nullopt;
  }
  return pose;
}

/// Compares a statement about every pose with some poses.
void expect_bound(const Model& a, const Model& b, const operations::Comparison& comparison, Taker& taker) {
  const auto every = comparison.every_pose();
  const auto by_index = [](const operations::InstancePair& pair) { return pair.pairing == operations::Pairing::index; };
  if (!every.why_not.empty() || !std::isfinite(every.bound) || a.dimension < 2 || !std::ranges::all_of(comparison.instances, by_index))
    return;
  for (int i = 0; i < 3; ++i) {
    const std::vector<Rotor> turns = random_turns(taker, a);
    const auto pose_a = turned(a, turns), pose_b = turned(b, turns);
    if (!pose_a || !pose_b) return;
    const auto at_a = deformed(a, *pose_a), at_b = deformed(b, *pose_b);
    if (!at_a || !at_b || at_a->size() != at_b->size()) return;
    const double rounding = std::max(rounding_error(a, *pose_a), rounding_error(b, *pose_b));
    if (!std::isfinite(rounding)) return;
    for (std::size_t row = 0; row + a.dimension <= at_a->size(); row += a.dimension) {
      double sum = 0;
      for (std::size_t axis = 0; axis < a.dimension; ++axis) sum += std::pow(double{(*at_a)[row + axis]} - (*at_b)[row + axis], 2);
      if (std::sqrt(sum) > every.bound * (1 + 1e-6) + 4 * rounding)
        broken("the bound of a comparison holds in every pose",
               std::to_string(std::sqrt(sum)) + ", bound " + std::to_string(every.bound) + ", rounding " + std::to_string(rounding));
    }
  }
}

/// Changes some weights of the first set of every mesh.
void change_weights(Model& model, Taker& taker) {
  for (Mesh& mesh : model.meshes)
    for (VertexBlock& block : mesh.blocks) {
      if (block.influences.sets.empty()) continue;
      Array& weights = block.influences.sets.front().weights;
      std::vector<float> changed = weights.read<float>();
      if (changed.size() < weights.size() * 4 || changed.empty()) continue;
      for (int i = 0; i < 2; ++i) changed[taker.take(256) % changed.size()] *= static_cast<float>(taker.take(16)) / 8;
      weights = Array::own(std::move(changed), 4);
    }
}

}  // namespace

void bounds(const fs::path& file, Input) {
  const auto model = usable(file);
  if (!model) return;
  const auto found = operations::bounds(*model);
  if (!found) return;
  if (const auto rest = deformed(*model, model->rest_pose)) {
    expect_inside(found->rest, *rest, model->dimension);
    expect_inside(found->all, *rest, model->dimension);
  }
  for (const auto& [clip, box, boxes] : found->clips)
    for (const double part : {0.0, 0.13, 0.5, 0.77, 1.0}) {
      Pose pose = model->rest_pose;
      animate::sample(*model, model->clips[clip], model->clips[clip].duration * part, pose);
      const auto at = deformed(*model, pose);
      if (!at) continue;
      expect_inside(box, *at, model->dimension);
      expect_inside(found->all, *at, model->dimension);
    }
}

void compare(const fs::path& file, Input bytes) {
  const auto model = usable(file);
  if (!model) return;
  Taker taker = choices(bytes);
  operations::CompareOptions options;
  options.threads = 1;
  options.match = taker.take(4) == 0;
  options.attributes = options.triangles = true;
  options.worst = 2;
  const auto same = operations::compare(*model, *model, options);
  if (same && std::isfinite(same->max()) && same->verdict(1e-5) == operations::Verdict::different)
    broken("a model equals itself", "it is called different");
  Model other = *model;
  change_weights(other, taker);
  if (const auto changed = operations::compare(*model, other, options)) expect_bound(*model, other, *changed, taker);
}

void optimize(const fs::path& file, Input bytes) {
  const auto model = usable(file);
  if (!model) return;
  Taker taker = choices(bytes);
  operations::OptimizeOptions options;
  options.load = small_limits();
  options.threads = 1;
  constexpr std::array<double, 4> errors = {0, 1e-4, 1e-2, 0.5};
  options.max_error = errors[taker.take(4)];
  options.max_influences = taker.take(4);
  options.joint_budget = model->format == "G4MF" ? 0 : taker.take(3) * 2;
  const bool compressed = taker.take(2) != 0;
  if (compressed)
    options.compression = model->format == "G4MF" ? operations::OptimizeCompression::zstd : operations::OptimizeCompression::meshopt;
  const fs::path out = file.parent_path() / ("optimized" + file.extension().string());
  std::error_code ignored;
  fs::remove(out, ignored);
  FindingList findings, changes;
  const auto done = operations::optimize(file, out, options, findings, changes);
  if (!done || done->refused != operations::Refused::no) return;
  const auto smaller = loaded(out);
  if (!smaller) broken("an optimized file can be read", out.string());
  const auto before = deformed(*model, model->rest_pose);
  if (before && !deformed(*smaller, smaller->rest_pose)) broken("an optimized file can be deformed", out.string());
  if (!done->movement || done->movement->error() > *options.max_error * (1 + 1e-9) + 1e-6)
    broken("optimize keeps to the allowed error", done->movement ? std::to_string(done->movement->error()) : "nothing was measured");
}

void tables(const fs::path& file, Input bytes) {
  const auto model = usable(file);
  if (!model) return;
  Taker taker = choices(bytes);
  const fs::path folder = file.parent_path();
  FindingList losses;
  operations::ExtractOptions extracting;
  extracting.fps = 1 + taker.take(40);
  extracting.most_bytes = 1 << 24;
  static_cast<void>(operations::extract(*model, folder / "rig.npz", extracting));
  operations::BakeOptions baking;
  baking.threads = 1;
  if (const auto baked = operations::bake(*model, model->rest_pose, baking)) {
    for (const char* const name : {"baked.ply", "baked.obj", "baked.g4b", "baked.glb", "baked.npy"})
      if (io::can_save(name)) static_cast<void>(io::save(*baked, folder / name));
    if (model->dimension > 1) {
      operations::Hyperplane plane;
      plane.axis = taker.take(static_cast<std::uint32_t>(model->dimension));
      plane.offset = taker.take(8) / 4.0 - 1;
      if (const auto cut = operations::slice(*baked, plane, losses))
        if (io::save(*cut, folder / "cut.g4b") && !loaded(folder / "cut.g4b")) broken("a slice can be read", "cut.g4b");
    }
    static_cast<void>(operations::project(*baked, {}));
  }
  operations::BakeTextureOptions texture;
  texture.format = static_cast<operations::TexelFormat>(taker.take(3));
  texture.fps = 1 + taker.take(10);
  texture.most_texels = 64;
  texture.threads = 1;
  texture.most_bytes = 1 << 24;
  if (const auto baked = operations::bake_texture(*model, folder / "vat.glb", texture)) {
    if (!loaded(folder / "vat.glb")) broken("the mesh of a vertex animation texture can be read", "vat.glb");
    if (!std::isfinite(baked->error)) broken("a vertex animation texture has a finite error", std::to_string(baked->error));
  }
}

}  // namespace sinew::fuzz

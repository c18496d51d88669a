// SPDX-License-Identifier: MIT
#include "operations.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "taker.hpp"
#include "use.hpp"

#include "sinew/animate.hpp"
#include "sinew/bake.hpp"
#include "sinew/bounds.hpp"
#include "sinew/compare.hpp"
#include "sinew/extract.hpp"
#include "sinew/geometry.hpp"
#include "sinew/optimize.hpp"
#include "sinew/project.hpp"
#include "sinew/save.hpp"
#include "sinew/slice.hpp"

namespace sinew::fuzz {

namespace {

namespace fs = std::filesystem;

/// Random numbers that depend on all bytes of the input.
std::vector<std::uint8_t> dice(Input bytes) {
  std::uint32_t hash = 2166136261;  // FNV-1a
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 16777619;
  std::minstd_rand random(hash);
  std::vector<std::uint8_t> numbers(4096);
  for (std::uint8_t& number : numbers) number = static_cast<std::uint8_t>(random() >> 8);
  return numbers;
}

/// Returns the loaded model if it can be deformed and is small.
std::optional<Model> usable(const fs::path& file) {
  auto model = loaded(file);
  if (!model || is_large(*model) || !deformed(*model, model->rest_pose)) return std::nullopt;
  return model;
}

void expect_inside(const operations::Box& box, std::span<const float> positions, std::size_t dimension) {
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
  for (const Instance& instance : got(instances(model))) {
    if (instance.skin == none) continue;
    for (const Index joint : model.skins[instance.skin].slots)
      if (joint != none && !pose.turn(model, std::to_string(joint), turns[joint])) return std::nullopt;
  }
  return pose;
}

/// The matrix of a turned rotor is a turn of its matrix.
bool has_unit_rotor(const LocalTransform& local) {
  double squares = local.rotor.empty() ? 1 : 0;
  for (const double value : local.rotor) squares += value * value;
  return std::abs(squares - 1) < 1e-6;
}

/// Compares a statement about every pose with some poses.
void expect_bound(const Model& a, const Model& b, const operations::Comparison& comparison, Taker& taker) {
  const auto every = got(comparison.every_pose());
  const auto by_index = [](const operations::InstancePair& pair) { return pair.pairing == operations::Pairing::index; };
  const auto is_part = [](double amount) { return amount >= 0 && amount <= 1; };
  const auto are_parts = [&](const std::vector<double>& amounts) { return std::ranges::all_of(amounts, is_part); };
  if (!every.why_not.empty() || !std::isfinite(every.bound) || a.dimension < 2) return;
  if (!std::ranges::all_of(comparison.instances, by_index) || !std::ranges::all_of(a.rest_pose.amounts, are_parts)) return;
  if (!std::ranges::all_of(a.rest_pose.locals, has_unit_rotor)) return;
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

/// Returns whether a clip can have a rotation of length 0 between keys, where it jumps: the exception of bounds.
bool may_jump(const Clip& clip) {
  return std::ranges::any_of(clip.tracks, [](const Track& track) {
    return track.path == TrackPath::rotation && track.interpolation == Interpolation::cubic_spline;
  });
}

}  // namespace

void bounds(const fs::path& file, Input) {
  const auto model = usable(file);
  if (!model) return;
  const auto found = operations::bounds(*model);
  if (!found) return;
  // The boxes of the scene leave out what is hidden.
  const std::vector<Instance> drawn = got(instances(*model));
  const bool shown = std::ranges::all_of(drawn, &Instance::visible) &&
                     std::ranges::all_of(model->clips, [](const Clip& clip) { return clip.visibility.empty(); });
  if (const auto rest = deformed(*model, model->rest_pose); rest && shown) {
    expect_inside(found->rest, *rest, model->dimension);
    expect_inside(found->all, *rest, model->dimension);
  }
  for (const auto& [clip, box, boxes, seen] : found->clips) {
    if (may_jump(model->clips[clip])) continue;
    for (const double part : {0.0, 0.13, 0.5, 0.77, 1.0}) {
      Pose pose = model->rest_pose;
      got(animate::sample(*model, model->clips[clip], model->clips[clip].duration * part, pose));
      const auto at = deformed(*model, pose);
      if (!at) continue;
      if (shown) expect_inside(box, *at, model->dimension);
      if (shown) expect_inside(found->all, *at, model->dimension);
      std::size_t first = 0;
      for (std::size_t i = 0; i < drawn.size(); ++i) {
        std::size_t count = 0;
        for (const VertexBlock& block : model->meshes[drawn[i].mesh].blocks) count += block.vertices * model->dimension;
        expect_inside(boxes[i], std::span(*at).subspan(first, count), model->dimension);
        first += count;
      }
    }
  }
}

void compare(const fs::path& file, Input bytes) {
  const auto model = usable(file);
  if (!model) return;
  const std::vector<std::uint8_t> numbers = dice(bytes);
  Taker taker(numbers);
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
  const std::vector<std::uint8_t> numbers = dice(bytes);
  Taker taker(numbers);
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
  if (options.joint_budget != 0) return;  // parts of a mesh have nodes of their own
  operations::CompareOptions comparing;
  comparing.threads = 1;
  const auto comparison = operations::compare(*model, *smaller, comparing);
  if (!comparison && comparison.error().failure == Failure::limit) return;
  if (!comparison) broken("an optimized file can be compared", comparison.error().line());
  if (comparison->error() > *options.max_error * (1 + 1e-9) + 1e-6)
    broken("optimize keeps to the allowed error", std::to_string(comparison->error()) + " of " + std::to_string(*options.max_error));
}

void tables(const fs::path& file, Input bytes) {
  const auto model = usable(file);
  if (!model) return;
  const std::vector<std::uint8_t> numbers = dice(bytes);
  Taker taker(numbers);
  const fs::path folder = file.parent_path();
  FindingList losses;
  operations::ExtractOptions extracting;
  extracting.fps = 1 + taker.take(40);
  extracting.most_bytes = 1 << 24;
  static_cast<void>(operations::extract(*model, folder / "rig.npz", extracting));
  operations::BakeOptions baking;
  baking.threads = 1;
  if (!model->clips.empty() && !closure_defect(*model, none, 0)) {
    operations::FrameList frames{"frames", {0, 0.5}, {}, 1 << 24};
    frames.pose = [&](double seconds, Pose& pose) -> Result<> {
      pose = model->rest_pose;
      got(animate::sample(*model, model->clips[0], seconds, pose));
      return {};
    };
    if (const auto baked = operations::bake_frames(*model, frames, baking); baked && io::save(*baked, folder / "frames.glb"))
      if (!loaded(folder / "frames.glb")) broken("baked frames can be read", "frames.glb");
  }
  if (const auto baked = operations::bake(*model, model->rest_pose, baking)) {
    for (const char* const name : {"baked.ply", "baked.obj", "baked.g4b", "baked.glb", "baked.npy"})
      if (io::save(*baked, folder / name) && (name[6] == 'g' && !loaded(folder / name))) broken("a baked model can be read", name);
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

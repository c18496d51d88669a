// SPDX-License-Identifier: MIT
// Measures 1,000 poses of a figure of 2,000 vertices and 64 joints in one call: local matrices, and gradients. scripts/measure_batch
// compares the same call in Python.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "sinew/sinew.hpp"

namespace {

constexpr std::size_t poses = 1000;

struct Work {
  sinew::Deformer deformer;
  std::vector<double> local;
  std::vector<float> positions;

  [[nodiscard]] sinew::PoseArrays arrays() const { return {poses, local, {}, {}, {}, {}, {}}; }
};

Work make() {
  const sinew::Model model = sinew::load(std::string(SINEW_BENCH_MODELS) + "/figure_2000.glb").value();
  Work work{sinew::Deformer::create(model).value(), {}, {}};
  for (std::size_t i = 0; i < poses; ++i) {
    const sinew::Pose pose = sinew::sample(model, 0, model.clips[0].duration * static_cast<double>(i) / poses).value();
    for (const sinew::LocalTransform& own : pose.locals) {
      const sinew::Affine map = sinew::affine_of(3, own);
      for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 4; ++column) work.local.push_back(map(row, column));
      work.local.insert(work.local.end(), {0, 0, 0, 1});
    }
  }
  work.positions.resize(poses * work.deformer.vertices() * 3);
  return work;
}

void positions(benchmark::State& state) {
  Work work = make();
  const auto threads = static_cast<unsigned>(state.range(0));
  for ([[maybe_unused]] auto iteration : state)
    if (!work.deformer.positions(work.arrays(), work.positions, threads)) return state.SkipWithError("cannot be deformed");
}

void gradients(benchmark::State& state) {
  Work work = make();
  std::vector<double> matrices(work.local.size());
  const auto threads = static_cast<unsigned>(state.range(0));
  for ([[maybe_unused]] auto iteration : state)
    if (!work.deformer.vjp(work.arrays(), work.positions, {matrices, {}, {}}, threads)) return state.SkipWithError("no gradients");
}

BENCHMARK(positions)->Arg(1)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(gradients)->Arg(1)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();

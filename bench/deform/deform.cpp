// SPDX-License-Identifier: MIT
// How many vertices per second does one thread deform, for a mesh whose arrays stay in the cache? 10,000 vertices, 64 joints, four
// influences each. `naive` is the textbook loop that other engines are compared with as well; the others are the library's kernels.
#include "sinew/deform.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t vertex_count = 10'000;
constexpr std::size_t joint_count = 64;

struct Rig {
  std::vector<float> positions;
  std::vector<float> normals;
  std::vector<float> weights;
  std::vector<std::uint8_t> joints;
  sinew::deform::Palette palette{3};
};

Rig make_rig() {
  std::mt19937 random(20261120);  // its sequence is the same everywhere, unlike that of the standard distributions
  const auto between = [&random](double low, double high) { return low + (high - low) * static_cast<double>(random()) / 4294967296.0; };
  Rig rig;
  for (std::size_t v = 0; v < vertex_count; ++v) {
    double weight[4];
    double sum = 0;
    for (double& w : weight) sum += w = between(0.01, 1);
    for (int k = 0; k < 4; ++k) {
      rig.weights.push_back(static_cast<float>(weight[k] / sum));
      rig.joints.push_back(static_cast<std::uint8_t>(random() % joint_count));
    }
    const double angle = between(0, 6.283);
    rig.normals.insert(rig.normals.end(), {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), 0});
    for (int axis = 0; axis < 3; ++axis) rig.positions.push_back(static_cast<float>(between(-1, 1)));
  }
  for (std::size_t j = 0; j < joint_count; ++j) {
    const double a = between(-1, 1), c = std::cos(a), s = std::sin(a);
    const double columns[] = {c, s, 0, -s, c, 0, 0, 0, 1, between(-1, 1), between(-1, 1), between(-1, 1)};
    rig.palette.push_back(sinew::Affine(3, columns));
  }
  rig.palette.push_back(sinew::Affine(3));
  return rig;
}

sinew::Mesh make_mesh(const Rig& rig) {
  sinew::VertexBlock block;
  block.vertices = vertex_count;
  const auto add = [&block](sinew::Semantic semantic, const std::vector<float>& values) {
    auto& attribute = block.attributes.emplace_back();
    attribute.semantic = semantic;
    attribute.values = sinew::Array::own(values, 3);
  };
  add(sinew::Semantic::position, rig.positions);
  add(sinew::Semantic::normal, rig.normals);
  block.influences.sets.push_back({sinew::Array::own(rig.joints, 4), sinew::Array::own(rig.weights, 4)});
  sinew::Mesh mesh;
  mesh.blocks.push_back(std::move(block));
  return mesh;
}

enum class Channels : std::uint8_t { positions, positions_and_normals };

void report(benchmark::State& state) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(vertex_count));
}

/// Four weighted matrix-vector products per vertex, one after the other, from arrays of rows.
void naive_positions(benchmark::State& state) {
  const Rig rig = make_rig();
  std::vector<float> matrices;
  for (std::size_t j = 0; j < joint_count; ++j) {
    const sinew::Affine map = rig.palette[j];
    for (const double value : map.values()) matrices.push_back(static_cast<float>(value));
  }
  std::vector<float> out(rig.positions.size());
  for ([[maybe_unused]] auto iteration : state) {
    for (std::size_t v = 0; v < vertex_count; ++v) {
      const float* p = &rig.positions[3 * v];
      float sum[3] = {};
      for (std::size_t k = 0; k < 4; ++k) {
        const float* m = &matrices[12 * std::size_t{rig.joints[4 * v + k]}];
        const float w = rig.weights[4 * v + k];
        for (std::size_t r = 0; r < 3; ++r) sum[r] += w * (m[r] * p[0] + m[3 + r] * p[1] + m[6 + r] * p[2] + m[9 + r]);
      }
      for (std::size_t r = 0; r < 3; ++r) out[3 * v + r] = sum[r];
    }
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  report(state);
}
BENCHMARK(naive_positions)->Name("I=4 P/naive");

void library(benchmark::State& state, const char* kernel, Channels channels) {
  const Rig rig = make_rig();
  sinew::deform::PrepareOptions options;
  options.normals = channels == Channels::positions_and_normals;
  options.slots = joint_count;
  options.kernel = kernel;
  const auto prepared = sinew::deform::prepare(make_mesh(rig), 3, options);
  if (!prepared) return state.SkipWithError(prepared.error().message.c_str());
  std::vector<float> positions(rig.positions.size());
  std::vector<float> normals(rig.positions.size());
  sinew::deform::Output out;
  out.positions = {positions.data(), vertex_count, 3};
  if (options.normals) out.normals = {normals.data(), vertex_count, 3};
  for ([[maybe_unused]] auto iteration : state) {
    sinew::deform::run(*prepared, rig.palette, {}, {0, vertex_count}, out);
    benchmark::DoNotOptimize(positions.data());
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(prepared->kernel()));
  report(state);
}
BENCHMARK_CAPTURE(library, plain_p, "plain", Channels::positions)->Name("I=4 P/plain");
BENCHMARK_CAPTURE(library, plain_pn, "plain", Channels::positions_and_normals)->Name("I=4 P+N/plain");
BENCHMARK_CAPTURE(library, sse4_p, "sse4", Channels::positions)->Name("I=4 P/sse4");
BENCHMARK_CAPTURE(library, sse4_pn, "sse4", Channels::positions_and_normals)->Name("I=4 P+N/sse4");
BENCHMARK_CAPTURE(library, avx2_p, "avx2", Channels::positions)->Name("I=4 P/avx2");
BENCHMARK_CAPTURE(library, avx2_pn, "avx2", Channels::positions_and_normals)->Name("I=4 P+N/avx2");
BENCHMARK_CAPTURE(library, avx512_p, "avx512", Channels::positions)->Name("I=4 P/avx512");
BENCHMARK_CAPTURE(library, avx512_pn, "avx512", Channels::positions_and_normals)->Name("I=4 P+N/avx512");

}  // namespace

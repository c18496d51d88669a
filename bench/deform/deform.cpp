// SPDX-License-Identifier: MIT
// How many vertices per second does one thread deform, for a mesh whose arrays stay in the cache? 10,000 vertices, 64 joints, four
// influences each, in several dimensions. `naive` is the textbook loop that other engines are compared with as well; the others are the
// library's kernels. What they compute is held against the naive loop's before anything is timed.
#include "sinew/deform.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t vertex_count = 10'000;
constexpr std::size_t joint_count = 64;
constexpr std::size_t influence_count = 4;

struct Rig {
  std::size_t dimension;
  std::vector<float> positions;
  std::vector<float> normals;
  std::vector<float> weights;
  std::vector<std::uint8_t> joints;
  sinew::deform::Palette palette;
};

Rig make_rig(std::size_t n) {
  std::mt19937 random(20261120);  // its sequence is the same everywhere, unlike that of the standard distributions
  const auto between = [&random](double low, double high) { return low + (high - low) * static_cast<double>(random()) / 4294967296.0; };
  Rig rig{n, {}, {}, {}, {}, sinew::deform::Palette{n}};
  for (std::size_t v = 0; v < vertex_count; ++v) {
    double weight[influence_count];
    double sum = 0;
    for (double& w : weight) sum += w = between(0.01, 1);
    for (const double w : weight) {
      rig.weights.push_back(static_cast<float>(w / sum));
      rig.joints.push_back(static_cast<std::uint8_t>(random() % joint_count));
    }
    const double angle = between(0, 6.283);
    rig.normals.insert(rig.normals.end(), {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
    rig.normals.resize(rig.normals.size() + n - 2);
    for (std::size_t axis = 0; axis < n; ++axis) rig.positions.push_back(static_cast<float>(between(-1, 1)));
  }
  for (std::size_t j = 0; j < joint_count; ++j) {
    const double a = between(-1, 1);
    std::vector<double> columns((n + 1) * n);
    for (std::size_t i = 0; i < n; ++i) columns[i * n + i] = 1;
    columns[0] = columns[n + 1] = std::cos(a);
    columns[1] = std::sin(a);
    columns[n] = -std::sin(a);
    for (std::size_t i = 0; i < n; ++i) columns[n * n + i] = between(-1, 1);
    rig.palette.push_back(sinew::Affine(n, columns));
  }
  rig.palette.push_back(sinew::Affine(n));
  return rig;
}

sinew::Mesh make_mesh(const Rig& rig) {
  sinew::VertexBlock block;
  block.vertices = vertex_count;
  const auto add = [&](sinew::Semantic semantic, const std::vector<float>& values) {
    auto& attribute = block.attributes.emplace_back();
    attribute.semantic = semantic;
    attribute.values = sinew::Array::own(values, rig.dimension);
  };
  add(sinew::Semantic::position, rig.positions);
  add(sinew::Semantic::normal, rig.normals);
  block.influences.sets.push_back({sinew::Array::own(rig.joints, 4), sinew::Array::own(rig.weights, 4)});
  sinew::Mesh mesh;
  mesh.blocks.push_back(std::move(block));
  return mesh;
}

void report(benchmark::State& state) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(vertex_count));
}

/// Four weighted matrix-vector products per vertex, one after the other, from arrays of rows.
template <std::size_t N>
void move_naively(const Rig& rig, const std::vector<float>& matrices, std::vector<float>& out) {
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const float* p = &rig.positions[N * v];
    float sum[N] = {};
    for (std::size_t k = 0; k < influence_count; ++k) {
      const float* m = &matrices[N * (N + 1) * rig.joints[influence_count * v + k]];
      const float w = rig.weights[influence_count * v + k];
      for (std::size_t r = 0; r < N; ++r) {
        float moved = m[N * N + r];
        for (std::size_t c = 0; c < N; ++c) moved += m[c * N + r] * p[c];
        sum[r] += w * moved;
      }
    }
    for (std::size_t r = 0; r < N; ++r) out[N * v + r] = sum[r];
  }
}

std::vector<float> matrices_of(const Rig& rig) {
  std::vector<float> matrices;
  for (std::size_t j = 0; j < joint_count; ++j) {
    const sinew::Affine map = rig.palette[j];
    for (const double value : map.values()) matrices.push_back(static_cast<float>(value));
  }
  return matrices;
}

template <std::size_t N>
void naive(benchmark::State& state) {
  const Rig rig = make_rig(N);
  const std::vector<float> matrices = matrices_of(rig);
  std::vector<float> out(rig.positions.size());
  for ([[maybe_unused]] auto iteration : state) {
    move_naively<N>(rig, matrices, out);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  report(state);
}

template <std::size_t N>
bool as_naive(const Rig& rig, const std::vector<float>& found) {
  std::vector<float> expected(found.size());
  move_naively<N>(rig, matrices_of(rig), expected);
  return std::ranges::equal(found, expected, [](float a, float b) { return std::abs(a - b) < 1e-5F; });
}

template <std::size_t N>
void library(benchmark::State& state, const char* kernel, bool normals) {
  const Rig rig = make_rig(N);
  sinew::deform::PrepareOptions options;
  options.normals = normals;
  options.slots = joint_count;
  options.kernel = kernel;
  const auto prepared = sinew::deform::prepare(make_mesh(rig), N, options);
  if (!prepared) return state.SkipWithError(prepared.error().message.c_str());
  std::vector<float> moved(rig.positions.size());
  std::vector<float> turned(rig.positions.size());
  sinew::deform::Output out;
  out.positions = {moved.data(), vertex_count, N};
  if (normals) out.normals = {turned.data(), vertex_count, N};
  const auto run = [&] { sinew::deform::run(*prepared, rig.palette, {}, {0, vertex_count}, out); };
  run();
  if (!as_naive<N>(rig, moved)) return state.SkipWithError("not what the naive loop computes");
  for ([[maybe_unused]] auto iteration : state) {
    run();
    benchmark::DoNotOptimize(moved.data());
    benchmark::ClobberMemory();
  }
  report(state);
}

template <std::size_t N>
void add() {
  const std::string name = std::to_string(N) + "D I=4 ";
  benchmark::RegisterBenchmark((name + "P/naive").c_str(), naive<N>);
  for (const char* kernel : {"plain", "sse4", "avx2", "avx512"}) {
    benchmark::RegisterBenchmark((name + "P/" + kernel).c_str(), library<N>, kernel, false);
    if (N == 3) benchmark::RegisterBenchmark((name + "P+N/" + kernel).c_str(), library<N>, kernel, true);
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  add<2>();
  add<3>();
  add<4>();
  add<5>();
  add<8>();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

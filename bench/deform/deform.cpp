// SPDX-License-Identifier: MIT
// Measures how many vertices per second the library deforms, compared with the textbook loop, Eigen and copying. 64 joints, one thread
// unless the name says otherwise. 10,000 vertices fit in the cache, 1,000,000 do not. The library's results are compared with those of the
// textbook loop before timing.
//   3D I=4 P 10000/naive: dimension, influences (I=any: 1 to 8, 2.4 on average, in random order), positions or positions and normals
#include "sinew/deform.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>

#include "baselines.hpp"

namespace {

constexpr std::size_t joint_count = 64;

struct Case {
  std::size_t dimension = 3;
  std::size_t influences = 4;  ///< 0: rows of any length
  bool normals = false;
  std::size_t vertices = 10'000;

  [[nodiscard]] std::string name(const std::string& who) const {
    return std::to_string(dimension) + "D I=" + (influences == 0 ? "any" : std::to_string(influences)) + (normals ? " P+N " : " P ") +
           std::to_string(vertices) + "/" + who;
  }
};

struct Rig {
  baseline::Arrays arrays;
  sinew::Mesh mesh;
  sinew::deform::Palette palette;
};

class Numbers {
 public:
  double between(double low, double high) { return low + (high - low) * static_cast<double>(engine_()) / 4294967296.0; }
  std::size_t below(std::size_t end) { return engine_() % end; }
  /// 2.4 on average.
  std::size_t length() {
    static constexpr std::size_t until[] = {35, 62, 82, 92, 95, 97, 99, 100};
    const std::size_t percent = below(100);
    return 1 + static_cast<std::size_t>(std::upper_bound(std::begin(until), std::end(until), percent) - std::begin(until));
  }

 private:
  std::mt19937 engine_{20261120};  // the same sequence on all platforms, unlike the standard distributions
};

void add_vertices(const Case& c, Numbers& numbers, baseline::Arrays& out) {
  out.vertices = c.vertices;
  out.first.push_back(0);
  for (std::size_t v = 0; v < c.vertices; ++v) {
    const std::size_t length = c.influences == 0 ? numbers.length() : c.influences;
    double weight[8], sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += weight[i] = numbers.between(0.01, 1);
    for (std::size_t i = 0; i < length; ++i) {
      out.weights.push_back(static_cast<float>(weight[i] / sum));
      out.joints.push_back(static_cast<std::uint8_t>(numbers.below(joint_count)));
    }
    out.first.push_back(static_cast<std::uint32_t>(out.joints.size()));
    const double angle = numbers.between(0, 6.283);
    out.normals.insert(out.normals.end(), {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
    out.normals.resize(out.normals.size() + c.dimension - 2);
    for (std::size_t axis = 0; axis < c.dimension; ++axis) out.positions.push_back(static_cast<float>(numbers.between(-1, 1)));
  }
}

void add_joints(std::size_t n, Numbers& numbers, Rig& out) {
  baseline::Arrays& arrays = out.arrays;
  arrays.padded.resize(joint_count * 16 + 16);
  arrays.aligned = (64 - reinterpret_cast<std::uintptr_t>(arrays.padded.data()) % 64) % 64 / sizeof(float);
  for (std::size_t j = 0; j < joint_count; ++j) {
    const double a = numbers.between(-1, 1);
    std::vector<double> columns((n + 1) * n);
    for (std::size_t i = 0; i < n; ++i) columns[i * n + i] = 1;
    columns[0] = columns[n + 1] = std::cos(a);
    columns[1] = std::sin(a);
    columns[n] = -std::sin(a);
    for (std::size_t i = 0; i < n; ++i) columns[n * n + i] = numbers.between(-1, 1);
    if (!out.palette.push_back(sinew::Affine(n, columns))) std::abort();
    for (const double value : columns) arrays.matrices.push_back(static_cast<float>(value));
    for (std::size_t i = 0; n == 3 && i < 12; ++i)
      arrays.padded[arrays.aligned + j * 16 + i / 3 * 4 + i % 3] = static_cast<float>(columns[i]);
  }
  if (!out.palette.push_back(sinew::Affine(n))) std::abort();
}

sinew::Mesh mesh_of(const Case& c, const baseline::Arrays& arrays) {
  sinew::VertexBlock block;
  block.vertices = arrays.vertices;
  const auto add = [&](sinew::Semantic semantic, const std::vector<float>& values) {
    auto& attribute = block.attributes.emplace_back();
    attribute.semantic = semantic;
    attribute.values = sinew::Array::own(values, c.dimension);
  };
  add(sinew::Semantic::position, arrays.positions);
  add(sinew::Semantic::normal, arrays.normals);
  if (c.influences != 0) {
    block.influences.sets.push_back({sinew::Array::own(arrays.joints, c.influences), sinew::Array::own(arrays.weights, c.influences)});
  } else {
    block.influences.first = arrays.first;
    block.influences.slots = sinew::Array::own(arrays.joints, 1);
    block.influences.weights = sinew::Array::own(arrays.weights, 1);
  }
  sinew::Mesh mesh;
  mesh.blocks.push_back(std::move(block));
  return mesh;
}

/// Created once for each case.
const Rig& rig_of(const Case& c) {
  static std::map<std::string, Rig> made;
  const auto [at, is_new] = made.try_emplace(c.name(""), Rig{{}, {}, sinew::deform::Palette(c.dimension)});
  Rig& rig = at->second;
  if (is_new) {
    Numbers numbers;
    add_vertices(c, numbers, rig.arrays);
    add_joints(c.dimension, numbers, rig);
    rig.mesh = mesh_of(c, rig.arrays);
  }
  return rig;
}

struct Results {
  std::vector<float> positions, normals;
  explicit Results(const Case& c) : positions(c.vertices * c.dimension), normals(c.normals ? positions.size() : 0) {}
  [[nodiscard]] float* normals_or_null() { return normals.empty() ? nullptr : normals.data(); }
};

template <class Run>
void time(benchmark::State& state, const Case& c, Results& results, Run run) {
  for ([[maybe_unused]] auto iteration : state) {
    run();
    benchmark::DoNotOptimize(results.positions.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(c.vertices));
}

void naive(benchmark::State& state, const Case& c) {
  const Rig& rig = rig_of(c);
  Results results(c);
  time(state, c, results,
       [&] { baseline::naive(c.dimension, c.influences, rig.arrays, results.positions.data(), results.normals_or_null()); });
}

void eigen(benchmark::State& state, const Case& c) {
  const Rig& rig = rig_of(c);
  Results results(c);
  time(state, c, results, [&] { baseline::eigen(rig.arrays, results.positions.data(), results.normals_or_null()); });
}

/// Maps here are rotations and their blends, so the linear part and its cofactor matrix transform a direction equally, except for its
/// length.
bool as_naive(const Case& c, const Rig& rig, const Results& found) {
  Results expected(c);
  baseline::naive(c.dimension, c.influences, rig.arrays, expected.positions.data(), expected.normals_or_null());
  const auto near = [](float a, float b) { return std::abs(a - b) < 1e-5F; };
  return std::ranges::equal(found.positions, expected.positions, near) && std::ranges::equal(found.normals, expected.normals, near);
}

void library(benchmark::State& state, const Case& c, const std::string& kernel, unsigned threads) {
  const Rig& rig = rig_of(c);
  sinew::deform::PrepareOptions options;
  options.normals = c.normals;
  options.slots = joint_count;
  options.kernel = kernel;
  const auto prepared = sinew::deform::prepare(rig.mesh, c.dimension, options);
  if (!prepared) return state.SkipWithError(prepared.error().message.c_str());
  Results results(c);
  sinew::deform::Output out;
  out.positions = {results.positions.data(), c.vertices, c.dimension};
  if (c.normals) out.normals = {results.normals.data(), c.vertices, c.dimension};
  const auto run = [&] {
    if (threads == 1)
      sinew::deform::run(*prepared, rig.palette, {}, {0, c.vertices}, out);
    else
      sinew::deform::run_parallel(*prepared, rig.palette, {}, out, threads);
  };
  run();
  if (!as_naive(c, rig, results)) return state.SkipWithError("not what the naive loop computes");
  time(state, c, results, run);
}

/// The memory limit: bytes read and written by memcpy (which bypasses the cache for large copies) and by a loop.
void copy(benchmark::State& state, bool by_memcpy) {
  const std::vector<float> from(12'000'000, 1.0F);
  std::vector<float> to(from.size());
  for ([[maybe_unused]] auto iteration : state) {
    if (by_memcpy)
      std::memcpy(to.data(), from.data(), from.size() * sizeof(float));
    else
      for (std::size_t i = 0; i < from.size(); ++i) to[i] = 2 * from[i];
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(from.size() * 2 * sizeof(float)));
}

void add(const Case& c, const std::vector<std::string>& kernels) {
  benchmark::RegisterBenchmark(c.name("naive").c_str(), naive, c)->UseRealTime();
  if (c.dimension == 3 && c.influences == 4) benchmark::RegisterBenchmark(c.name("eigen").c_str(), eigen, c)->UseRealTime();
  for (const std::string& kernel : kernels) benchmark::RegisterBenchmark(c.name(kernel).c_str(), library, c, kernel, 1U)->UseRealTime();
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const std::vector<std::string> all{"plain", "sse4", "avx2", "avx512"}, best{"avx2", "avx512"};
  for (const bool normals : {false, true}) {
    add({3, 4, normals, 10'000}, all);
    add({3, 4, normals, 1'000'000}, best);
  }
  add({3, 0, false, 1'000'000}, best);
  for (const std::size_t dimension : {2, 4, 5, 6, 7, 8}) add({dimension, 4, false, 10'000}, all);
  const Case cached{3, 4, false, 100'000};
  for (const unsigned threads : {1U, 2U})
    benchmark::RegisterBenchmark(cached.name(std::to_string(threads) + " threads").c_str(), library, cached, std::string(), threads)
        ->UseRealTime();
  benchmark::RegisterBenchmark("copied bytes/memcpy", copy, true)->UseRealTime();
  benchmark::RegisterBenchmark("copied bytes/loop", copy, false)->UseRealTime();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

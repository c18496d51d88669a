// SPDX-License-Identifier: MIT
// Measures the time to add 52 blend shapes to the positions of 100,000 vertices and to transform them by one joint. The baseline loops over
// the shapes, then over the vertices. All shapes are active. Results are compared with the baseline's before timing.
//   dense: offsets for every vertex; random: for every tenth, at random; runs: for every tenth, in runs of 200 vertices
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <string>

#include "sinew/deform.hpp"

namespace {

using Rows = std::vector<std::uint32_t>;

constexpr std::size_t vertex_count = 100'000, shape_count = 52, run_length = 200;
/// The transform of the joint, column by column: a quarter turn and a translation.
constexpr float joint[12] = {0, 1, 0, -1, 0, 0, 0, 0, 1, 0.5F, -0.25F, 2};

struct Shapes {
  std::vector<float> positions;
  std::vector<Rows> rows;  ///< of every shape; empty: dense
  std::vector<std::vector<float>> offsets;
  std::vector<double> amounts;
};

Rows rows_of(const std::string& kind, std::mt19937& random) {
  Rows rows;
  if (kind == "random")
    while (rows.size() < vertex_count / 10) rows.push_back(static_cast<std::uint32_t>(random() % vertex_count));
  if (kind == "runs")
    for (std::size_t i = 0; i < vertex_count / 10 / run_length; ++i) {
      const std::size_t first = random() % (vertex_count / run_length) * run_length;
      for (std::size_t row = first; row < first + run_length; ++row) rows.push_back(static_cast<std::uint32_t>(row));
    }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Shapes make_shapes(const std::string& kind) {
  std::mt19937 random(20261122);
  const auto number = [&] { return static_cast<float>(random() % 2001) / 1000 - 1; };
  Shapes out;
  for (std::size_t i = 0; i < vertex_count * 3; ++i) out.positions.push_back(number());
  for (std::size_t s = 0; s < shape_count; ++s) {
    out.rows.push_back(rows_of(kind, random));
    auto& offsets = out.offsets.emplace_back((kind == "dense" ? vertex_count : out.rows.back().size()) * 3);
    for (float& value : offsets) value = number() / 100;
    out.amounts.push_back(static_cast<double>(number()));
  }
  return out;
}

/// Created once for each kind.
const Shapes& shapes_of(const std::string& kind) {
  static std::map<std::string, Shapes> made;
  const auto found = made.find(kind);
  return found != made.end() ? found->second : made.emplace(kind, make_shapes(kind)).first->second;
}

sinew::Mesh mesh_of(const Shapes& shapes) {
  sinew::VertexBlock block;
  block.vertices = vertex_count;
  auto& attribute = block.attributes.emplace_back();
  attribute.semantic = sinew::Semantic::position;
  attribute.values = sinew::Array::own(shapes.positions, 3);
  for (std::size_t s = 0; s < shape_count; ++s) {
    auto& offsets = attribute.offsets.emplace_back();
    offsets.shape = static_cast<sinew::Index>(s);
    offsets.values = sinew::Array::own(shapes.offsets[s], 3);
    offsets.sparse_ = !shapes.rows[s].empty();
    if (offsets.sparse_) offsets.indices = sinew::Array::own(shapes.rows[s], 1);
  }
  block.influences.sets.push_back(
      {sinew::Array::own(std::vector<std::uint8_t>(vertex_count, 0), 1), sinew::Array::own(std::vector<float>(vertex_count, 1), 1)});
  sinew::Mesh mesh;
  mesh.shapes.resize(shape_count);
  mesh.blocks.push_back(std::move(block));
  return mesh;
}

void naive(const Shapes& shapes, std::vector<float>& out) {
  std::ranges::copy(shapes.positions, out.begin());
  for (std::size_t s = 0; s < shape_count; ++s) {
    const auto amount = static_cast<float>(shapes.amounts[s]);
    const float* offset = shapes.offsets[s].data();
    if (shapes.rows[s].empty())
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += amount * offset[i];
    for (const std::uint32_t row : shapes.rows[s]) {
      for (std::size_t c = 0; c < 3; ++c) out[std::size_t{row} * 3 + c] += amount * offset[c];
      offset += 3;
    }
  }
  for (std::size_t v = 0; v < vertex_count; ++v) {
    float* p = &out[v * 3];
    const float x = p[0], y = p[1], z = p[2];
    for (std::size_t r = 0; r < 3; ++r) p[r] = joint[r] * x + joint[3 + r] * y + joint[6 + r] * z + joint[9 + r];
  }
}

template <class Run>
void time(benchmark::State& state, std::vector<float>& out, Run run) {
  for ([[maybe_unused]] auto iteration : state) {
    run();
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
}

void textbook(benchmark::State& state, const std::string& kind) {
  const Shapes& shapes = shapes_of(kind);
  std::vector<float> out(vertex_count * 3);
  time(state, out, [&] { naive(shapes, out); });
}

void library(benchmark::State& state, const std::string& kind, const std::string& kernel) {
  const Shapes& shapes = shapes_of(kind);
  sinew::deform::PrepareOptions options;
  options.slots = 1;
  options.kernel = kernel;
  const auto prepared = sinew::deform::prepare(mesh_of(shapes), 3, options);
  if (!prepared) return state.SkipWithError(prepared.error().message.c_str());
  std::vector<float> expected(vertex_count * 3), found(expected.size());
  naive(shapes, expected);
  sinew::deform::Palette palette(3);
  if (!palette.push_back(sinew::Affine(3, std::vector<double>(std::begin(joint), std::end(joint))))) std::abort();
  if (!palette.push_back(sinew::Affine(3))) std::abort();
  sinew::deform::Output output;
  output.positions = {found.data(), vertex_count, 3};
  const auto run = [&] { sinew::deform::run(*prepared, palette, shapes.amounts, {0, vertex_count}, output); };
  run();
  if (!std::ranges::equal(found, expected, [](float a, float b) { return std::abs(a - b) < 1e-5F; }))
    return state.SkipWithError("not what the naive loop computes");
  time(state, found, run);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const std::string kind : {"dense", "random", "runs"}) {
    benchmark::RegisterBenchmark((kind + "/naive").c_str(), textbook, kind)->UseRealTime();
    for (const std::string kernel : {"plain", "sse4", "avx2", "avx512"})
      benchmark::RegisterBenchmark((kind + "/" + kernel).c_str(), library, kind, kernel)->UseRealTime();
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

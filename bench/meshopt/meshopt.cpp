// SPDX-License-Identifier: MIT
// Measures how fast streams of EXT_meshopt_compression are decoded, beside the distribution's meshoptimizer, which also makes the streams.
// Bytes per second are decoded ones.
#include <benchmark/benchmark.h>
#include <meshoptimizer.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "meshopt/streams.hpp"

namespace {

namespace meshopt = sinew::meshopt;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t columns = 500, rows = 400, vertices = columns * rows;

struct Stream {
  std::string name;
  Bytes bytes;
  std::size_t count, stride;
  bool triangles;
};

// A sphere with bumps, in float.
std::vector<float> positions() {
  std::vector<float> values;
  for (std::size_t i = 0; i < vertices; ++i) {
    const double u = static_cast<double>(i % columns) / columns * 6.283, v = static_cast<double>(i / columns) / rows * 3.1416;
    const double radius = 1 + 0.1 * std::sin(9 * u) * std::sin(7 * v) + 0.003 * std::sin(173 * u + 91 * v);
    for (const double axis : {std::sin(v) * std::cos(u), std::cos(v), std::sin(v) * std::sin(u)})
      values.push_back(static_cast<float>(radius * axis));
  }
  return values;
}

template <class T>
Stream attributes(const char* name, const std::vector<T>& values, std::size_t stride) {
  Bytes bytes(meshopt_encodeVertexBufferBound(vertices, stride));
  bytes.resize(meshopt_encodeVertexBuffer(bytes.data(), bytes.size(), values.data(), vertices, stride));
  return {name, std::move(bytes), vertices, stride, false};
}

Stream triangles() {
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; i + columns < vertices; ++i)
    if (i % columns + 1 < columns) list.insert(list.end(), {i, i + 1, i + columns, i + columns, i + 1, i + 1 + columns});
  meshopt_optimizeVertexCache(list.data(), list.data(), list.size(), vertices);
  meshopt_encodeIndexVersion(1);
  Bytes bytes(meshopt_encodeIndexBufferBound(list.size(), vertices));
  bytes.resize(meshopt_encodeIndexBuffer(bytes.data(), bytes.size(), list.data(), list.size()));
  return {"triangles", std::move(bytes), list.size(), 4, true};
}

std::vector<Stream> streams() {
  const std::vector<float> points = positions();
  std::vector<std::uint16_t> quantized, mixed;
  for (std::size_t i = 0; i < vertices; ++i) {
    for (std::size_t k = 0; k < 3; ++k) quantized.push_back(static_cast<std::uint16_t>((points[3 * i + k] + 1.2f) / 2.4f * 16383));
    quantized.push_back(0);
    mixed.insert(mixed.end(), quantized.end() - 4, quantized.end());
    for (const std::size_t word : {i / 64, i / 48, i * 7, i / 16, std::size_t{0x0503}, std::size_t{0x0907}, 200 - i % 17, i % 17 + 40})
      mixed.push_back(static_cast<std::uint16_t>(word));
    mixed.insert(mixed.end(), 4, 0);
  }
  std::mt19937 random(1);
  Bytes noise(16 * vertices);
  for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(random() % (random() % 2 == 0 ? 6 : 40));
  return {attributes("float positions, 12 bytes", points, 12), attributes("14-bit positions, 8 bytes", quantized, 8),
          attributes("positions and more, 32 bytes", mixed, 32), attributes("noise, 16 bytes", noise, 16), triangles()};
}

bool by_sinew(const Stream& stream, Bytes& out) {
  return !(stream.triangles ? meshopt::decode_triangles(stream.bytes, out, stream.stride)
                            : meshopt::decode_attributes(stream.bytes, out, stream.stride));
}

bool by_meshoptimizer(const Stream& stream, Bytes& out) {
  const auto& [name, bytes, count, stride, is_triangles] = stream;
  return 0 == (is_triangles ? meshopt_decodeIndexBuffer(out.data(), count, stride, bytes.data(), bytes.size())
                            : meshopt_decodeVertexBuffer(out.data(), count, stride, bytes.data(), bytes.size()));
}

void decode(benchmark::State& state, bool (*decoder)(const Stream&, Bytes&), const Stream& stream) {
  Bytes out(stream.count * stream.stride), wanted(out.size());
  if (!decoder(stream, out) || !by_meshoptimizer(stream, wanted) || out != wanted) return state.SkipWithError("decoded wrongly");
  for ([[maybe_unused]] auto iteration : state) benchmark::DoNotOptimize(decoder(stream, out));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(out.size()));
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const Stream& stream : streams()) {
    benchmark::RegisterBenchmark((stream.name + "/sinew").c_str(), decode, by_sinew, stream);
    benchmark::RegisterBenchmark((stream.name + "/meshoptimizer").c_str(), decode, by_meshoptimizer, stream);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

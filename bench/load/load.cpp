// SPDX-License-Identifier: MIT
// Measures the time and memory until a file is a usable model: a skinned figure of 78 MB, nearly all vertices, and a forest of 100,000
// nodes, nearly all JSON. Lower bounds: reading every byte of the mapped file once, and simdjson's document of the same JSON text.
#include "sinew/load.hpp"

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

namespace {

const std::string models = SINEW_BENCH_MODELS;

std::int64_t size_of(const std::string& file) { return static_cast<std::int64_t>(std::filesystem::file_size(file)); }

bool load(const std::string& file) {
  sinew::FindingList findings;
  const auto model = sinew::io::load(file, {}, findings);
  benchmark::DoNotOptimize(model);
  return model.has_value();
}

/// Returns the peak memory of a child process that does nothing else. Precondition: this process has not allocated much memory yet.
double peak_mebibytes(const std::string& file) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(load(file) ? 0 : 1);
  int status = 0;
  rusage usage{};
  if (child < 0 || ::wait4(child, &status, 0, &usage) != child || status != 0) return 0;
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void library(benchmark::State& state, const std::string& file, double peak) {
  for ([[maybe_unused]] auto iteration : state)
    if (!load(file)) return state.SkipWithError("cannot be loaded");
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * size_of(file));
  state.counters["peak_MiB"] = peak;
}

void map_and_read(benchmark::State& state, const std::string& file) {
  const auto size = static_cast<std::size_t>(size_of(file));
  for ([[maybe_unused]] auto iteration : state) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    ::close(descriptor);
    if (address == MAP_FAILED) return state.SkipWithError("cannot be mapped");
    std::uint64_t sum = 0;
    for (const std::uint64_t word : std::span(static_cast<const std::uint64_t*>(address), size / sizeof(std::uint64_t))) sum += word;
    benchmark::DoNotOptimize(sum);
    ::munmap(address, size);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * size_of(file));
}

simdjson::padded_string json_chunk(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::uint32_t header[5] = {};  // magic, version, length; length and type of the first chunk
  in.read(reinterpret_cast<char*>(header), sizeof(header));
  simdjson::padded_string text(header[3]);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  return text;
}

/// One parser for every text, as in a program that loads a file.
void simdjson_document(benchmark::State& state, const std::string& file) {
  const simdjson::padded_string text = json_chunk(file);
  for ([[maybe_unused]] auto iteration : state) {
    simdjson::dom::parser parser;
    if (parser.parse(text).error() != simdjson::SUCCESS) return state.SkipWithError("is no JSON");
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(text.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string figure = models + "/figure_80mb.glb", forest = models + "/forest_json.glb";
  const double figure_peak = peak_mebibytes(figure), forest_peak = peak_mebibytes(forest);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const auto add = [](const char* name, auto... what) { benchmark::RegisterBenchmark(name, what...)->Unit(benchmark::kMillisecond); };
  add("78 MB of vertices/map and read", map_and_read, figure);
  add("78 MB of vertices/sinew", library, figure, figure_peak);
  add("44 MB of JSON/simdjson", simdjson_document, forest);
  add("44 MB of JSON/sinew", library, forest, forest_peak);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

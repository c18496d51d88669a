// SPDX-License-Identifier: MIT
// Measures the time to check a file completely, compared with loading it. scripts/measure_validate compares with another validator.
#include "sinew/validate.hpp"

#include <benchmark/benchmark.h>

#include <string>

#include "sinew/load.hpp"

namespace {

const std::string models = SINEW_BENCH_MODELS;

void load(benchmark::State& state, const std::string& file) {
  for ([[maybe_unused]] auto iteration : state) {
    sinew::FindingList findings;
    if (!sinew::io::load(file, {}, findings)) return state.SkipWithError("cannot be loaded");
  }
}

void check(benchmark::State& state, const std::string& file) {
  for ([[maybe_unused]] auto iteration : state) {
    const auto report = sinew::validate::check_file(file, {});
    if (!report) return state.SkipWithError("cannot be checked");
    benchmark::DoNotOptimize(sinew::validate::to_json(*report)->size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const auto add = [](const std::string& name, auto what, const std::string& file) {
    benchmark::RegisterBenchmark(name.c_str(), what, models + "/" + file)->Unit(benchmark::kMillisecond)->UseRealTime();
  };
  for (const auto& [name, file] :
       {std::pair{"78 MB of vertices", "figure_80mb.glb"}, {"44 MB of JSON", "forest_json.glb"}, {"137 kB", "small.glb"}}) {
    add(std::string(name) + "/load", load, file);
    add(std::string(name) + "/validate", check, file);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

// SPDX-License-Identifier: MIT
// Measures the time for a whole clip: 100 frames of a figure of 100,000 vertices, sampled, deformed and written to one .npy. The baseline
// writes as many bytes with the same writer (which waits for the disk at the end).
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "sinew/animate.hpp"
#include "sinew/deform.hpp"
#include "sinew/load.hpp"
#include "sinew/save.hpp"

namespace {

const std::string models = SINEW_BENCH_MODELS;
constexpr std::size_t frames = 100;

const sinew::Model& figure() {
  static const sinew::Model model = [] {
    sinew::FindingList findings;
    return sinew::io::load(models + "/figure.glb", {}, findings).value_or(sinew::Model{});
  }();
  return model;
}

/// Computes every frame and passes it to `take`, which returns whether it succeeded.
template <class Take>
bool each_frame(unsigned threads, Take&& take) {
  const sinew::Model& model = figure();
  auto deformer = sinew::deform::SceneDeformer::create(model, sinew::instances(model).value(), {});
  if (!deformer || model.clips.empty()) return false;
  std::vector<float> values;
  sinew::Pose pose;
  const auto times = sinew::animate::frame_times(model.clips[0].duration, frames).value();
  for (const double time : times) {
    values.resize(deformer->vertices() * 3);
    pose = model.rest_pose;
    if (!sinew::animate::sample(model, model.clips[0], time, pose)) std::abort();
    sinew::deform::Output out;
    out.positions = {values.data(), deformer->vertices(), 3};
    if (!deformer->run(pose, out, threads) || !take(values)) return false;
  }
  return true;
}

std::size_t vertices() {
  std::size_t count = 0;
  for (const auto& block : figure().meshes.at(0).blocks) count += block.vertices;
  return count;
}

auto make_writer() { return sinew::io::NpyWriter::create(models + "/clip.npy", {frames, vertices(), 3}); }

void write_alone(benchmark::State& state) {
  const std::vector<float> values(vertices() * 3);
  for ([[maybe_unused]] auto iteration : state) {
    auto writer = make_writer();
    bool well = writer.has_value();
    for (std::size_t i = 0; well && i < frames; ++i) well = writer->write(values).has_value();
    if (!well || !writer->finish()) return state.SkipWithError("cannot be written");
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(frames * values.size() * sizeof(float)));
}

void deform_alone(benchmark::State& state, unsigned threads) {
  for ([[maybe_unused]] auto iteration : state)
    if (!each_frame(threads, [](const std::vector<float>&) { return true; })) return state.SkipWithError("cannot be deformed");
}

void deform_and_write(benchmark::State& state, unsigned threads) {
  for ([[maybe_unused]] auto iteration : state) {
    auto writer = make_writer();
    const bool well = writer && each_frame(threads, [&](std::vector<float>& values) {
                        return (threads == 1 ? writer->write(values) : writer->write_behind(values)).has_value();
                      });
    if (!well || !writer->finish()) return state.SkipWithError("cannot be deformed and written");
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const auto add = [](const char* name, auto... what) {
    benchmark::RegisterBenchmark(name, what...)->Unit(benchmark::kMillisecond)->UseRealTime();
  };
  add("100 frames of 100,000 vertices/write alone", write_alone);
  add("100 frames of 100,000 vertices/deform alone, 1 thread", deform_alone, 1U);
  add("100 frames of 100,000 vertices/deform and write, 1 thread", deform_and_write, 1U);
  add("100 frames of 100,000 vertices/deform and write, all threads", deform_and_write, 0U);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

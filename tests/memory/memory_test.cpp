// SPDX-License-Identifier: MIT
// Every allocation of every public function fails in turn: alone, and with all after it. The function returns SINEW_NO_MEMORY or works
// without; it never throws, and afterwards all memory is free. tests/structure/test_public_names.py compares the rows with the headers.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "trial.hpp"

#include "sinew/load.hpp"

namespace sinew::memory {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

/// Of a call with more allocations; then as many of the others. A call with a sanitizer takes fifty times as long.
constexpr std::size_t most_in_a_row = sanitized ? 2 : 50;
constexpr std::size_t every = 4;  ///< of the failures, once with all later ones

Model loaded(const std::filesystem::path& file) {
  FindingList findings;
  auto model = io::load(file, {}, findings);
  if (model) return *std::move(model);
  std::fprintf(stderr, "%s\n", model.error().line().c_str());
  std::exit(1);
}

Trial tried(const Row& row, const Given& given, std::size_t first, bool all) {
  Trial trial(first, all);
  row.call(given, trial);
  return trial;
}

/// Returns the number of failures that were tried; reports what is wrong.
std::size_t try_row(const Row& row, const Given& given, bool& right) {
  constexpr auto never = static_cast<std::size_t>(-1);
  const auto report = [&](const Trial& trial, const std::string& when) {
    if (trial.wrong().empty()) return;
    right = false;
    std::printf("%s, %s: %s\n", row.name, when.c_str(), trial.wrong().c_str());
  };
  report(tried(row, given, never, false), "the first call");  // what libraries allocate once
  const Trial whole = tried(row, given, never, false);
  report(whole, "without a failure");
  const std::size_t count = whole.counted().allocations, step = std::max<std::size_t>(1, count / most_in_a_row);
  std::size_t tries = 0, before = 0, after = 1;
  for (int round = 0; round < 2 && right && after != before; ++round) {  // a model keeps what was found in the first round
    before = live_blocks();
    for (std::size_t first = 0; first < count && right; first += first < most_in_a_row ? 1 : step)
      for (const bool all : {false, true}) {
        if (all && first % every != 0) continue;
        report(tried(row, given, first, all), "allocation " + std::to_string(first) + (all ? " and all later ones" : ""));
        ++tries;
      }
    report(tried(row, given, never, false), "after the failures");
    after = live_blocks();
  }
  if (right && after != before) {
    right = false;
    std::printf("%s: %zu blocks before, %zu after\n", row.name, before, after);
  }
  return tries;
}

}  // namespace
}  // namespace sinew::memory

int main(int argc, char** argv) {
  using namespace sinew::memory;
  if (argc < 3) return std::fputs("usage: test_memory SAMPLES FOLDER [NAME]\n", stderr), 2;
  const std::filesystem::path samples = argv[1];
  std::filesystem::create_directories(argv[2]);
  const Given given{samples,
                    argv[2],
                    loaded(samples / "gltf/simple_skin.gltf"),
                    loaded(samples / "gltf/morph_cube.gltf"),
                    loaded(samples / "show/figure.gltf"),
                    loaded(samples / "show/avatar.vrm"),
                    loaded(samples / "g4mf/arm_4d.g4tf"),
                    loaded(samples / "show/globe.gltf")};
  bool right = true;
  std::size_t rows = 0, tries = 0;
  for (const auto list : {core_rows(), geometry_rows(), tools_rows(), pictures_rows(), c_rows()})
    for (const Row& row : list) {
      if (argc > 3 && std::string(row.name).find(argv[3]) == std::string::npos) continue;
      ++rows;
      bool row_is_right = true;
      const auto start = std::chrono::steady_clock::now();
      const std::size_t own = try_row(row, given, row_is_right);
      if (argc > 3)
        std::printf("%s: %zu failures, %.2f s\n", row.name, own,
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      tries += own;
      right = right && row_is_right;
    }
  std::printf("%zu calls, %zu failed allocations\n", rows, tries);
  return right ? 0 : 1;
}

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <thread>

#include "command.hpp"
#include "console/joined.hpp"
#include "console/json.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"
#include "sinew/render.hpp"
#include "sinew/result.hpp"

namespace app {

namespace {

/// The properties of this machine.
struct Surroundings {
  std::string compiler;
  bool optimised = false;
  std::vector<std::string_view> kernels;
  unsigned cores = 0;
  std::string no_pictures;           ///< why pictures cannot be drawn; empty: they can
  unsigned long long memory = 0;     ///< bytes; 0: unknown
  unsigned long long available = 0;  ///< bytes available without swapping
};

// Reads a line such as "MemAvailable:   123 kB" in /proc/meminfo.
unsigned long long memory_line(std::string_view name) {
  std::ifstream file("/proc/meminfo");
  std::string word;
  for (unsigned long long value = 0; file >> word; file.ignore(256, '\n'))
    if (word == name && file >> value) return value * 1024;
  return 0;
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#elif defined(__GNUC__)
  return fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#else
  return "an unknown compiler";
#endif
}

Surroundings look() {
  Surroundings found;
  found.compiler = compiler();
#ifdef NDEBUG
  found.optimised = true;
#endif
  found.kernels.assign(sinew::deform::kernels().begin(), sinew::deform::kernels().end());
  sinew::Model nothing;
  nothing.dimension = 3;
  if (const auto drawn = sinew::show::Renderer::create(nothing, {}); !drawn && drawn.error().failure == sinew::Failure::unsupported)
    found.no_pictures = drawn.error().message;
  found.cores = std::thread::hardware_concurrency();
  found.memory = memory_line("MemTotal:");
  found.available = memory_line("MemAvailable:");
  return found;
}

std::string gibibytes(unsigned long long bytes) {
  return bytes == 0 ? "unknown" : fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1ULL << 30));
}

/// Warnings for the user; empty if all is well.
std::vector<std::string> advice(const Surroundings& found, const Common& common) {
  std::vector<std::string> list;
  if (!found.optimised) list.emplace_back("this build has assertions: it is slower than a release build and stops at internal errors");
  if (!found.no_pictures.empty()) list.push_back(fmt::format("sinew render cannot draw: {}", found.no_pictures));
  if (found.kernels.size() == 1) list.emplace_back("Sinew has no SIMD kernel for this processor; deforming is several times slower");
  if (found.available != 0 && found.available < common.limits.memory)
    list.push_back(fmt::format("less memory is free than a model may use ({}); set --max-memory", gibibytes(common.limits.memory)));
  return list;
}

std::string to_json(const Surroundings& found, const std::vector<std::string>& advised) {
  return Json{{"version", sinew::version()}, {"compiler", found.compiler}, {"optimised", found.optimised},       {"kernels", found.kernels},
              {"cores", found.cores},        {"memory", found.memory},     {"memoryAvailable", found.available}, {"advice", advised}}
      .indented();
}

std::string to_text(const Surroundings& found, const std::vector<std::string>& advised, const Terminal& terminal) {
  std::string text = fmt::format("{}\n", terminal.bold(fmt::format("sinew {}", sinew::version())));
  text += fmt::format("  build      {}, {}\n", found.compiler, found.optimised ? "release" : "with assertions");
  text += fmt::format("  kernel     {} (this processor runs {})\n", found.kernels.front(), joined(found.kernels, ", "));
  text += fmt::format("  pictures   {}\n", found.no_pictures.empty() ? "yes" : "no");
  text += fmt::format("  cores      {}\n", found.cores);
  text += fmt::format("  memory     {}, {} free\n", gibibytes(found.memory), gibibytes(found.available));
  for (const std::string& line : advised) text += fmt::format("  {}   {}\n", terminal.bold("notice"), line);
  return text;
}

}  // namespace

std::string version_text() {
  return fmt::format("sinew {} ({}, kernel {})", sinew::version(), compiler(), sinew::deform::kernels().front());
}

Run add_doctor(Command command, Common& common) {
  auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "Write JSON");
  return [json, &common] {
    const Surroundings found = look();
    const std::vector<std::string> advised = advice(found, common);
    return print_data(*json ? to_json(found, advised) : to_text(found, advised, common.terminal), common.terminal);
  };
}

}  // namespace app

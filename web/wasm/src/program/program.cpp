// SPDX-License-Identifier: MIT
// What the program has from other sources elsewhere: memory, signals, processes, pictures and pages.
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <new>
#include <string>
#include <utility>

#include "command.hpp"
#include "console/drawing_process.hpp"
#include "console/process_limits.hpp"
#include "console/signals.hpp"
#include "page.hpp"

#include "sinew/deadline.hpp"
#include "sinew/deform.hpp"
#include "sinew/render.hpp"

namespace app {

const std::string_view page;
const std::string_view page_module;

void handle_signals() {}
void keep_standard_streams() {}
void limit_memory(std::uint64_t, std::uint64_t, unsigned) {}
int run_drawing(const std::function<int()>& action) { return action(); }

// main.cpp does not call them (SINEW_COMMANDS).
#define LEFT_OUT(name) \
  Run name(Command, Common&) { std::abort(); }
LEFT_OUT(add_deform)
LEFT_OUT(add_extract)
LEFT_OUT(add_bake)
LEFT_OUT(add_convert)
LEFT_OUT(add_flex)
LEFT_OUT(add_lift)
LEFT_OUT(add_rebind)
LEFT_OUT(add_repair)
LEFT_OUT(add_slice)
LEFT_OUT(add_render)
LEFT_OUT(add_view)
LEFT_OUT(add_summarize)
LEFT_OUT(add_conformance)
LEFT_OUT(add_doctor)
LEFT_OUT(add_completions)
LEFT_OUT(add_manual)

std::string version_text() { return fmt::format("sinew {} (WebAssembly, kernel {})", sinew::version(), sinew::deform::kernels().front()); }

}  // namespace app

namespace sinew::show {

struct Renderer::State {};
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;
Result<Renderer> Renderer::create(const Model&, const RenderOptions&) {
  return Unexpected(Error{Failure::unsupported, "SINEW_LEFT_OUT", {}, "this build of Sinew leaves out pictures"});
}
Result<> Renderer::include(const Pose&) { std::abort(); }
Result<Picture> Renderer::draw(const Pose&) { std::abort(); }

Result<> write_picture(const Picture&, const std::filesystem::path&, OutputName) { std::abort(); }
bool can_write_picture(const std::filesystem::path&) noexcept { return true; }  // Renderer::create refuses

}  // namespace sinew::show

namespace {

// As app/console/allocation.cpp.
bool ends_at_deadline() {
  static unsigned allocations = 0;
  static bool ended = false;
  constexpr unsigned each = 512;
  if (++allocations % each != 0 || std::uncaught_exceptions() != 0) return false;
  const bool before = std::exchange(ended, sinew::Deadline::over());
  return ended && !before;
}

}  // namespace

void* operator new(std::size_t size) {
  if (ends_at_deadline()) sinew::Deadline::interrupt();
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

// What the C++ library, which was built without exceptions, does instead of throwing std::length_error.
void std::__libcpp_verbose_abort(const char*, ...) { throw std::bad_alloc(); }

// SPDX-License-Identifier: MIT
#include "page_output.hpp"

#include <utility>

#include "console/need.hpp"
#include "page.hpp"

namespace app {

bool names_page(const std::string& path) {
  const std::string extension = need(sinew::file_extension(path));
  return extension == ".html" || extension == ".htm";
}

std::optional<sinew::Error> why_no_page() {
  if (!page.empty()) return std::nullopt;
  return sinew::Error{sinew::Failure::unsupported,
                      {},
                      {},
                      "this build does not contain the page; install npm, allow it to reach its registry, and build again"};
}

sinew::show::ExportOptions page_options(const Common& common) { return {std::string(page_module), common.limits.memory, common.force}; }

void tell_of_page(const std::string& path, const sinew::show::Exported& made, const Common& common) {
  if (page_module.empty() && !made.moves)
    common.terminal.warn(
        fmt::format("{}: shows one pose and does not move: this build of sinew lacks the WebAssembly module (docs/view.md)", path));
  else if (page_module.empty())
    common.terminal.warn(
        fmt::format("{}: plays the worst poses and nothing else: this build of sinew lacks the WebAssembly module (docs/view.md)", path));
  common.terminal.talk("{}: {:.1f} MB", path, static_cast<double>(made.bytes) / 1e6);
}

sinew::Result<sinew::operations::FlexReport> bend_with_progress(const sinew::Model& model, sinew::operations::FlexOptions how,
                                                                const Common& common) {
  std::optional<Progress> progress;
  std::size_t last = 0;
  how.progress = [&](std::size_t done, std::size_t total) {
    if (!progress || done < last) progress.emplace(common.terminal, "bending", total);  // each kind of pose has its own steps
    last = done;
    progress->step(done);
  };
  return sinew::operations::flex(model, how);
}

}  // namespace app

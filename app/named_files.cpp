// SPDX-License-Identifier: MIT
#include "named_files.hpp"

#include <cctype>
#include <filesystem>
#include <system_error>

#include "posing.hpp"

#include "sinew/batch.hpp"

namespace app {

namespace {

std::vector<std::string> given(const std::vector<std::function<std::vector<std::string>()>>& lists) {
  std::vector<std::string> names;
  for (const auto& list : lists)
    for (std::string& name : list())
      if (!name.empty()) names.push_back(std::move(name));
  return names;
}

/// Returns the files there whose names a pattern such as "out%04d.ply" can make.
std::vector<std::filesystem::path> frames_of(const std::string& pattern) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  const fs::path folder = fs::path(pattern).parent_path();
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, unreadable)) {
    const fs::path path = folder / entry.path().filename();
    if (frame_in(path.string(), pattern)) files.push_back(path);
  }
  return files;
}

}  // namespace

sinew::Result<> NamedFiles::check(const sinew::document::OpenOptions& open) const {
  std::vector<std::filesystem::path> outputs;
  for (const std::string& name : given(outputs_)) {
    if (pattern_count(name) == 0)
      outputs.emplace_back(name);
    else
      for (std::filesystem::path& frame : frames_of(name)) outputs.push_back(std::move(frame));
  }
  return outputs.empty() ? sinew::Result<>() : sinew::batch::check_outputs(given(inputs_), outputs, open);
}

}  // namespace app

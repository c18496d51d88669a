// SPDX-License-Identifier: MIT
#include "frame_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "command.hpp"
#include "console/need.hpp"
#include "console/signals.hpp"
#include "posing.hpp"

namespace app {

namespace fs = std::filesystem;

namespace {

sinew::Unexpected output_failure(const std::string& file, const std::error_code& why) {
  return sinew::Unexpected(
      sinew::Error{sinew::Failure::output, "SINEW_OUTPUT", {file, {}, {}}, fmt::format("cannot be written: {}", why.message())});
}

fs::path parent_of(const std::string& output) {
  const fs::path parent = fs::path(output).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

}  // namespace

FrameFolder::FrameFolder(std::string output, std::size_t frames) : output_(std::move(output)), frames_(frames) {}

FrameFolder::FrameFolder(FrameFolder&& other) noexcept
    : output_(std::move(other.output_)), folder_(std::exchange(other.folder_, {})), frames_(other.frames_) {
  if (!folder_.empty()) remove_when_interrupted(folder_.c_str());
}

FrameFolder::~FrameFolder() {
  if (folder_.empty()) return;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  remove_when_interrupted(nullptr);
}

sinew::Result<std::optional<FrameFolder>> FrameFolder::create(const std::string& output, std::size_t frames) {
  if (frames < 2 || pattern_count(output) != 1 || need(sinew::file_extension(output)) == ".gltf") return std::optional<FrameFolder>();
  FrameFolder made(output, frames);
  std::string name = (parent_of(output) / fmt::format(".{}.sinew-XXXXXX", fs::path(output).stem().string().substr(0, 100))).string();
  if (::mkdtemp(name.data()) == nullptr) return output_failure(output, {errno, std::generic_category()});
  made.folder_ = std::move(name);
  return std::optional<FrameFolder>(std::move(made));
}

std::string FrameFolder::place(std::size_t frame) const {
  return (fs::path(folder_) / fs::path(*frame_name(output_, frame)).filename()).string();
}

sinew::Error FrameFolder::named(sinew::Error error, std::size_t frame) const {
  if (error.place.file == place(frame)) error.place.file = *frame_name(output_, frame);
  return error;
}

sinew::Result<> FrameFolder::finish(const Terminal& terminal) {
  std::error_code failed;
  for (std::size_t frame = 0; frame < frames_; ++frame) {
    const std::string name = *frame_name(output_, frame);
    const fs::file_status old = fs::symlink_status(name, failed);  // links, pipes and devices are replaced
    if (fs::is_directory(old)) return output_failure(name, std::make_error_code(std::errc::is_a_directory));
    if (fs::is_regular_file(old) && ::access(name.c_str(), W_OK) != 0) return output_failure(name, {errno, std::generic_category()});
  }
  for (std::size_t frame = 0; frame < frames_; ++frame) {
    const std::string name = *frame_name(output_, frame);
    fs::rename(place(frame), name, failed);
    if (failed) return output_failure(name, failed);
  }
  std::size_t older = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent_of(output_), failed)) {
    const std::string name = (fs::path(output_).parent_path() / entry.path().filename()).string();
    if (const auto frame = frame_in(name, output_); frame && *frame >= frames_) ++older;
  }
  if (older > 0)
    terminal.warn(fmt::format("{} of an earlier run {} there after frame {}, and {} not changed",
                              older == 1 ? "1 frame" : fmt::format("{} frames", older), older == 1 ? "is still" : "are still", frames_ - 1,
                              older == 1 ? "was" : "were"));
  return {};
}

}  // namespace app

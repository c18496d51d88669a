// SPDX-License-Identifier: MIT
#include "static_files.hpp"

#include <set>

#include "frame_folder.hpp"

#include "sinew/save.hpp"

namespace app {

std::optional<std::string> pattern_missing(const Poser& poser, const std::string& output) {
  if (poser.times.size() == 1 || frame_name(output, 0)) return std::nullopt;
  return fmt::format("{} frames need a pattern such as %04d in the name of the output", poser.times.size());
}

sinew::Result<> write_static(const Poser& poser, const std::string& output, std::string_view doing, const MakeStatic& make,
                             const Common& common) {
  const std::size_t frames = poser.times.size();
  Progress progress(common.terminal, doing, frames);
  sinew::Pose pose;
  std::set<std::pair<std::string, std::string>> told;
  const auto name = [&](std::size_t frame) { return frame_name(output, frame).value_or(output); };
  auto folder = FrameFolder::create(output, frames);
  if (!folder) return sinew::Unexpected(folder.error());
  for (std::size_t frame = 0; frame < frames; ++frame) {
    if (auto done = poser.at(poser.times[frame], pose); !done) return done;
    sinew::FindingList said, fresh;
    const auto made = make(pose, said);
    if (!made) return sinew::Unexpected(made.error());
    std::vector<std::string> notes;
    if (auto done = sinew::io::save(*made, *folder ? (*folder)->place(frame) : name(frame), &notes, output_name(output)); !done)
      return *folder ? sinew::Unexpected((*folder)->named(done.error(), frame)) : done;
    for (const sinew::Finding& finding : said.list())
      if (told.emplace(finding.code, finding.pointer).second) fresh.add(finding);
    print_changes(fresh, common);
    for (const std::string& note : notes)
      if (told.emplace(std::string(), note).second) common.terminal.warn(note);
    common.terminal.detail("{}: t = {:.6g} s", name(frame), poser.times[frame]);
    progress.step(frame + 1);
  }
  if (*folder)
    if (auto done = (*folder)->finish(common.terminal); !done) return done;
  if (frames == 1)
    common.terminal.talk("{}: 1 file written", name(0));
  else
    common.terminal.talk("{} … {}: {} files written", name(0), name(frames - 1), frames);
  return {};
}

}  // namespace app

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sinew/result.hpp"

namespace app {

class Terminal;

/// Frames of a run that appear together or not at all. Until `finish` they are in a folder beside the output (".NAME.sinew-XXXXXX"), which
/// is removed if the run fails, ends early or is interrupted. Not for formats with files of their own beside each frame (.gltf).
class FrameFolder {
 public:
  /// `output`: the name with a pattern such as "%04d". `frames`: how many there will be. Returns nothing for a single frame, a name without
  /// a pattern, and formats with more than one file per frame: these are written in place.
  [[nodiscard]] static sinew::Result<std::optional<FrameFolder>> create(const std::string& output, std::size_t frames);
  FrameFolder(FrameFolder&& other) noexcept;
  FrameFolder& operator=(FrameFolder&&) = delete;
  FrameFolder(const FrameFolder&) = delete;
  FrameFolder& operator=(const FrameFolder&) = delete;
  ~FrameFolder();

  /// Returns where a frame is written for now.
  [[nodiscard]] std::string place(std::size_t frame) const;
  /// Names the frame instead of the place in an error of writing it.
  [[nodiscard]] sinew::Error named(sinew::Error error, std::size_t frame) const;
  /// Moves all frames to their names. Frames of an earlier run that remain are counted in a warning.
  [[nodiscard]] sinew::Result<> finish(const Terminal& terminal);

 private:
  FrameFolder(std::string output, std::size_t frames);

  std::string output_, folder_;
  std::size_t frames_;
};

}  // namespace app

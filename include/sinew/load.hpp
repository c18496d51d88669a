// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::io {

struct LoadOptions {
  document::OpenOptions open;
};

/// Opens and reads a model of any supported format (told by magic bytes, then by the JSON, then by the extension: D-01).
/// Reading is lenient: an entity that cannot be used is kept with a defect; an error is returned only where nothing useful is left or
/// a required extension is not supported. Findings go to `sink`.
[[nodiscard]] Result<Model> load(const std::filesystem::path& path, const LoadOptions& options, FindingSink& sink);

/// Applies a pose file to `pose` (which starts as the state to override): `{"nodes": …, "blendAmounts": …}`, decisions D-21 and D-22.
/// Errors carry the pose file's name and pointer.
[[nodiscard]] Result<> apply_pose_file(const std::filesystem::path& path, const Model& model, Pose& pose);

}  // namespace sinew::io

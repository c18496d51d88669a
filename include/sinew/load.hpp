// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/pose_edit.hpp"

namespace sinew::io {

struct LoadOptions {
  document::OpenOptions open;
};

/// Opens and reads a model of any supported format (told by magic bytes, then by the JSON, then by the extension).
/// Reading is lenient: an entity that cannot be used is kept with a defect; an error is returned only where nothing useful is left or
/// a required extension is not supported. Findings go to `sink`.
[[nodiscard]] Result<Model> load(const std::filesystem::path& path, const LoadOptions& options, FindingSink& sink);

/// Reads a pose file, `{"nodes": {NAME|INDEX: {…}}, "blendAmounts": {NAME|INDEX: […] or {SHAPE: x}}}`, for a model: names are resolved,
/// lengths checked. Unknown nodes, shapes, properties and wrong values are Failure::input with the pose file's name and pointer.
[[nodiscard]] Result<PoseEdit> load_pose_file(const std::filesystem::path& path, const Model& model);

}  // namespace sinew::io

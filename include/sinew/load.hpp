// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/pose_edit.hpp"
#include "sinew/revision.hpp"

namespace sinew::io {

struct LoadOptions {
  document::OpenOptions open;
  /// G4MF: go on where the specification refuses but a reasonable meaning exists: blend targets and their indices of different length (as
  /// many as there are of both), rotors that are no rotation (the nearest one), blendAmounts of the wrong length, data URIs of another
  /// form.
  bool force = false;
  /// G4MF: take the file for one of that revision; nothing: the newest whose property names occur.
  std::optional<g4mf::Revision> revision;
};

/// Opens and reads a model of any supported format (told by magic bytes, then by the JSON, then by the extension).
/// Reading is lenient: an entity that cannot be used is kept with a defect; an error is returned only where nothing useful is left or
/// a required extension is not supported. Findings go to `sink`.
[[nodiscard]] Result<Model> load(const std::filesystem::path& path, const LoadOptions& options, FindingSink& sink);

/// Reads a pose file, `{"nodes": {NAME|INDEX: {…}}, "blendAmounts": {NAME|INDEX: […] or {SHAPE: x}}}`, for a model: names are resolved,
/// lengths checked. Unknown nodes, shapes, properties and wrong values are Failure::input with the pose file's name and pointer.
[[nodiscard]] Result<PoseEdit> load_pose_file(const std::filesystem::path& path, const Model& model);

}  // namespace sinew::io

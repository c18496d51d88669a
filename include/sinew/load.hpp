// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::io {

/// The formats that Sinew reads; `unknown`: a file of another kind.
enum class Format : std::uint8_t { unknown, gltf, g4mf };

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

/// `load` of a file that is in memory: a JSON text or a container as it would lie on the disk. The bytes are copied (Failure::limit where
/// they are more than the limit of memory). `path` is what messages call it; relative URIs lead to its folder, with "-" nowhere.
[[nodiscard]] Result<Model> load_memory(std::span<const std::byte> bytes, const std::filesystem::path& path, const LoadOptions& options,
                                        FindingSink& sink);

/// The appearance of a material of `model`, read from the model's source. An image that is missing, broken or outside the model's folder
/// leaves the texture out; `note` then says why. A model without a source: all defaults.
[[nodiscard]] Appearance load_appearance(const Model& model, Index material, std::optional<Error>& note);

/// Gives surfaces what their materials say of their parts (G4MF): colours by vertex, simplex or edge, and texture coordinates of the base
/// colour's own, as attributes of their corners. Pictures need it; the model is then no longer the file's. Values that are broken are left
/// out. Failure::limit at the end of memory.
[[nodiscard]] Result<> load_material_values(Model& model);

/// Whether the front of the model looks along −Z, as VRM 0.x has it; else it looks along +Z, as glTF and VRM 1.0 have it. A model without a
/// source looks along +Z.
[[nodiscard]] bool faces_back(const Model& model);

}  // namespace sinew::io

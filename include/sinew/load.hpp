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

/// The formats that Sinew reads. `unknown`: any other file.
enum class Format : std::uint8_t { unknown, gltf, g4mf };

struct LoadOptions {
  document::OpenOptions open;
  /// G4MF: accept these errors:
  /// - blend targets and indices of different length: the shorter length counts
  /// - rotors that are not rotations: the nearest rotation is used
  /// - blendAmounts of the wrong length
  /// - data URIs in another form
  bool force = false;
  /// G4MF: read the file as this revision. Empty: the newest revision whose property names the file uses.
  std::optional<g4mf::Revision> revision;
};

/// Reads a model of any supported format. The magic bytes decide the format, then the JSON, then the extension. Reading is lenient: an
/// unusable entity is kept with a defect. Fails only if nothing usable is left or if a required extension is not supported. Findings go to
/// `sink`.
[[nodiscard]] Result<Model> load(const std::filesystem::path& path, const LoadOptions& options, FindingSink& sink);

/// Reads a pose file, `{"nodes": {NAME|INDEX: {…}}, "blendAmounts": {NAME|INDEX: […] or {SHAPE: x}}}`, for a model. Resolves
/// names and checks lengths. Unknown nodes, shapes and properties and wrong values are Failure::input with the file and a pointer.
[[nodiscard]] Result<PoseEdit> load_pose_file(const std::filesystem::path& path, const Model& model);

/// Reads a file in memory: a JSON text or a container. Copies the bytes (Failure::limit if they exceed the memory limit). Messages use the
/// name `path`; relative URIs start at its folder, or are refused if it is "-".
[[nodiscard]] Result<Model> load_memory(std::span<const std::byte> bytes, const std::filesystem::path& path, const LoadOptions& options,
                                        FindingSink& sink);

/// Reads the appearance of a material from the model's source. If an image is missing, broken or outside the model's folder, the texture
/// is left out and `note` gives the reason; all is left out where memory runs out. A model without a source has all defaults.
[[nodiscard]] Appearance load_appearance(const Model& model, Index material, std::optional<Error>& note) noexcept;

/// Copies the values that G4MF materials store per vertex, simplex or edge (colours, texture coordinates of the base colour) to the corner
/// attributes of surfaces, for pictures. The model then differs from the file. Broken values are omitted. Failure::limit if memory runs
/// out.
[[nodiscard]] Result<> load_material_values(Model& model);

/// Returns whether the model faces −Z, as in VRM 0.x. All other models face +Z, as in glTF and VRM 1.0, and so do models without a source.
[[nodiscard]] bool faces_back(const Model& model) noexcept;

}  // namespace sinew::io

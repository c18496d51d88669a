// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::io {

/// Writes a static model, its vertices in world space (see bake), by the extension of `path`, whatever its case: .npy .ply .obj .off
/// .glb .gltf .g4b .g4tf (G4MF 2026-01). The file appears whole or not at all. `.gltf` writes a `.bin` with a content-hash name beside it
/// first. Formats that cannot hold something of the model drop it (see docs/formats). `notes`, where given, receives one line for
/// everything carried from the source that could not be kept or may not fit any more, such as relative URIs of images when the output goes
/// to another folder. Failure::usage: an unknown extension, a dimension that the format cannot hold, a model that is not static.
[[nodiscard]] Result<> save(const Model& model, const std::filesystem::path& path, std::vector<std::string>* notes = nullptr);

/// Whether `save` knows the extension; the list for messages (".npy .ply …").
[[nodiscard]] bool can_save(const std::filesystem::path& path);
[[nodiscard]] std::string save_extensions();

/// A NumPy `.npy` file (format version 1.0) of little-endian float32 in C order, written piece by piece; the file appears at `finish`.
/// After an error it is only to be destroyed. Not to be used from several threads at once.
class NpyWriter {
 public:
  /// `shape` gives the whole array.
  [[nodiscard]] static Result<NpyWriter> create(const std::filesystem::path& path, const std::vector<std::size_t>& shape);
  NpyWriter(NpyWriter&&) noexcept;
  NpyWriter& operator=(NpyWriter&&) noexcept;
  ~NpyWriter();  ///< without finish: nothing is left behind

  [[nodiscard]] Result<> write(std::span<const float> values);
  /// The same on a thread of its own: takes `values` and puts those in their place that it was given before (empty the first time), once
  /// they are written; returns what went wrong with them.
  [[nodiscard]] Result<> write_behind(std::vector<float>& values);
  /// Precondition: exactly the shape's number of values was written.
  [[nodiscard]] Result<> finish();

 private:
  struct State;
  explicit NpyWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sinew::io

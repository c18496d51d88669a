// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::document {
class OutputFile;
}

namespace sinew::io {

/// Writes a static model with vertices in world space (see bake). The extension of `path`, in any case, selects the format: .npy .ply .obj
/// .off .glb .gltf .g4b .g4tf (G4MF 2026-01). The file appears whole or not at all. `.gltf` first writes a `.bin` beside it, named by its
/// content hash. Formats drop data that they cannot hold (docs/formats.md). `notes`, if given, receives one line for each thing from the
/// source that was dropped or may not fit any more, such as relative URIs of images after a change of folder. glTF also holds blend shapes
/// and the clips that animate them (see bake_frames). Failure::usage: an unknown extension, a dimension that the format cannot hold, a
/// model that is not static.
[[nodiscard]] Result<> save(const Model& model, const std::filesystem::path& path, std::vector<std::string>* notes = nullptr,
                            OutputName name = OutputName::given);

/// `can_save` returns whether `save` supports the extension. `save_extensions` returns all extensions, for messages (".npy .ply …").
[[nodiscard]] bool can_save(const std::filesystem::path& path) noexcept;
[[nodiscard]] std::string_view save_extensions() noexcept;

/// Writes a NumPy `.npy` file (format version 1.0, little-endian float32, C order) piece by piece. The file appears at `finish`. After an
/// error, the writer can only be destroyed. Not safe from several threads at once.
class NpyWriter {
 public:
  /// `shape`: the shape of the whole array.
  [[nodiscard]] static Result<NpyWriter> create(const std::filesystem::path& path, const std::vector<std::size_t>& shape,
                                                OutputName name = OutputName::given);
  NpyWriter(NpyWriter&&) noexcept;
  NpyWriter& operator=(NpyWriter&&) noexcept;
  ~NpyWriter();  ///< without finish, no file remains

  [[nodiscard]] Result<> write(std::span<const float> values);
  /// Writes on its own thread. Takes `values`, and returns in it the vector of the previous call (empty the first time) once that is
  /// written. Returns the error of the previous call.
  [[nodiscard]] Result<> write_behind(std::vector<float>& values);
  /// Precondition: all values of the shape were written.
  [[nodiscard]] Result<> finish();

 private:
  struct State;
  explicit NpyWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Writes a vertex cache frame by frame: `.pc2` (PC2, version 1, little-endian) or `.mdd` (MDD, big-endian), positions of three dimensions
/// as float32. The file appears at `finish`. After an error, the writer can only be destroyed. Not safe from several threads at once.
class VertexCacheWriter {
 public:
  /// `seconds`: the time of each frame; PC2 stores only their number. Failure::unsupported: more vertices or frames than the format's
  /// signed 32-bit counts hold. Precondition: is_vertex_cache(path).
  [[nodiscard]] static Result<VertexCacheWriter> create(const std::filesystem::path& path, std::size_t vertices,
                                                        std::span<const double> seconds);
  VertexCacheWriter(VertexCacheWriter&&) noexcept;
  VertexCacheWriter& operator=(VertexCacheWriter&&) noexcept;
  ~VertexCacheWriter();  ///< without finish, no file remains

  [[nodiscard]] Result<> write(std::span<const float> positions);
  /// Precondition: all positions of all frames were written.
  [[nodiscard]] Result<> finish();

 private:
  VertexCacheWriter(std::unique_ptr<document::OutputFile> file, bool big_endian, std::uint64_t missing);
  [[nodiscard]] Result<> write_words(std::span<const std::byte> words);  ///< of 4 bytes, in the byte order of the machine

  std::unique_ptr<document::OutputFile> file_;
  bool big_endian_;
  std::uint64_t missing_;  ///< vertices still expected
};

/// Returns whether the extension, in any case, is that of a vertex cache: .pc2 or .mdd.
[[nodiscard]] bool is_vertex_cache(const std::filesystem::path& path) noexcept;

}  // namespace sinew::io

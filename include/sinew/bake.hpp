// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/deform.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

struct BakeOptions {
  Index scene = none;                ///< none: the default one
  std::uint32_t max_influences = 0;  ///< as in deform::PrepareOptions
  bool keep_first = false;           ///< as in deform::PrepareOptions
  unsigned threads = 0;              ///< 0 = all cores
  std::string_view kernel = {};      ///< as in deform::PrepareOptions
};

/// Makes a static model of one pose. Nodes keep the transforms of the pose, for their cameras, lights and extras, but lose their meshes.
/// Every instance becomes a root node with a mesh in world space, float32. Materials (with overrides of the instance), texture coordinates,
/// colours, custom attributes, indices and topologies are kept; skins, blend shapes and clips are removed. Normals of length 0 are
/// replaced; missing normals stay missing. If the transform of an instance mirrors, simplexes are reversed, and normals and tangent w are
/// negated, so that front faces stay front faces. Skinned meshes of glTF do not follow their node and keep their winding. Refuses results
/// that overflow float32.
[[nodiscard]] Result<Model> bake(const Model& model, const Pose& pose, const BakeOptions& options = {});

/// The frames of bake_frames.
struct FrameList {
  std::string name;                                     ///< of the clip
  std::vector<double> seconds;                          ///< at least one; increasing, also in float32
  std::function<Result<>(double seconds, Pose&)> pose;  ///< computes the pose of a frame
  std::uint64_t most_bytes = std::uint64_t{2} << 30;    ///< for the blend shapes
  std::function<void(std::size_t done)> progress = {};  ///< may be empty
};

/// Makes a model that plays frames without joints: `bake` of the first frame, with one blend shape per frame ("frame_0000", …) that moves
/// positions, normals, tangents, texture coordinates and colours to it, and one clip. At the time of a frame, the amount of its shape is 1
/// and all others are 0; between frames, the positions are interpolated linearly. Fails like bake; Failure::limit for more than
/// `most_bytes`.
[[nodiscard]] Result<Model> bake_frames(const Model& model, const FrameList& frames, const BakeOptions& options = {});

// Vertex animation textures: the positions of all frames as texels.

/// How texels are stored.
enum class TexelFormat : std::uint8_t {
  png8,   ///< PNG, 8 bits per channel
  png16,  ///< PNG, 16 bits per channel
  exr     ///< OpenEXR, half floats
};

struct BakeTextureOptions {
  Index scene = none;        ///< none: the default one
  std::vector<Index> clips;  ///< empty: all clips without a defect
  double fps = 30;           ///< frames per second, from 0 as long as a clip lasts; more than 0
  TexelFormat format = TexelFormat::png16;
  bool normals = true;             ///< also write a texture of normals, if a mesh has normals
  std::size_t most_texels = 8192;  ///< largest width and height of a texture
  unsigned threads = 0;            ///< 0 = all cores
  std::uint64_t most_bytes = std::uint64_t{2} << 30;
};

/// The contents of the files that bake_texture has written.
struct BakedTexture {
  struct OfClip {
    Index clip = none;
    std::string name;       ///< unique
    std::size_t first = 0;  ///< frame, from 0
    std::size_t frames = 0;
    double error = 0;      ///< as BakedTexture::error
    bool looping = false;  ///< the last frame looks like the first
  };
  std::size_t width = 0, height = 0, vertices = 0, frames = 0;
  std::vector<OfClip> clips;
  double diagonal = 0;      ///< of a box around all positions of all frames
  double error = 0;         ///< no decoded position is further from that of deform, at any frame
  double normal_error = 0;  ///< largest angle between a decoded normal and that of deform, in degrees
  bool has_normals = false;
  std::vector<std::filesystem::path> files;
  std::uint64_t bytes = 0;         ///< of all files
  std::vector<std::string> notes;  ///< data that the mesh cannot hold, as io::save

  [[nodiscard]] double relative_error() const { return diagonal > 0 ? error / diagonal : 0; }
};

/// Writes clips as a vertex animation texture in the layout of OpenVAT (docs/caches.md): the mesh of the first frame as `mesh` (`.glb`),
/// and beside it, for NAME.glb, NAME_vat.png (or .exr), NAME_vnrm.png with normals, and NAME-remap_info.json. The errors are those of the
/// values that the files store, in float32 arithmetic. All files appear, or none. Fails like deforming the model; Failure::usage for other
/// than three dimensions, a model without clips or vertices, or one that does not fit into the texture; Failure::limit for more than
/// `most_bytes`.
[[nodiscard]] Result<BakedTexture> bake_texture(const Model& model, const std::filesystem::path& mesh,
                                                const BakeTextureOptions& options = {});

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "show/bones.hpp"
#include "show/camera.hpp"
#include "show/gl/gl.hpp"
#include "show/scene.hpp"

#include "sinew/render.hpp"

namespace sinew::show {

/// Bytes that a driver needs at once (gl::keep_room): for some objects; for its code and its lists of what to draw.
inline constexpr std::uint64_t room_to_upload = 4 << 20, room_to_draw = 8 << 20, room_to_draw_one = 10 << 10, room_to_draw_point = 3 << 10;

/// The shader programs.
struct Programs {
  gl::Object surfaces, lines, points;
  [[nodiscard]] static Result<Programs> create();
};

/// The style of a picture. `volumes`: those of the materials.
struct Look {
  bool edges = false;
  Index weights_of = none;
  bool heat = false;  ///< surfaces show the attribute from with_heat
  DeformBy deform_by = DeformBy::shader;
  std::size_t most_texels = 0;
  unsigned threads = 0;
  const Volumes* volumes = nullptr;

  /// Returns whether surfaces show numbers instead of colours.
  [[nodiscard]] bool has_heat() const { return heat || weights_of != none; }
};

/// A scene in the memory of the graphics card. All members need the current context.
class GlScene {
 public:
  /// Keeps a reference to `scene` and adds notes to it.
  GlScene(Scene& scene, const Programs& programs, const Look& look);

  /// Draws only the nodes that are true here; before, the visible ones.
  void show(const std::vector<bool>& nodes);
  /// Deforms the vertices to a pose.
  [[nodiscard]] Result<> pose(const Pose& pose);
  /// `pixels`: the size of the target; `scale`: target pixels per picture pixel.
  void draw(const Camera& camera, std::array<std::size_t, 2> pixels, double scale) const;
  /// Draws over the last picture of `draw`, with its camera.
  void draw_bones(const Bones& bones, std::array<std::size_t, 2> pixels) const;
  /// Reads back all vertices from the shader, in the order of SceneDeformer::run: six numbers each, position and normal.
  [[nodiscard]] Result<std::vector<float>> deformed() const;

 private:
  /// A block of an instance or, if instances may share it, of a mesh.
  struct Block {
    gl::Object positions, normals, texcoords, colors;
    gl::Object influence_first, influences, offset_first, offsets;
    std::size_t vertices = 0, texcoord_width = 0;
    bool has_normals = false, skinned = false, blended = false;
  };
  struct Part {
    std::size_t piece = 0;
    gl::Object elements, edges;
    std::size_t element_count = 0, edge_count = 0;
  };
  struct Mesh {
    std::vector<Block> blocks;
    std::vector<Part> parts;
  };
  struct InstanceState {
    std::shared_ptr<Mesh> mesh;
    gl::Object palette, amounts;
    std::vector<gl::Object> heat;  ///< per block
    int node_map = 0;
    bool mirrored = false;
    bool shown = true;
  };
  struct Draw;

  [[nodiscard]] Mesh upload(std::size_t instance) const;
  [[nodiscard]] Result<> pose_by_library(const Pose& pose);
  [[nodiscard]] Result<> pose_by_shader(const Pose& pose);
  void load_textures(std::size_t most_texels);
  void bind_block(const InstanceState& instance, std::size_t block) const;
  void set_uniforms(const gl::Object& program, const Camera& camera, std::array<std::size_t, 2> pixels, double scale) const;
  void draw_part(const Draw& draw) const;
  [[nodiscard]] std::vector<Draw> order() const;

  Scene& scene_;
  const Programs& programs_;
  Look look_;
  gl::Object vertex_array_;
  std::vector<InstanceState> instances_;
  std::map<Index, std::shared_ptr<const gl::Object>> textures_, volumes_;  ///< by material; equal ones are shared
  std::vector<Affine> rest_world_;
  std::size_t points_ = 0;  ///< the total number: if there are many, they are drawn smaller
};

}  // namespace sinew::show

// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "document/json/json_writer.hpp"
#include "show/page/packet.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

/// The largest size of one texture on the page.
inline constexpr std::size_t most_texels = std::size_t{1} << 27;

/// The looks of the page's picture: materials with their images, and colours and texture coordinates of the scene's vertices.
/// Three-dimensional textures become vertex colours.
class PageLooks {
 public:
  /// `model`: the model of `deformer`, with all values per vertex (make_drawable).
  PageLooks(const Model& model, const deform::SceneDeformer& deformer);

  /// Writes the member "materials": one object each; its texture is the number of an image.
  void write_materials(document::JsonWriter& json) const;
  /// Adds "colors" (rows of 4) and "texcoords" (rows of 2) if there are any, and the unchanged image files as "imageK".
  void add_to(Packet& packet) const;

  /// Returns whether the vertices of a block have colours.
  [[nodiscard]] const Volumes& volumes() const { return volumes_; }
  /// Returns whether a material has a two-dimensional texture.
  [[nodiscard]] bool textured(Index material) const { return material != none && materials_[material].texture.has_value(); }
  [[nodiscard]] bool colored(std::size_t instance, Index block) const { return colored_[instance][block]; }

 private:
  [[nodiscard]] std::size_t image_of(const Appearance::Texture& texture) const;
  void add_vertices(const Model& model, const deform::SceneDeformer& deformer, std::size_t instance);

  Volumes volumes_;
  std::vector<Appearance> materials_;
  std::vector<std::span<const std::byte>> images_;
  std::vector<std::vector<bool>> colored_;  ///< by instance, then by block
  std::vector<float> colors_, texcoords_;
};

}  // namespace sinew::show

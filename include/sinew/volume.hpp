// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/appearance.hpp"
#include "sinew/finding.hpp"
#include "sinew/model.hpp"
#include "sinew/picture.hpp"
#include "sinew/result.hpp"

namespace sinew::show {

/// A texture of three dimensions in memory. Coordinates go from 0 to 1 along each of its sides: to the right, down and in depth.
class Volume {
 public:
  /// Of a picture's tiles, from left to right and then from top to bottom, each a layer behind the one before; those beyond the depth are
  /// not used. Failure::input where its sides are no multiples of the tiles' or it has too few of them.
  [[nodiscard]] static Result<Volume> create(const Picture& picture, const Appearance::Volume& texture);
  /// The same of the texture's image. Failures of decode_picture.
  [[nodiscard]] static Result<Volume> create(const Appearance::Volume& texture, std::size_t most_texels);
  /// One texel of the colour that stands for an image.
  [[nodiscard]] static Volume placeholder(const Appearance::Volume& texture);

  /// Red, green, blue and opacity at three coordinates, linear: of the nearest texel, or of the eight around blended as light is.
  [[nodiscard]] std::array<float, 4> sample(const float* coordinates) const;

  [[nodiscard]] const std::array<std::size_t, 3>& size() const { return size_; }
  /// As of a Picture, layer by layer.
  [[nodiscard]] const std::vector<std::uint8_t>& rgba() const { return rgba_; }
  [[nodiscard]] const std::array<Appearance::Wrap, 3>& wrap() const { return wrap_; }
  [[nodiscard]] bool nearest() const { return nearest_; }

 private:
  Volume() = default;
  std::array<std::size_t, 3> size_{1, 1, 1};
  std::vector<std::uint8_t> rgba_;
  std::array<Appearance::Wrap, 3> wrap_{};
  bool nearest_ = false;
};

/// Those of a model's materials, each read once. Where an image is missing or broken the texture's placeholder is taken, with a note.
class Volumes {
 public:
  Volumes(const Model& model, std::size_t most_texels);

  /// nullptr: the material has none.
  [[nodiscard]] const Volume* of(Index material) const;
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] const std::vector<Error>& notes() const { return notes_; }

 private:
  std::vector<std::optional<Volume>> volumes_;  ///< by material
  std::size_t count_ = 0;
  std::vector<Error> notes_;
};

/// Gives corners with coordinates in a volume the colour that is there, and takes the coordinates off: for formats without volumes. A
/// surface has the material of the first node that shows it. `losses`: one for each surface that this is done to. Precondition: the volumes
/// are those of the model's materials.
void bake_volumes(const Volumes& volumes, Model& model, FindingSink& losses);

}  // namespace sinew::show

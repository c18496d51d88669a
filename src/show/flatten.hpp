// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "show/packet.hpp"
#include "show/view_state.hpp"

#include "sinew/project.hpp"
#include "sinew/slice.hpp"

namespace sinew::show {

/// From any dimension to the three of the picture: fewer are filled up, more are projected or cut.
class Flattener {
 public:
  /// `positions`: what the model's size and middle are taken from, once, so that the picture does not follow the pose. `simplexes`: what
  /// can be cut, over the same vertices.
  Flattener(std::size_t dimension, strided_view<const float> positions, std::vector<Elements> simplexes);

  /// Adds "positions", and, beyond three dimensions, "hidden" (the first hidden coordinate from −1 to 1) or, of a slice, "cutK" for each of
  /// the simplexes: triangles between the rows of "positions"; with "above", "below" and "part", where on the edges of the model these rows
  /// are.
  [[nodiscard]] Result<> vertices(strided_view<const float> rows, const Flattening& look, Packet& packet);

  /// Points beside the surface, such as the ends of bones: rows of three numbers. In a slice they lose their hidden coordinates.
  [[nodiscard]] std::vector<float> points(strided_view<const float> rows, const Flattening& look) const;

  [[nodiscard]] const std::vector<double>& center() const { return whole_.center; }
  [[nodiscard]] double radius() const { return whole_.radius; }

 private:
  [[nodiscard]] ops::Projector projector(const Flattening& look) const;
  [[nodiscard]] Result<> slice(strided_view<const float> rows, const Flattening& look, Packet& packet);

  std::size_t dimension_;
  ops::Projection whole_;              ///< center and radius, beyond three dimensions
  std::optional<ops::Slicer> slicer_;  ///< of the first cut
  ops::Section section_;
};

}  // namespace sinew::show

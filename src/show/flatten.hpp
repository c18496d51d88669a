// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "show/page/packet.hpp"
#include "show/page/view_state.hpp"

#include "sinew/project.hpp"
#include "sinew/slice.hpp"

namespace sinew::show {

inline constexpr std::size_t seen = 3;  ///< dimensions of a picture

/// Vertices in the three dimensions of the picture.
struct Flat {
  /// Triangles over rows of the positions, from the simplexes with number `simplexes`.
  struct Cut {
    std::size_t simplexes;
    std::vector<std::uint32_t> triangles;
    std::vector<float> values;  ///< values of the triangles' corners, if the simplexes have any: rows of the same width
  };

  std::vector<float> positions;             ///< rows of 3
  std::vector<float> hidden;                ///< projected: the first hidden coordinate from −1 to 1
  std::vector<Cut> cuts;                    ///< of a slice
  std::vector<std::uint32_t> above, below;  ///< of a slice of four dimensions: the vertices of the model between which each row lies
  std::vector<float> part;                  ///< and the fraction of the way from the first

  /// Adds the members under their names, triangles as "cutK". The caller adds the values of corners.
  void add_to(Packet& packet) const;
};

/// Rows of numbers for the corners of simplexes; empty: none.
struct CornerValues {
  std::size_t width = 0;
  std::vector<float> rows;
};

/// Converts any dimension to the three of the picture: missing coordinates are 0, surplus dimensions are projected or cut.
class Flattener {
 public:
  /// `positions` determine the model's size and centre once, so that the picture does not follow the pose. `simplexes`: the simplexes to
  /// cut, over the same vertices; `values`: the values of the corners of each, which cuts interpolate.
  Flattener(std::size_t dimension, strided_view<const float> positions, std::vector<Elements> simplexes, std::vector<CornerValues> values);

  [[nodiscard]] Result<Flat> vertices(strided_view<const float> rows, const ProjectionChoice& look);

  /// Flattens points beside the surface, such as the ends of bones: rows of three numbers. A slice only drops their hidden coordinates.
  [[nodiscard]] std::vector<float> points(strided_view<const float> rows, const ProjectionChoice& look) const;

  [[nodiscard]] const std::vector<double>& center() const { return whole_.center; }
  [[nodiscard]] double radius() const { return whole_.radius; }

 private:
  [[nodiscard]] operations::Projector projector(const ProjectionChoice& look) const;
  [[nodiscard]] Result<Flat> slice(strided_view<const float> rows, const ProjectionChoice& look);

  std::size_t dimension_;
  operations::Projection whole_;              ///< center and radius, beyond three dimensions
  std::optional<operations::Slicer> slicer_;  ///< of the first cut
  std::vector<CornerValues> values_;
  operations::Section section_;
};

}  // namespace sinew::show

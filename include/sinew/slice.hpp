// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/bake.hpp"
#include "sinew/geometry.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

// Cross-sections: the intersection of a hyperplane of N-space with a mesh, as a mesh of N−1 dimensions.
//
// A vertex on the hyperplane counts as above it. The slice is therefore that of a hyperplane infinitesimally lower, on which no vertex lies
// (symbolic perturbation: Edelsbrunner and Mücke, "Simulation of Simplicity", 1990). A cut simplex with p corners above and q below gives
// the product of a simplex of p corners and one of q corners; the corners of the product are the edges between both sets. The product is
// triangulated along the staircases of that grid, with corners in the order of vertices (Lee and Santos, "Subdivisions and triangulations
// of polytopes", 2017, 16.7.1). So a face that two simplexes share is cut the same way in both. Each cut edge of the mesh gives one vertex;
// edges that meet the hyperplane in a vertex of the mesh share it. Pieces without extent and pieces that cancel out are dropped. A closed
// mesh has a closed slice.

/// The points x of N-space with normal · x = offset.
struct Hyperplane {
  std::size_t axis = 0;        ///< not an axis of the slice; the others keep their order
  double offset = 0;           ///< offsets along an axis are rounded to float, as positions are
  std::vector<double> normal;  ///< N finite numbers, not all 0; empty: the direction of `axis`. Otherwise the shortest rotation from `axis`
                               ///< to the normal turns the axes of the slice
};

/// The intersection of a hyperplane with simplexes over one array of vertices.
struct Section {
  /// A point on the edge from vertex `above` to vertex `below`: above + t · (below − above), 0 ≤ t ≤ 1. On a vertex: both are that vertex,
  /// t = 0.
  struct Vertex {
    std::uint32_t above, below;
    double t;
  };
  /// The two corners of the stored simplex at the ends of the cut edge. Its t is that of its vertex.
  struct Corner {
    std::uint8_t above, below;
  };
  struct Group {
    std::size_t corners = 0;             ///< of a piece: one fewer than of a simplex
    std::vector<std::uint32_t> pieces;   ///< rows of `corners` vertices of the section
    std::vector<std::uint32_t> simplex;  ///< the simplex of each piece
    std::vector<Corner> corner_between;  ///< one per number of `pieces`
  };
  std::vector<Vertex> vertices;
  std::vector<float> positions;  ///< rows of N−1 numbers
  std::vector<Group> groups;
};

/// Cuts the same simplexes repeatedly, for moving vertices and hyperplanes.
class Slicer {
 public:
  /// `groups`: simplexes of 2 to 16 corners each, over the same vertices. Simplexes with N ≥ 3 corners bound a volume; their pieces face
  /// outwards if they do (the normal of a piece is the projected normal of the simplex).
  [[nodiscard]] static Result<Slicer> create(std::size_t dimension, std::vector<Elements> groups);
  Slicer(Slicer&&) noexcept;
  Slicer& operator=(Slicer&&) noexcept;
  ~Slicer();

  /// Computes the section. `positions`: N finite numbers for every used vertex. `out` keeps its memory. Failure::unsupported if pieces
  /// would take more than 2²⁸ corners. Preconditions: plane.axis < N, and the normal is as described.
  [[nodiscard]] Result<> run(strided_view<const float> positions, const Hyperplane& plane, Section& out);

 private:
  explicit Slicer(std::size_t dimension);
  /// Simplexes with sorted corners, and their stored order.
  struct Sorted {
    std::size_t corners = 0;
    bool bounds = false;  ///< has a front and a back
    std::vector<std::uint32_t> rows;
    std::vector<std::uint8_t> stored;  ///< the stored position of each corner
    std::vector<std::uint8_t> odd;     ///< whether sorting was an odd permutation
  };
  /// Pieces of a simplex for one set of corners above; computed on first use.
  struct Pattern {
    std::vector<Section::Corner> pieces;  ///< in sorted order
    std::vector<std::uint8_t> odd;        ///< per piece: whether its orientation is reversed
    bool made = false;
  };
  /// Vertices of the section by their edges: an open hash table.
  class Edges {
   public:
    void clear();
    /// Returns the number stored for the edge; `next` for a new edge.
    std::uint32_t number_of(std::uint32_t above, std::uint32_t below, std::uint32_t next);

   private:
    void grow();
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> numbers_;
    std::size_t used_ = 0;
  };
  class Cut;

  std::size_t dimension_;
  std::vector<Sorted> groups_;
  std::vector<std::vector<Pattern>> patterns_;  ///< by corners, then by the bits of the corners above
  std::vector<double> heights_;
  Edges edges_;
};

/// Cuts a static model (vertices in world space, see bake) into a static model of N−1 dimensions, N ≥ 2. Instances, names and materials
/// stay; parts that the hyperplane misses are removed. Simplexes lose one corner and keep their outer side. Triangles of space become the
/// lines of an outline, whose front is the left side, a quarter turn counter-clockwise. Lines become points; points have no slice. Surfaces
/// that have only a topology are first cut into simplexes. Normals are projected into the slice; a normal that vanishes is replaced by that
/// of the piece. Texture coordinates, colours and custom attributes are interpolated. All attributes stay per vertex or per corner.
/// `losses`: data without a slice. Failure::usage: a hyperplane that does not fit the model.
[[nodiscard]] Result<Model> slice(const Model& model, const Hyperplane& plane, FindingSink& losses);

/// Cuts a posed model by several hyperplanes, each in the space of the previous slice: two hyperplanes turn five dimensions into three.
[[nodiscard]] Result<Model> slice(const Model& model, const Pose& pose, std::span<const Hyperplane> planes, const BakeOptions& options,
                                  FindingSink& losses);

/// A cut across an axis of a model.
struct AxisCut {
  std::string axis;   ///< "x" "y" "z" "w", then the alphabet backwards: "v" "u" …, in either case; or the number, from "0"
  double offset = 0;  ///< along the axis
};

/// Returns hyperplanes for `slice`, one for each cut. Cuts use the axes of the whole model of `dimension`, each axis at most once. Each
/// hyperplane is in the space of the previous slice. Failure::usage, with the wrong cut: an unknown or repeated axis, no dimension left, an
/// offset that is not finite.
[[nodiscard]] Result<std::vector<Hyperplane>> hyperplanes_across(std::span<const AxisCut> cuts, std::size_t dimension);

}  // namespace sinew::operations

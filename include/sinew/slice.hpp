// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/bake.hpp"
#include "sinew/finding.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::ops {

// Cross-sections: what a hyperplane of N-space meets of a mesh, as a mesh of N−1 dimensions.
//
// A vertex belongs to the upper side if it lies above the hyperplane or on it: the slice is that of a hyperplane an infinitesimal bit
// lower, so that no vertex is ever on it (symbolic perturbation: Edelsbrunner and Mücke, "Simulation of Simplicity", 1990). A simplex
// with p corners above and q below meets it in the product of a simplex of p and one of q corners, whose corners are the edges between
// them; it is cut along the staircases of that grid with corners in the order of vertices (Lee and Santos, "Subdivisions and
// triangulations of polytopes", 2017, 16.7.1), which cuts a face that two simplexes share alike in both. One edge of the mesh gives one
// vertex, edges that meet the hyperplane in one vertex of the mesh share it; what that leaves without extent is dropped, and so are
// pieces that cancel out. A closed mesh has a closed slice.

/// The points x of N-space with normal · x = offset.
struct Hyperplane {
  std::size_t axis = 0;        ///< left out of the slice's axes, the others keep their order
  double offset = 0;           ///< along an axis it is rounded to float, as positions are
  std::vector<double> normal;  ///< N finite numbers, not all 0; empty: the direction of `axis`. Otherwise the slice's axes are the
                               ///< remaining ones, turned as `axis` turns to the normal the shortest way
};

/// What a hyperplane meets of simplexes over one array of vertices.
struct Section {
  /// On the edge from vertex `above` to vertex `below`: above + t · (below − above), 0 ≤ t ≤ 1. On a vertex: both are that one, t = 0.
  struct Vertex {
    std::uint32_t above, below;
    double t;
  };
  /// The two corners, counted within the simplex as stored, between which a corner of a piece lies; its t is its vertex's.
  struct Corner {
    std::uint8_t above, below;
  };
  struct Group {
    std::size_t corners = 0;             ///< of a piece: one fewer than of a simplex
    std::vector<std::uint32_t> pieces;   ///< rows of `corners` vertices of the section
    std::vector<std::uint32_t> simplex;  ///< that each piece is part of
    std::vector<Corner> corner_between;  ///< one per number of `pieces`
  };
  std::vector<Vertex> vertices;
  std::vector<float> positions;  ///< rows of N−1 numbers
  std::vector<Group> groups;
};

/// Cuts the same simplexes again and again, for moving vertices and hyperplanes. Copies are independent of each other.
class Slicer {
 public:
  /// `groups`: simplexes of 2 to 16 corners each, over the same vertices. Those with N ≥ 3 corners bound what they enclose: their pieces
  /// face out where they do (the normal of a piece is that of the simplex, projected).
  Slicer(std::size_t dimension, std::vector<Elements> groups);

  /// Cuts. `positions`: N finite numbers for every vertex that is named; `out` keeps its memory. Failure::limit when pieces would take
  /// more than 2²⁸ corners. Preconditions: plane.axis < N, a normal as described.
  [[nodiscard]] Result<> run(strided_view<const float> positions, const Hyperplane& plane, Section& out);

 private:
  /// Simplexes with corners in the order of vertices, and how they stood before.
  struct Sorted {
    std::size_t corners = 0;
    bool bounds = false;  ///< has a side that it faces
    std::vector<std::uint32_t> rows;
    std::vector<std::uint8_t> stored;  ///< the place that each corner had
    std::vector<std::uint8_t> odd;     ///< whether sorting was an odd permutation
  };
  /// Pieces of a simplex by the set of its corners above, made when they are first needed.
  struct Pattern {
    std::vector<Section::Corner> pieces;  ///< in sorted order
    std::vector<std::uint8_t> odd;        ///< per piece: turned around
    bool made = false;
  };
  /// Vertices of the section by the edges that they are on: an open hash table.
  class Edges {
   public:
    void clear();
    /// The number kept for the edge; `next` where it is new.
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

/// The slice of a static model (vertices in world space, see bake) as a static model of N−1 dimensions, N ≥ 2: instances, names and
/// materials stay, what the hyperplane misses is gone. Simplexes become simplexes of one corner less that face out where those did;
/// triangles of space become the lines of an outline (their side is the left one, a quarter turn counter-clockwise), lines become points;
/// points alone are never met. Surfaces that have only a topology are cut into simplexes first. Normals are projected into the slice, with
/// the piece's own where nothing remains; texture coordinates, colours and custom attributes are interpolated; all stay per vertex or per
/// corner as they are. `losses`: what has no slice. Failure::usage: a hyperplane that makes no sense for the model.
[[nodiscard]] Result<Model> slice(const Model& model, const Hyperplane& plane, FindingSink& losses);

/// The same of a posed model, by several hyperplanes, each in the space of the slice before: two turn five dimensions into three.
[[nodiscard]] Result<Model> slice(const Model& model, const Pose& pose, std::span<const Hyperplane> planes, const BakeOptions& options,
                                  FindingSink& losses);

}  // namespace sinew::ops

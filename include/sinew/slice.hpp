// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/deform.hpp"
#include "sinew/geometry.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

struct BakeOptions {
  Index scene = none;                ///< none: the default one
  std::uint32_t max_influences = 0;  ///< as in deform::PrepareOptions
  unsigned threads = 0;              ///< 0 = all cores
  std::string_view kernel = {};      ///< as in deform::PrepareOptions
};

/// A static model of one pose: nodes stay with the pose's transforms (cameras, lights and extras hang there) but lose their meshes; every
/// instance becomes a root node of its own with a mesh in world space, float32. Materials (those of the instance, where it replaces them),
/// texture coordinates, colours, custom attributes, indices and topologies are kept; skins, blend shapes and clips are gone. Normals that
/// vanish are replaced; what has none stays without. An instance under a mirroring transform gets reversed simplexes and negated normals
/// and tangent w, so that it keeps facing out; skinned ones of glTF, which their node does not move, keep their winding.
/// Refuses results that overflow float32.
[[nodiscard]] Result<Model> bake(const Model& model, const Pose& pose, const BakeOptions& options = {});

// Bounds: boxes that hold a model in every pose of its clips.

/// Which poses the boxes hold.
struct BoundsOptions {
  Index scene = none;                                                   ///< none: the default one
  std::optional<std::vector<Index>> clips = std::nullopt;               ///< nothing: all clips
  std::optional<std::pair<double, double>> blend_range = std::nullopt;  ///< every blend amount has any value from the first to the second;
                                                                        ///< nothing: amounts as stored and animated
  double slack = 0.01;   ///< how far a side may lie outside of what vertices reach, relative to the box's diagonal; more than 0
  unsigned threads = 0;  ///< 0 = all cores; the result does not depend on it
  std::function<void(std::size_t done, std::size_t total)> progress = {};  ///< may be empty
};

/// An axis-aligned box: N numbers each, or none where there is nothing to hold.
struct Box {
  std::vector<float> min, max;

  [[nodiscard]] bool empty() const { return min.empty(); }
  friend bool operator==(const Box&, const Box&) = default;
};

/// What vertices reach. All boxes but those of joints are in world space.
struct Bounds {
  struct OfClip {
    Index clip = none;
    Box box;
    std::vector<Box> instances;  ///< as Bounds::instances
  };
  struct OfInstance {
    Index node = none;
    Box box;                     ///< over the file's own pose and the clips
    std::vector<double> center;  ///< of a ball that holds the same vertices: N numbers, or none
    double radius = 0;
  };
  struct OfJoint {
    Index node = none;
    Box box;  ///< in the joint's space
  };
  std::size_t dimension = 0;
  Box all;   ///< over the file's own pose and the clips
  Box rest;  ///< of the file's own pose
  std::vector<OfClip> clips;
  std::vector<OfInstance> instances;  ///< as sinew::instances
  std::vector<OfJoint> joints;        ///< all joints of the skins that are used, ascending
};

/// Boxes that hold every vertex at every time of the clips, between the keys as well: what deform computes at any time, float32, lies
/// inside (proof: docs/bounds.md). No side lies further outside of what vertices reach than the slack and the rounding of float32 numbers;
/// except where a spline of rotations passes through zero, so that the rotation jumps.
///
/// The box of a joint holds `joint_from_mesh · v` of all vertices that it influences (weight not 0) with the file's own blend amounts, or
/// all of the range. Failures are those of deforming the model; Failure::input also for boxes that overflow float32, Failure::usage for
/// options that make no sense.
[[nodiscard]] Result<Bounds> bounds(const Model& model, const BoundsOptions& options = {});

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

/// Where to cut across an axis of a model.
struct AxisCut {
  std::string axis;   ///< "x" "y" "z" "w", then the alphabet backwards: "v" "u" …, in either case; or the number, from "0"
  double offset = 0;  ///< along the axis
};

/// Hyperplanes for `slice`, one for each cut: axes are those of the whole model of `dimension`, each cut once; a hyperplane is in the space
/// of the slice before. Failure::usage names the cut that makes no sense: no such axis, twice the same, no dimension left, not finite.
[[nodiscard]] Result<std::vector<Hyperplane>> hyperplanes_across(std::span<const AxisCut> cuts, std::size_t dimension);

// Pictures of N dimensions: points are seen in three, the other axes (the hidden ones: w, then v, …) by perspective and colour; of a mesh
// one sees its edges.

enum class ProjectionKind : std::uint8_t {
  perspective,  ///< what is nearer to an eye on a hidden axis is larger; the factors of several hidden axes multiply
  orthographic  ///< hidden axes are left out
};

struct Projection {
  ProjectionKind kind = ProjectionKind::perspective;
  double distance = 0;         ///< of the eyes from the centre, along their axes, in radii; 0: three. More than one
  std::vector<double> center;  ///< N numbers; empty: the middle of what is projected. It stays where it is
  double radius = 0;           ///< of a ball around the centre that holds everything; 0: that of what is projected
  Affine view;                 ///< turns the space around the centre first (its linear part counts); dimension 0: not
};

/// With the centre and the radius that were missing, from the bounds of all positions (of an animation: those of all frames).
[[nodiscard]] Projection fitted(Projection projection, strided_view<const float> positions);

/// Projects positions of any dimension. Safe from several threads.
class Projector {
 public:
  /// Precondition: a fitted projection.
  Projector(std::size_t dimension, Projection projection);

  /// `out`: rows of 3 numbers, in the space's own first three axes (missing ones are 0). `hidden`: rows of N−3 numbers, the hidden
  /// coordinates from the centre, divided by the radius: −1 to 1; may be empty. N finite numbers per position.
  void run(strided_view<const float> positions, strided_view<float> out, strided_view<float> hidden = {}) const;

 private:
  std::size_t dimension_;
  Projection projection_;
};

/// A colour for a hidden coordinate from −1 to 1: cool below, warm above, light in between (Moreland, "Diverging Color Maps for Scientific
/// Visualization", 2009). Linear RGB.
void hidden_color(double hidden, std::span<float, 3> rgb);

/// Those edges of simplexes at which a shape bends in all directions but their own: the edges of its cells, without the diagonals that
/// cutting cells into simplexes has added. Where a mesh ends its border counts as a bend. Each once, first vertex below the second,
/// ascending. `simplexes`: rows of N ≥ 3 corners.
[[nodiscard]] std::vector<Edge> shape_edges(strided_view<const double> positions, std::span<const std::uint32_t> simplexes);

/// The model with Surface::edges on every surface of simplexes that has none: its shape_edges at the stored shape, so that they are the
/// same in every pose. N ≥ 3.
[[nodiscard]] Result<Model> with_shape_edges(const Model& model);

/// A static model (see bake) as a static model of three dimensions. Three: as it is. Fewer: flat, the missing coordinates 0. More: the
/// edges of surfaces as lines (their Surface::edges, else shape_edges), lines and points as they are, with vertex colours by the first
/// hidden coordinate. Failure::usage: a projection that does not fit the model.
[[nodiscard]] Result<Model> project(const Model& model, const Projection& projection);

/// The same of a posed model, with the edges of its stored shape.
[[nodiscard]] Result<Model> project(const Model& model, const Pose& pose, const Projection& projection, const BakeOptions& options);

}  // namespace sinew::operations

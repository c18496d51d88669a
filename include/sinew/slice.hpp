// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
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

// Bounds: boxes that contain a model in every pose of its clips.

/// The poses that the boxes cover.
struct BoundsOptions {
  Index scene = none;                                                   ///< none: the default one
  std::optional<std::vector<Index>> clips = std::nullopt;               ///< nothing: all clips
  std::optional<std::pair<double, double>> blend_range = std::nullopt;  ///< every blend amount takes all values from the first to the
                                                                        ///< second; nothing: amounts as stored and animated
  double slack = 0.01;   ///< how far a side may lie outside the space that the vertices reach, relative to the diagonal; more than 0
  unsigned threads = 0;  ///< 0 = all cores; the result does not depend on it
  std::function<void(std::size_t done, std::size_t total)> progress = {};  ///< may be empty
};

/// An axis-aligned box: N numbers each, or none if the box contains nothing.
struct Box {
  std::vector<float> min, max;

  [[nodiscard]] bool empty() const { return min.empty(); }
  friend bool operator==(const Box&, const Box&) = default;
};

/// The space that the vertices reach. All boxes except those of joints are in world space.
struct Bounds {
  struct OfClip {
    Index clip = none;
    Box box;
    std::vector<Box> instances;  ///< as Bounds::instances
  };
  struct OfInstance {
    Index node = none;
    Box box;                     ///< over the stored pose and the clips
    std::vector<double> center;  ///< centre of a ball that contains the same vertices: N numbers, or none
    double radius = 0;
  };
  struct OfJoint {
    Index node = none;
    Box box;  ///< in the joint's space
  };
  std::size_t dimension = 0;
  Box all;   ///< over the stored pose and the clips
  Box rest;  ///< of the stored pose
  std::vector<OfClip> clips;
  std::vector<OfInstance> instances;  ///< as sinew::instances
  std::vector<OfJoint> joints;        ///< all joints of used skins, ascending
};

/// Computes boxes that contain every vertex at every time of the clips, also between keys: all float32 results of deform lie inside (proof:
/// docs/bounds.md). No side lies further outside than the slack plus the rounding of float32. The exception is a spline of rotations that
/// passes through zero, where the rotation jumps.
///
/// The box of a joint contains `joint_from_mesh · v` for all vertices with a weight for it, for the stored blend amounts or the whole
/// range. Fails like deforming the model. Failure::input also for boxes that overflow float32, Failure::usage for invalid options.
[[nodiscard]] Result<Bounds> bounds(const Model& model, const BoundsOptions& options = {});

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

/// Cuts the same simplexes repeatedly, for moving vertices and hyperplanes. Copies are independent of each other.
class Slicer {
 public:
  /// `groups`: simplexes of 2 to 16 corners each, over the same vertices. Simplexes with N ≥ 3 corners bound a volume; their pieces face
  /// outwards if they do (the normal of a piece is the projected normal of the simplex).
  Slicer(std::size_t dimension, std::vector<Elements> groups);

  /// Computes the section. `positions`: N finite numbers for every used vertex. `out` keeps its memory. Failure::unsupported if pieces
  /// would take more than 2²⁸ corners. Preconditions: plane.axis < N, and the normal is as described.
  [[nodiscard]] Result<> run(strided_view<const float> positions, const Hyperplane& plane, Section& out);

 private:
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

// Pictures of N dimensions: three axes are drawn directly, the hidden axes (w, then v, …) by perspective and colour. A mesh is drawn as its
// edges.

enum class ProjectionKind : std::uint8_t {
  perspective,  ///< points nearer to an eye on a hidden axis appear larger; the factors of several hidden axes multiply
  orthographic  ///< hidden axes are left out
};

struct Projection {
  ProjectionKind kind = ProjectionKind::perspective;
  double distance = 0;         ///< of the eyes from the centre, along their axes, in radii; 0: three radii. Must exceed 1
  std::vector<double> center;  ///< N numbers, the fixed point; empty: the centre of the projected points
  double radius = 0;           ///< of a ball around the centre that contains everything; 0: computed
  Affine view;                 ///< applied first, around the centre (linear part only); dimension 0: none
};

/// Returns the projection with a missing centre and radius computed from the bounds of all positions (of an animation: of all frames).
[[nodiscard]] Projection fitted(Projection projection, strided_view<const float> positions);

/// Projects positions of any dimension. Safe from several threads.
class Projector {
 public:
  /// Precondition: a fitted projection.
  Projector(std::size_t dimension, Projection projection);

  /// `out`: rows of 3 numbers, along the first three axes of the space (missing ones are 0). `hidden`: rows of N−3 numbers, the hidden
  /// coordinates relative to the centre, divided by the radius: −1 to 1; may be empty. Precondition: N finite numbers per position.
  void run(strided_view<const float> positions, strided_view<float> out, strided_view<float> hidden = {}) const;

 private:
  std::size_t dimension_;
  Projection projection_;
};

/// Computes the colour for a hidden coordinate from −1 to 1: cool below, warm above, light in between (Moreland, "Diverging Color Maps for
/// Scientific Visualization", 2009). Linear RGB.
void hidden_color(double hidden, std::span<float, 3> rgb);

/// Finds the edges of simplexes at which a shape bends in all directions except along the edge: the edges of its cells, without the
/// diagonals inside cells. The border of a mesh counts as a bend. Each edge occurs once, the lower vertex first; edges are sorted.
/// `simplexes`: rows of N ≥ 3 corners.
[[nodiscard]] std::vector<Edge> shape_edges(strided_view<const double> positions, std::span<const std::uint32_t> simplexes);

/// Adds Surface::edges to every surface of simplexes without edges: shape_edges at the stored shape, so the edges are the same in every
/// pose. Precondition: N ≥ 3.
[[nodiscard]] Result<Model> with_shape_edges(const Model& model);

/// Converts a static model (see bake) to a static model of three dimensions. Three dimensions: unchanged. Fewer: flat, missing coordinates
/// are 0. More: edges of surfaces become lines (Surface::edges, else shape_edges), lines and points stay, and vertex colours show the first
/// hidden coordinate. Failure::usage: a projection that does not fit the model.
[[nodiscard]] Result<Model> project(const Model& model, const Projection& projection);

/// Does the same for a posed model, with the edges of its stored shape.
[[nodiscard]] Result<Model> project(const Model& model, const Pose& pose, const Projection& projection, const BakeOptions& options);

// Extraction: rigs as arrays.

struct ExtractOptions {
  Index scene = none;  ///< none: the default one
  double fps = 30;     ///< frames per second of clips, from 0 as long as the clip lasts; more than 0
  std::uint64_t most_bytes = std::uint64_t{8} << 30;
  OutputName name = OutputName::given;
};

/// The contents of a file that extract has written.
struct Extracted {
  std::size_t vertices = 0, joints = 0, shapes = 0, clips = 0, frames = 0;
  std::uint64_t bytes = 0;
};

/// Writes the rig of a scene as arrays, a NumPy `.npz` file (docs/datasets.md lists them). Vertex v at a frame is Σ weight · joint_world ·
/// inverse_bind · (position + Σ amount · offset), for column vectors with a 1 at the end. This equals the result of deform up to the
/// rounding of float32. Clips with a defect are left out. The file appears whole or not at all. Fails like deforming the model;
/// Failure::limit also for arrays of more than `most_bytes`.
[[nodiscard]] Result<Extracted> extract(const Model& model, const std::filesystem::path& to, const ExtractOptions& options = {});

}  // namespace sinew::operations

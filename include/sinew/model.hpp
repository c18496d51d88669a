// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/affine.hpp"
#include "sinew/array.hpp"
#include "sinew/pose.hpp"
#include "sinew/result.hpp"

namespace sinew {

using Index = std::uint32_t;
inline constexpr Index none = std::numeric_limits<Index>::max();

/// Where an entity stands in the file that it was read from: opaque here, a JSON pointer through Source::pointer.
enum class SourceId : std::uint32_t { nowhere = none };

/// The file behind a model, kept alive with it: what the model does not interpret (materials, textures, cameras, extras, unknown
/// extensions) stays there as bytes and is carried to what is written.
class Source {
 public:
  virtual ~Source() = default;
  [[nodiscard]] virtual std::string file() const = 0;
  [[nodiscard]] virtual std::string pointer(SourceId id) const = 0;
};

/// What every thing with an index has. `defect` is the index of why it cannot be used (Model::defects), or `none`.
struct Entity {
  std::string name;  ///< empty = unnamed; not unique in glTF
  SourceId source = SourceId::nowhere;
  Index defect = none;
};

/// Moves an attribute by amount · value. Dense: one row per row of the attribute. Sparse: `indices` names the rows (each below the
/// attribute's row count, checked on reading); the same row twice adds up.
struct Offsets {
  Index shape = 0;  ///< of the mesh's shapes
  Array indices;    ///< unsigned, width 1; empty = dense
  Array values;

  [[nodiscard]] bool sparse() const { return sparse_; }
  bool sparse_ = false;  ///< set by who builds it: a sparse list may be empty
};

enum class Semantic : std::uint8_t { position, normal, tangent, texcoord, color, custom };

/// Values along the vertices of a block or the corners of a surface. 3D tangents are (x, y, z, w): w is not moved and keeps its sign.
/// Normals of corners with offsets alone, without values and index: they move the flat normal of the blended shape.
struct Attribute {
  Semantic semantic = Semantic::custom;
  Index set = 0;       ///< the n of TEXCOORD_n, COLOR_n
  std::string custom;  ///< the name of a custom attribute
  Array values;
  Array index;                   ///< empty = row i belongs to vertex or corner i; else the row of each (2026-07 bindings)
  std::vector<Offsets> offsets;  ///< at most one per shape
};

/// Influences in the form in which they are stored, borrowed where possible.
/// glTF: `sets` of (joints, weights) with four columns each, used as stored. G4MF: one row of (`slot`, `weight`) per entry,
/// grouped by `first`, divided by the sum of what counts.
struct Influences {
  struct Set {
    Array joints;   ///< unsigned, width 4, a row per vertex
    Array weights;  ///< float or normalised, width 4, a row per vertex
  };
  std::vector<Set> sets;
  std::vector<std::uint32_t> first;  ///< vertices + 1 entries; or empty
  Array slots;                       ///< unsigned, width 1
  Array weights;                     ///< width 1
  bool divide_by_sum = false;

  [[nodiscard]] bool empty() const { return sets.empty() && first.empty(); }
};

/// An array of vertices with everything stored per vertex. G4MF: one per mesh; glTF: one per primitive (equal ones are not shared).
struct VertexBlock {
  std::size_t vertices = 0;           ///< rows; 0 where there are no positions
  std::vector<Attribute> attributes;  ///< vertex domain; position first where there is one
  Influences influences;              ///< joint slots; each below the slot count of every skin used with the mesh (checked on reading)
};

/// How `elements` (or the vertices in order) make the pieces of a surface.
enum class Primitive : std::uint8_t { points, lines, line_loop, line_strip, simplexes, simplex_strip, simplex_fan };

/// Polytope geometry of a surface (G4MF, mesh part, "Mesh Surface Topology"): tier 0 lists 2D faces over the surface's edges, tier 1
/// 3D cells over faces, and so on; each tier a flat stream of items, count first. Checked on reading: no item is cut short, every index
/// is in range.
struct Topology {
  std::vector<Array> tiers;
  Array seams;                        ///< items one dimension below the boundary tier, ascending; empty = none
  Array instances;                    ///< topology vertex instances: the vertices of every boundary item in order, width 1
  std::vector<Attribute> attributes;  ///< domain: `instances`
};

struct Surface : Entity {
  Index block = 0;
  Primitive primitive = Primitive::simplexes;
  Array elements;  ///< vertex indices as stored, each below the block's vertex count; empty (with `indexed` false) = 0, 1, 2, …
  bool indexed = false;
  Index material = none;              ///< of Model::materials
  std::vector<Attribute> attributes;  ///< corner domain (G4MF); empty in glTF
  Array edges;                        ///< explicit edges beside simplexes, or alone (then also the elements); width 2
  bool polytope_simplexes = false;    ///< runs of simplexes with one first vertex make one polytope
  std::optional<Topology> topology;
};

struct BlendShape : Entity {
  double amount = 0;  ///< the mesh's default
};

struct Mesh : Entity {
  std::vector<VertexBlock> blocks;
  std::vector<Surface> surfaces;
  std::vector<BlendShape> shapes;
  std::vector<std::string> group_names;  ///< of joint slots, as the mesh names them; may be shorter than the slots
};

/// What binds vertices to joint slots. glTF: a skin. G4MF: a skeleton node as one of its meshes sees it.
struct Skin : Entity {
  enum class Bind : std::uint8_t {
    matrices,      ///< `joint_from_mesh` as given
    identity,      ///< glTF without inverseBindMatrices
    stored_pose,   ///< from the file's own pose, relative to `frame`: STAIK skins without matrices
    skeleton_pose  ///< from the file's own pose, in the space of the skeleton node `frame`, the mesh's node being its child (G4MF):
                   ///< world_from_mesh = W·L·L°⁻¹·G·G°⁻¹·L°; W the frame's world transform, L the mesh node's local one, G the joint's
                   ///< transform in the frame, ° = stored
  };
  std::vector<Index> slots;  ///< a node each; `none` = stays with the mesh's node (G4MF's −1)
  Bind bind = Bind::identity;
  std::vector<Affine> joint_from_mesh;  ///< one per slot, for Bind::matrices
  Index frame =
      none;  ///< for Bind::stored_pose: the node in whose space the mesh stands, none = world; for skeleton_pose: the skeleton node
  Index root_hint = none;  ///< glTF's skin.skeleton: never used for geometry
};

/// What a bone says of itself; its head is the node's origin, its tail lies `length` along the local +Y axis.
struct Bone {
  std::optional<double> length;
  std::optional<double> mass;
};

struct Node : Entity {
  Index parent = none;
  std::vector<Index> children;
  Index mesh = none;
  Index skin = none;
  bool visible = true;
  std::optional<Bone> bone;      ///< G4MF: the node is a bone
  std::vector<Index> materials;  ///< overrides for the surfaces of the mesh: one for all, or one each; `none` keeps the surface's own
};

enum class Interpolation : std::uint8_t { step, linear, cubic_spline };
enum class TrackPath : std::uint8_t { translation, rotation, scale, amounts };

/// One animated property of one node. `values`: one row per key (three for cubic_spline: in-tangent, value, out-tangent);
/// amounts: as many rows of width 1 per key as the mesh has shapes.
struct Track {
  Index node = none;
  TrackPath path = TrackPath::translation;
  Interpolation interpolation = Interpolation::linear;
  bool quaternions = false;  ///< rotation values are glTF's (x, y, z, w), not rotors
  Array times;               ///< seconds, strictly increasing, finite (checked on reading)
  Array values;
  SourceId source = SourceId::nowhere;
};

struct Clip : Entity {
  std::vector<Track> tracks;
  double duration = 0;  ///< the last key over all tracks
};

struct Scene : Entity {
  std::vector<Index> roots;
};

struct Material : Entity {};

/// Strict skeleton of STAIK_skeletons: joints by definition, not by use.
struct Skeleton : Entity {
  Index node = none;                    ///< G4MF: the skeleton node; it is no bone
  Index root = none;                    ///< STAIK_skeletons: the topmost joint
  std::vector<Index> joints;            ///< G4MF: a slot may be `none` (−1), a bone may have several
  std::vector<Affine> joint_from_mesh;  ///< the default bind pose; empty = the file's own pose
};

/// One model in memory, whatever file it came from. Plain data: after reading, every index in an entity without defect is in range,
/// nodes form trees, and arrays lie inside their bytes. Const use from several threads is safe.
struct Model {
  std::size_t dimension = 3;
  std::string format;     ///< "glTF" or "G4MF"
  std::string revision;   ///< "2.0", "2026-01", …
  std::string generator;  ///< as the file says
  std::vector<Node> nodes;
  std::vector<Mesh> meshes;
  std::vector<Skin> skins;
  std::vector<Skeleton> skeletons;
  std::vector<Clip> clips;
  std::vector<Material> materials;
  std::vector<Scene> scenes;
  Index default_scene = none;  ///< none: no scenes; all parentless nodes are the roots
  std::vector<std::string> extensions_used;
  std::vector<std::string> extensions_required;
  Pose rest_pose;  ///< the file's own state: every node's transform, every instance's amounts
  std::vector<Error> defects;
  std::shared_ptr<const Source> source;

  /// The file's own pose, a start for poses of the caller's.
  [[nodiscard]] const Pose& rest() const { return rest_pose; }

  // What the format of the model can express. Operations ask these questions and never compare `format`.

  /// Whether the stored pose is the bind pose (G4MF). A skin then has no bind matrices and belongs to a skeleton node, the skins of
  /// one node have the same slots, and a skinned mesh follows its own node. Otherwise (glTF) a skin lists its joints and its
  /// matrices, and a skinned mesh follows only the joints.
  [[nodiscard]] bool binds_by_stored_pose() const;
  /// Whether a mesh has one block of vertices for all surfaces, which holds positions only; all other attributes belong to corners
  /// (G4MF). Otherwise each surface has its own block with all attributes (glTF).
  [[nodiscard]] bool stores_values_by_corner() const;
  /// Whether the local transform of a node can be any linear map (G4MF), or only rotation and scale (glTF).
  [[nodiscard]] bool stores_shear() const;
  /// Whether node 0 is the root of all other nodes (G4MF).
  [[nodiscard]] bool has_root_node() const;
  /// Whether the format demands that names are unique (G4MF).
  [[nodiscard]] bool requires_unique_names() const;
  /// Whether only the direction of a rotor counts (G4MF), or its length too (glTF).
  [[nodiscard]] bool normalizes_rotors() const;
};

/// A drawn mesh: a node that carries one. Its place in the list is its place in everything that is written.
struct Instance {
  Index node = none;
  Index mesh = none;
  Index skin = none;
  bool visible = true;  ///< false if the node or an ancestor is hidden
};

/// Nodes reached from the roots of a scene, ascending. `scene` none: the default scene.
[[nodiscard]] std::vector<Index> reached_nodes(const Model& model, Index scene = none);
/// Reached nodes with a mesh, ascending node index.
[[nodiscard]] std::vector<Instance> instances(const Model& model, Index scene = none);

/// World transforms of all nodes at a pose (`world_from_node`), parents first; a root's parent is the world.
[[nodiscard]] std::vector<Affine> world_transforms(const Model& model, const Pose& pose);

/// The first defect in the closure of deforming a scene (none: the default one): the scene itself, its instances with their nodes and
/// ancestors, meshes, skins, joints and their ancestors, and `clip` (or none). Nothing: everything needed can be used.
[[nodiscard]] std::optional<Error> closure_defect(const Model& model, Index scene = none, Index clip = none);

/// The elements of a surface with strips, fans and loops expanded: rows of vertex indices into its block; N-D simplexes have
/// max(dimension, 3) corners (2D: triangles), lines 2, points 1. Pieces cut short are dropped (glTF: incomplete primitives).
struct Elements {
  std::size_t corners = 0;
  std::vector<std::uint32_t> indices;  ///< rows of `corners`
};
[[nodiscard]] Elements elements_of(const Mesh& mesh, const Surface& surface, std::size_t dimension);

/// The attribute of that kind, or nullptr.
[[nodiscard]] const Attribute* find_attribute(const std::vector<Attribute>& attributes, Semantic semantic, Index set = 0);

/// "NAME" or "name:NAME" or an index in digits, among things with names. Failure::usage where nothing or several fit; the
/// message lists what there is, and the nearest name. `what` is the singular noun for the message ("animation").
struct NamedThing {
  std::string_view name;
  Index index;
};
[[nodiscard]] Result<Index> find_by_name(std::string_view wanted, const std::vector<NamedThing>& things, std::size_t count,
                                         std::string_view what);

}  // namespace sinew

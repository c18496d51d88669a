// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/array.hpp"
#include "sinew/avatar.hpp"
#include "sinew/geometry.hpp"
#include "sinew/result.hpp"

namespace sinew {

struct Model;

/// The transform of a node in the space of its parent: p ↦ basis·p + translation. An empty part means its neutral value.
struct LocalTransform {
  SmallVector<double, 3> translation;  ///< N numbers; empty = zeros
  SmallVector<double, 4> rotor;        ///< as in geometry.hpp; empty = no rotation. Used as stored (glTF), normalised by the G4MF reader
  SmallVector<double, 3> scale;        ///< N numbers; empty = ones
  SmallVector<double, 1> basis;        ///< N² numbers, column-major, replaces rotor and scale; empty = not used

  friend bool operator==(const LocalTransform&, const LocalTransform&) = default;
};

/// Returns the map with the linear part `basis` (or R(rotor)·diag(scale)) and the translation.
[[nodiscard]] Affine affine_of(std::size_t dimension, const LocalTransform& local);

/// The complete input of a deformation at one moment.
struct Pose {
  std::vector<LocalTransform> locals;        ///< one per node
  std::vector<std::vector<double>> amounts;  ///< one list per node; for a node with a mesh: one amount per blend shape of that mesh

  /// Turns a node about its own origin, in its own axes: first `turn`, then the rotation of the pose. `model`: the model of the pose.
  /// `node`: a name or an index, as find_by_name. Failure::usage: a rotor of another dimension than the model's, or one that is not a
  /// rotation. Failure::input: a node whose basis has shear. On failure the pose does not change.
  [[nodiscard]] Result<> turn(const Model& model, std::string_view node, const Rotor& turn);
  /// Sets the amount of a blend shape: "SHAPE" in every mesh that has it, or "NODE:SHAPE", by name or index. Failure::usage if no mesh has
  /// the shape or the amount is not finite.
  [[nodiscard]] Result<> blend(const Model& model, std::string_view shape, double amount);
};

/// Many poses of one model as arrays of the caller, in C order: B poses, J nodes of the model, N dimensions, S blend shapes (those of the
/// mesh of every node with a mesh, node after node, as in Pose::amounts). An empty array leaves its part as stored in the file. Matrices
/// act on column vectors and are stored row by row; their last row is 0 … 0 1. The memory must not change while a call reads it.
struct PoseArrays {
  std::size_t poses = 0;                     ///< B
  std::span<const double> local = {};        ///< (B, J, N+1, N+1): parent_from_node
  std::span<const double> world = {};        ///< (B, J, N+1, N+1): world_from_node, independent of the parents. Only with `amounts`
  std::span<const double> translation = {};  ///< (B, J, N). Translations, rotors and scales replace those of Pose::locals; not with `local`
  std::span<const double> rotor = {};        ///< (B, J, 2^(N-1)), as in geometry.hpp; 3D: [s, xy, xz, yz]. G4MF: normalised
  std::span<const double> scale = {};        ///< (B, J, N)
  std::span<const double> amounts = {};      ///< (B, S)

  /// Returns the poses [first, first + count) of the same memory. Precondition: the arrays have B poses.
  [[nodiscard]] PoseArrays part(std::size_t first, std::size_t count) const noexcept;
};

/// The file behind a model. It keeps the data that the model does not interpret (materials, textures, cameras, extras, unknown extensions),
/// so that writers can copy them.
class Source {
 public:
  virtual ~Source() = default;
  /// Returns "glTF" or "G4MF" for a source of the library's own, for programs without run-time type information; others do not override it.
  [[nodiscard]] virtual std::string_view format() const noexcept { return {}; }
  [[nodiscard]] virtual std::string file() const = 0;
  [[nodiscard]] virtual std::string pointer(SourceId id) const = 0;
  /// Returns how many steps the loops over products of counts of one operation may take (Limits::work).
  [[nodiscard]] virtual std::uint64_t most_work() const = 0;
};

/// Common fields of indexed entities. `defect`: index of the reason in Model::defects if the entity cannot be used, or `none`.
struct Entity {
  std::string name;  ///< empty = unnamed; not unique in glTF
  SourceId source = SourceId::nowhere;
  Index defect = none;
};

/// Moves an attribute by amount · value. Dense: one row per row of the attribute. Sparse: `indices` lists the rows (each below the
/// attribute's row count, checked on reading); values of repeated rows are added.
struct Offsets {
  Index shape = 0;  ///< of the mesh's shapes
  Array indices;    ///< unsigned, width 1; empty = dense
  Array values;

  [[nodiscard]] bool sparse() const { return sparse_; }
  bool sparse_ = false;  ///< set by the builder, because a sparse list may be empty
};

enum class Semantic : std::uint8_t { position, normal, tangent, texcoord, color, custom };

/// Values per vertex of a block or per corner of a surface. 3D tangents are (x, y, z, w): w is not transformed and keeps its sign. If
/// corner normals have only offsets, these are added to the flat normal of the blended shape.
struct Attribute {
  Semantic semantic = Semantic::custom;
  Index set = 0;       ///< the n of TEXCOORD_n, COLOR_n
  std::string custom;  ///< the name of a custom attribute
  Array values;
  Array index;  ///< empty: row i belongs to vertex or corner i; otherwise the row of each vertex or corner (2026-07 bindings)
  std::vector<Offsets> offsets;  ///< at most one per shape
};

/// Influences as stored, borrowed if possible. glTF: `sets` of (joints, weights) with four columns each, used as stored. G4MF: one row of
/// (`slot`, `weight`) per entry, grouped by `first`; weights are divided by the sum of the weights that count.
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
  std::size_t vertices = 0;           ///< rows; 0 without positions
  std::vector<Attribute> attributes;  ///< per vertex; position first if there is one
  Influences influences;              ///< each slot is below the slot count of every skin used with the mesh (checked on reading)

  VertexBlock();
  VertexBlock(const VertexBlock&);
  VertexBlock(VertexBlock&&) noexcept;
  VertexBlock& operator=(const VertexBlock&);
  VertexBlock& operator=(VertexBlock&&) noexcept;
  ~VertexBlock();
};

/// How `elements` (or the vertices in order) form the pieces of a surface.
enum class Primitive : std::uint8_t { points, lines, line_loop, line_strip, simplexes, simplex_strip, simplex_fan };

/// Polytope geometry of a surface (G4MF, mesh part, "Mesh Surface Topology"): tier 0 lists 2D faces over the surface's edges, tier 1 3D
/// cells over faces, and so on. Each tier is a flat stream of items, the count first. Checked on reading: no item is cut short, every index
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
  Array elements;  ///< vertex indices as stored, each below the block's vertex count; empty and not `indexed`: 0, 1, 2, …
  bool indexed = false;
  Index material = none;              ///< of Model::materials
  std::vector<Attribute> attributes;  ///< corner domain (G4MF); empty in glTF
  Array edges;                        ///< explicit edges, in addition to simplexes or instead of them (then also the elements); width 2
  bool polytope_simplexes = false;    ///< consecutive simplexes with the same first vertex form one polytope
  std::optional<Topology> topology;

  Surface();
  Surface(const Surface&);
  Surface(Surface&&) noexcept;
  Surface& operator=(const Surface&);
  Surface& operator=(Surface&&) noexcept;
  ~Surface();
};

struct BlendShape : Entity {
  double amount = 0;  ///< the default of the mesh
};

struct Mesh : Entity {
  std::vector<VertexBlock> blocks;
  std::vector<Surface> surfaces;
  std::vector<BlendShape> shapes;
  std::vector<std::string> group_names;  ///< names of the joint slots in the mesh; may be shorter than the slots

  Mesh();
  Mesh(const Mesh&);
  Mesh(Mesh&&) noexcept;
  Mesh& operator=(const Mesh&);
  Mesh& operator=(Mesh&&) noexcept;
  ~Mesh();
};

/// Binds vertices to joints. glTF: a skin. G4MF: a skeleton node, for one of its meshes.
struct Skin : Entity {
  enum class Bind : std::uint8_t {
    matrices,      ///< `joint_from_mesh` as given
    identity,      ///< glTF without inverseBindMatrices
    stored_pose,   ///< computed from the stored pose, relative to `frame`: STAIK skins without matrices
    skeleton_pose  ///< computed from the stored pose, in the space of the skeleton node `frame`, the parent of the mesh's node (G4MF):
                   ///< world_from_mesh = W·L·L°⁻¹·G·G°⁻¹·L°; W the frame's world transform, L the mesh node's local one, G the joint's
                   ///< transform in the frame, ° = stored
  };
  std::vector<Index> slots;  ///< one node per slot; `none`: vertices stay with the mesh's node (G4MF's −1)
  Bind bind = Bind::identity;
  std::vector<Affine> joint_from_mesh;  ///< one per slot, for Bind::matrices
  Index frame = none;      ///< stored_pose: the node whose space contains the mesh (none = world); skeleton_pose: the skeleton node
  Index root_hint = none;  ///< glTF's skin.skeleton: never used for geometry
};

/// "matrices", "identity", "stored pose" or "skeleton's stored pose".
[[nodiscard]] std::string_view to_string(Skin::Bind bind) noexcept;

/// Properties of a bone. The head is the origin of the node; the tail is at `length` along the local +Y axis.
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
  /// The transforms of copies in the node's space: the mesh is shown once for each of them instead of once (EXT_mesh_gpu_instancing). They
  /// place what the node places, so vertices that follow a skin do not move with them. Empty: shown once.
  std::vector<Affine> copies;
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
  /// A translation that leaves the basis of the node as it is (KHR_animation_pointer). Any other translation, rotation or scale of a clip
  /// replaces the basis, and what no track gives is then neutral.
  bool keeps_basis = false;
  Array times;  ///< seconds, finite, never decreasing (checked on reading); from an equal time on, its last key counts
  Array values;
  SourceId source = SourceId::nowhere;
};

/// When a node is shown: one row of width 1 per key, 0 for hidden, and no interpolation. Moves no vertex.
struct VisibilityTrack {
  Index node = none;
  Array times;  ///< as in Track
  Array values;
  SourceId source = SourceId::nowhere;
};

struct Clip : Entity {
  std::vector<Track> tracks;
  std::vector<VisibilityTrack> visibility;  ///< at most one per node
  double start = 0;                         ///< the time of the first key of all channels that have a target
  double duration = 0;                      ///< the time of the last one: a clip lasts from 0 to there
  std::size_t channels = 0;                 ///< of the file, with a target; also those that move no vertex
  std::size_t pointer_channels = 0;         ///< those of them whose target is a JSON pointer
};

struct Scene : Entity {
  std::vector<Index> roots;
};

struct Material : Entity {};

/// Strict skeleton of STAIK_skeletons: joints by definition, not by use.
struct Skeleton : Entity {
  Index node = none;                    ///< G4MF: the skeleton node; it is no bone
  Index root = none;                    ///< STAIK_skeletons: the topmost joint
  std::vector<Index> joints;            ///< G4MF: a slot may be `none` (−1); a bone may have several slots
  std::vector<Affine> joint_from_mesh;  ///< the default bind pose; empty = the stored pose
};

/// A place in a file whose content Sinew does not evaluate, or not at all times, although vertices may depend on it: the object of an
/// extension, known or not.
struct NotEvaluated {
  enum class Effect : std::uint8_t {
    pose,  ///< at run time a program sets transforms of nodes or amounts of blend shapes with it; a statement about every pose covers that
    sampled,  ///< it is evaluated, but a statement about clips covers only the times at which it looks
    moves     ///< vertices depend on it, or may
  };
  std::string extension;
  Effect effect = Effect::moves;
  SourceId source = SourceId::nowhere;
  /// A hash of the content and of what it belongs to. References count as what they refer to, so that the order of a file's objects does
  /// not matter. Equal in two files with the same content; in others only by chance.
  std::uint64_t content = 0;
};

/// A box that a file stores for other programs: SINEW_bounds, or a bounding volume of glTF 2.1. Nothing here uses it but a check.
struct StoredBox {
  Index node = none;                    ///< it holds the mesh of this node
  Index joint = none;                   ///< or what follows this joint, in the joint's space; both none: the whole scene
  Index clip = none;                    ///< at all times of this clip; none: at rest and in all clips
  bool at_rest = false;                 ///< only at rest
  std::optional<Affine> node_from_box;  ///< of a volume: it stands in the space of its node. Otherwise in the world
  std::vector<double> min, max;         ///< N numbers each
  SourceId source = SourceId::nowhere;
};

/// A model in memory, independent of the file format. Plain data. After reading, in entities without a defect every index is in range;
/// nodes form trees, and arrays lie inside their bytes. Several threads may use a const model.
struct Model {
  std::size_t dimension = 3;
  std::string format;     ///< "glTF" or "G4MF"
  std::string revision;   ///< "2.0", "2026-01", …
  std::string generator;  ///< as stored in the file
  std::vector<Node> nodes;
  std::vector<Mesh> meshes;
  std::vector<Skin> skins;
  std::vector<Skeleton> skeletons;
  std::vector<Clip> clips;
  std::vector<Material> materials;
  std::vector<Scene> scenes;
  Index default_scene = none;  ///< none: there are no scenes, and all nodes without parent are roots
  std::vector<std::string> extensions_used;
  std::vector<std::string> extensions_required;
  Pose rest_pose;  ///< the stored state: the transform of every node, the amounts of every instance
  std::vector<Error> defects;
  std::vector<NotEvaluated> not_evaluated;
  std::vector<StoredBox> boxes;
  Avatar avatar;
  std::shared_ptr<const Source> source;

  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();

  /// Returns the stored pose, the starting point for other poses.
  [[nodiscard]] const Pose& rest() const { return rest_pose; }

  // Capabilities of the model's format. Operations call these functions and never compare `format`.

  /// Returns whether the stored pose is the bind pose (G4MF). Then a skin has no bind matrices and belongs to a skeleton node, all skins of
  /// one node have the same slots, and a skinned mesh follows its own node. Otherwise (glTF) a skin lists its joints and matrices, and a
  /// skinned mesh follows only the joints.
  [[nodiscard]] bool binds_by_stored_pose() const noexcept;
  /// Returns whether a mesh has one block of vertices for all surfaces, with positions only; all other attributes belong to corners (G4MF).
  /// Otherwise each surface has its own block with all attributes (glTF).
  [[nodiscard]] bool stores_values_by_corner() const noexcept;
  /// Returns whether the local transform of a node can be any linear map (G4MF), or only rotation and scale (glTF).
  [[nodiscard]] bool stores_shear() const noexcept;
  /// Returns whether node 0 is the root of all other nodes (G4MF).
  [[nodiscard]] bool has_root_node() const noexcept;
  /// Returns whether the format requires unique names (G4MF).
  [[nodiscard]] bool requires_unique_names() const noexcept;
  /// Returns whether only the direction of a rotor counts (G4MF), or also its length (glTF).
  [[nodiscard]] bool normalizes_rotors() const noexcept;
};

/// A node with a mesh in a scene, or one of its copies. Lists of instances and all outputs have the same order.
struct Instance {
  Index node = none;
  Index mesh = none;
  Index skin = none;
  bool visible = true;  ///< false if the node or an ancestor is hidden
  Index copy = 0;       ///< the number of the copy (Node::copies)
};

/// Returns the nodes reached from the roots of a scene, ascending. `scene` none: the default scene.
[[nodiscard]] Result<std::vector<Index>> reached_nodes(const Model& model, Index scene = none);
/// Returns the reached nodes with a mesh, by ascending node index, and their copies in order.
[[nodiscard]] Result<std::vector<Instance>> instances(const Model& model, Index scene = none);
/// Returns the transform of an instance in the space of its node: that of its copy, or nullptr for the identity.
[[nodiscard]] const Affine* copy_of(const Model& model, const Instance& instance) noexcept;

/// Sets the rotations of the nodes that follow others (Avatar::constraints) by the rest of the pose. `deform` and `animate` do it; callers
/// of world_transforms do it before. Doing it twice changes nothing. A constraint on a node with shear, or in a cycle, has no effect.
/// The rule: VRMC_node_constraint 1.0, implementation.
[[nodiscard]] Result<> constrain(const Model& model, Pose& pose);

/// Returns the world transforms of all nodes at a pose (`world_from_node`). The parent space of a root is the world.
[[nodiscard]] Result<std::vector<Affine>> world_transforms(const Model& model, const Pose& pose);

/// Returns the first defect in the data that deforming a scene needs: the scene, its instances with their nodes and ancestors, meshes,
/// skins, joints and their ancestors, and `clip`. `scene` none: the default one; `clip` none: no clip. SINEW_NO_MEMORY if memory runs out.
[[nodiscard]] std::optional<Error> closure_defect(const Model& model, Index scene = none, Index clip = none) noexcept;

/// Something that can move vertices, and that a statement about a model does not cover: all places of one extension.
struct NotCovered {
  std::string pointer;  ///< of the first place
  std::string what;     ///< a phrase that names the extension: "the extension EXT_x, which can move vertices, is not evaluated (3 places)"
  NotEvaluated::Effect effect = NotEvaluated::Effect::moves;
  bool differs = false;  ///< of two models: their content is not the same
  bool lost = false;     ///< of two models: the second one lacks content of the first, so it differs

  /// Returns whether it may move vertices in a way that a statement about every pose does not cover.
  [[nodiscard]] bool moves() const { return effect == NotEvaluated::Effect::moves; }
};

/// Returns what can move vertices of a model and is not evaluated (Model::not_evaluated), by extension in the order of the file.
[[nodiscard]] Result<std::vector<NotCovered>> not_covered(const Model& model);
/// Does the same for a comparison of two models, with those that only `b` has at the end.
[[nodiscard]] Result<std::vector<NotCovered>> not_covered(const Model& a, const Model& b);

/// The elements of a surface, with strips, fans and loops expanded: rows of vertex indices into its block. N-D simplexes have
/// max(dimension, 3) corners (2D: triangles), lines 2, points 1. Incomplete elements at the end are dropped (glTF: incomplete primitives).
struct Elements {
  std::size_t corners = 0;
  std::vector<std::uint32_t> indices;  ///< rows of `corners`
};
[[nodiscard]] Result<Elements> elements_of(const Mesh& mesh, const Surface& surface, std::size_t dimension);

/// Returns the attribute with this semantic and set, or nullptr.
[[nodiscard]] const Attribute* find_attribute(const std::vector<Attribute>& attributes, Semantic semantic, Index set = 0) noexcept;

/// Finds one of several named objects by "NAME", "name:NAME" or an index in digits. Failure::usage if none or several match; the message
/// lists the names and the nearest one. `what`: the singular noun for the message ("animation").
struct NamedThing {
  std::string_view name;
  Index index;
};
[[nodiscard]] Result<Index> find_by_name(std::string_view wanted, const std::vector<NamedThing>& things, std::size_t count,
                                         std::string_view what);

/// The parts of a material that a simple picture needs, independent of the format: base colour and transparency.
struct Appearance {
  enum class Alpha : std::uint8_t { opaque, mask, blend };
  enum class Wrap : std::uint8_t { repeat, mirror, clamp };

  struct Texture {
    std::span<const std::byte> image;   ///< a file's bytes, not decoded: PNG, JPEG or WebP
    std::shared_ptr<const void> owner;  ///< keeps `image` alive
    Wrap wrap_s = Wrap::repeat, wrap_t = Wrap::repeat;
    bool nearest = false;  ///< no interpolation between texels
    Index set = 0;         ///< the n of TEXCOORD_n
    /// Transform of texture coordinates (KHR_texture_transform): columns of a 3 × 3 matrix that is applied to (u, v, 1).
    std::array<double, 9> transform{1, 0, 0, 0, 1, 0, 0, 0, 1};
  };

  /// A three-dimensional texture (G4MF), without texture coordinates of several sets.
  struct Volume {
    std::span<const std::byte> image;   ///< as in Texture: tiles in a stack; empty: the placeholder is drawn
    std::shared_ptr<const void> owner;  ///< keeps `image` alive
    std::array<std::size_t, 3> size{};  ///< width and height of a tile, number of tiles
    std::array<Wrap, 3> wrap{};
    bool nearest = false;
    std::array<double, 4> placeholder{1, 1, 1, 1};  ///< linear
  };

  std::array<double, 4> color{1, 1, 1, 1};  ///< factor of the base colour, linear
  Alpha alpha = Alpha::opaque;
  double cutoff = 0.5;        ///< of Alpha::mask
  bool double_sided = false;  ///< draw the back as well
  bool unlit = false;         ///< draw the colour without light (KHR_materials_unlit)
  std::optional<Texture> texture;
  std::optional<Volume> volume;
};

/// Returns the number of vertices of all blocks of a mesh.
[[nodiscard]] std::size_t vertex_count(const Mesh& mesh) noexcept;

/// Returns the largest number of influences of any vertex, as stored.
[[nodiscard]] std::size_t most_influences(const Mesh& mesh) noexcept;

/// Returns the number of corners of a surface (G4MF: vertex instances), which is the number of indices of elements_of.
[[nodiscard]] std::size_t corner_count(const Mesh& mesh, const Surface& surface, std::size_t dimension) noexcept;

/// Returns the stored hierarchy of a surface with a topology. Precondition: reading has checked the topology.
[[nodiscard]] Result<Polytopes> polytopes_of(const Surface& surface);

/// Returns the vertices of each boundary item, the rows of Topology::attributes (G4MF: topology vertex instances). Empty if the topology
/// lacks the boundary's tier. Failure::limit like item_vertices.
[[nodiscard]] Result<IndexRows> topology_corners(const Surface& surface, std::size_t dimension, std::size_t limit);

/// Cuts the boundary items of a surface that has only a topology into simplexes, with triangulate (geometry.hpp) at the stored shape. These
/// simplexes define no corners. Empty if the topology lacks the boundary tier.
[[nodiscard]] Result<Triangulation> simplexes_from_topology(const Mesh& mesh, const Surface& surface, std::size_t dimension,
                                                            std::size_t limit);

/// The changes of a pose file to one node.
struct NodeEdit {
  Index node = none;
  LocalTransform local;  ///< replaces the parts of the pose; an empty part does not change. Rotation and scale, or a basis
  std::string pointer;   ///< the place in the pose file, for messages
};

/// One blend amount of the mesh of a node.
struct AmountEdit {
  Index node = none;
  Index shape = 0;
  double amount = 0;
};

/// Changes to a pose, made once and applied to any number of poses, in order (the last one wins).
struct PoseEdit {
  std::string file;  ///< for messages; empty when there is none
  std::vector<NodeEdit> nodes;
  std::vector<AmountEdit> amounts;
};

/// Applies all edits. If an edit gives only a rotation or only a scale for a node with a basis, the other part of the basis stays. This
/// needs a basis with orthogonal columns (a mirrored one counts as a negative scale of the first axis); otherwise Failure::input asks for
/// `basis`.
[[nodiscard]] Result<> apply(const PoseEdit& edit, const Model& model, Pose& pose);

/// Parses "SHAPE=AMOUNT" or "NODE:SHAPE=AMOUNT" (--blend of the program), by name or index, and appends it to `edit`. Failure::usage if it
/// does not fit the model.
[[nodiscard]] Result<> parse_blend(std::string_view text, const Model& model, PoseEdit& edit);

/// Finds a node, or a shape of one mesh, by name or index, as find_by_name.
[[nodiscard]] Result<Index> find_node(std::string_view wanted, const Model& model);
[[nodiscard]] Result<Index> find_shape(std::string_view wanted, const Mesh& mesh);

/// Puts the joints of every explicit skeleton (STAIK_skeletons) that has matrices into its default bind pose:
/// world_from_joint = world_from_parent_of_root · inverse(joint_from_mesh). Returns how many skeletons were posed.
[[nodiscard]] Result<std::size_t> set_default_pose(const Model& model, Pose& pose);

}  // namespace sinew

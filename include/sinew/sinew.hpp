// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

// Everything that a program needs to load a file, pose it and deform its vertices (docs/cpp.md).

namespace sinew {

namespace deform {
class SceneDeformer;
}

/// Reads a glTF (.gltf, .glb, .vrm) or G4MF (.g4tf, .g4b) file. Broken parts are kept with a defect, and functions that need a broken part
/// fail with that defect. Loading fails only if nothing in the file is usable. io::load (load.hpp) has options and reports findings.
[[nodiscard]] Result<Model> load(const std::string& path);

/// Returns the stored pose with a clip applied at a time in seconds, clamped to the keys. `clip`: a name or an index, as find_by_name.
/// Failure::usage: there is no such clip, or the time is not finite. Failure::input: the clip is broken.
[[nodiscard]] Result<Pose> sample(const Model& model, std::string_view clip, double seconds);
[[nodiscard]] Result<Pose> sample(const Model& model, Index clip, double seconds);

/// The normals that a Deformer computes.
enum class Normals : std::uint8_t {
  off,
  stored,   ///< stored normals of vertices; rows of meshes without them become NaN
  computed  ///< stored normals; else the mean of the deformed triangles around a vertex, weighted by area; NaN if there are none
};

struct DeformerOptions {
  Normals normals = Normals::off;
  bool tangents = false;             ///< stored tangents; rows of meshes without them become NaN
  std::uint32_t max_influences = 0;  ///< use only the strongest influences of each vertex, renormalised (0: all)
  Index scene = none;                ///< none: the default scene
  std::string_view kernel = {};      ///< a kernel's name (deform.hpp); empty: the best for this CPU
  MemoryResource* memory = nullptr;  ///< where the packed meshes are allocated (memory.hpp); null: by operator new
};

/// The rows of a drawn mesh in the results.
struct InstanceRows {
  Index node = none;
  Index mesh = none;
  std::size_t first = 0;
  std::size_t vertices = 0;
  Index copy = 0;  ///< as in Instance
};

/// The triangles of one surface of a drawn mesh.
struct TriangleRange {
  std::size_t first = 0;     ///< of Deformer::triangles; ranges follow each other without gaps
  std::size_t count = 0;     ///< triangles, at least 1
  std::size_t instance = 0;  ///< of Deformer::instances
  std::size_t surface = 0;   ///< of Mesh::surfaces; glTF: the primitive
  Index material = none;     ///< of Model::materials
};

/// The influences of all rows, compressed: row r has the entries [first[r], first[r + 1]). Each entry is a node and its weight. A node
/// occurs once in a row. glTF: weights as stored; G4MF: their sum is 1. Vertices that no joint moves follow the node of their mesh, with
/// the weight 1.
struct RowInfluences {
  std::vector<std::size_t> first{0};  ///< rows + 1 numbers
  std::vector<Index> nodes;
  std::vector<float> weights;
};

/// Deforms all drawn meshes of a scene for any number of poses. Each row of a result is a vertex, instance after instance, in world space
/// and in the units of the file (metres). The deformer owns or shares everything that it needs. One thread at a time may use it; `clone`
/// makes another one.
class Deformer {
 public:
  /// Packs the meshes. Fails, with the place, for everything that cannot be deformed: a broken mesh, skin, node or accessor that the scene
  /// needs, numbers that are not finite. An lvalue is copied, but its arrays are shared; an rvalue is moved.
  [[nodiscard]] static Result<Deformer> create(const Model& model, const DeformerOptions& options = {});
  [[nodiscard]] static Result<Deformer> create(Model&& model, const DeformerOptions& options = {});
  [[nodiscard]] static Result<Deformer> create(std::shared_ptr<const Model> model, const DeformerOptions& options = {});

  Deformer(Deformer&&) noexcept;
  Deformer& operator=(Deformer&&) noexcept;
  ~Deformer();
  /// Makes a deformer for another thread, with the same model and options; it shares the packed meshes.
  [[nodiscard]] Result<Deformer> clone() const;

  [[nodiscard]] const std::shared_ptr<const Model>& model() const noexcept;  ///< never null
  [[nodiscard]] const DeformerOptions& options() const noexcept;             ///< as given, without `kernel`
  [[nodiscard]] std::size_t dimension() const noexcept;
  [[nodiscard]] std::size_t vertices() const noexcept;  ///< rows of the results
  [[nodiscard]] std::span<const InstanceRows> instances() const noexcept;
  /// Returns the triangles of all instances: three rows each. Strips and fans are expanded; points and lines are left out. In other
  /// dimensions: simplexes of max(dimension, 3) vertices.
  [[nodiscard]] Result<std::vector<std::uint32_t>> triangles() const;
  /// Returns which surface and material the triangles have, in their order. Surfaces without triangles have no range.
  [[nodiscard]] Result<std::vector<TriangleRange>> triangle_ranges() const;
  /// Returns the nodes that each row follows. DeformerOptions::max_influences counts.
  [[nodiscard]] Result<RowInfluences> influences() const;
  /// Returns the texture coordinates of each row (TEXCOORD_n with n = `set`): two numbers, NaN where a mesh has none. Blend shapes move
  /// them by the amounts of the pose. Failure::usage: a pose of another model, or G4MF, which stores them by corner (Surface::attributes).
  [[nodiscard]] Result<std::vector<float>> texture_coordinates(const Pose& pose, Index set = 0) const;

  /// Computes vertices() rows of dimension() numbers on up to `threads` threads (0: all cores); the results do not depend on the number of
  /// threads. Failure::usage: a pose of another model, or an `out` of another size. Failure::input: transforms or results that are not
  /// finite.
  [[nodiscard]] Result<std::vector<float>> positions(const Pose& pose, unsigned threads = 0);
  [[nodiscard]] Result<> positions(const Pose& pose, std::span<float> out, unsigned threads = 0);
  /// Does the same for many poses, one after the other in `out`, or for a clip at many times (see sample). Each thread computes whole
  /// poses, so this is the fast way to deform a clip. Fails for the first pose that fails; `out` is then unspecified.
  [[nodiscard]] Result<> positions(std::span<const Pose> poses, std::span<float> out, unsigned threads = 0);
  [[nodiscard]] Result<> positions(Index clip, std::span<const double> seconds, std::span<float> out, unsigned threads = 0);
  /// Fills the given arrays, each with vertices() rows, or empty to skip it; otherwise as `positions`. Failure::usage also for normals or
  /// tangents that the options leave out. On failure the contents of the arrays are unspecified.
  [[nodiscard]] Result<> run(const Pose& pose, const deform::Output& out, unsigned threads = 0);

  /// The same for many poses as arrays: B·vertices() rows, one pose after the other. Each thread computes whole poses. Failure::usage also
  /// for numbers in `poses` that are not finite, and matrices with another last row than 0 … 0 1, with pose and node.
  [[nodiscard]] Result<> positions(const PoseArrays& poses, std::span<float> out, unsigned threads = 0);
  [[nodiscard]] Result<> run(const PoseArrays& poses, const deform::Output& out, unsigned threads = 0);
  /// Computes world_from_mesh of every joint slot, instance after instance: (B, palette_maps(), N+1, N+1), stored like PoseArrays. The last
  /// map of an instance moves vertices without joints.
  [[nodiscard]] Result<> palettes(const PoseArrays& poses, std::span<double> out, unsigned threads = 0);
  [[nodiscard]] std::size_t palette_maps() const noexcept;  ///< joint slots of all instances, and one more for each
  /// Takes the gradient of a number (a loss) with respect to the positions, (B, vertices(), N), back to what the poses give: the
  /// vector-Jacobian product. Sums are in double precision and do not depend on the number of threads.
  [[nodiscard]] Result<> vjp(const PoseArrays& poses, std::span<const float> gradient, const deform::Gradients& out, unsigned threads = 0);

  /// Returns the underlying SceneDeformer, for normals of corners and topologies (deform.hpp).
  [[nodiscard]] deform::SceneDeformer& scene() noexcept;

 private:
  struct State;
  explicit Deformer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sinew

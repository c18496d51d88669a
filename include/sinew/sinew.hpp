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

// All that a program needs for deformed vertices: load a file, take a pose, deform (docs/cpp.md).

namespace sinew {

namespace deform {
class SceneDeformer;
}

/// Reads a glTF (.gltf, .glb, .vrm) or G4MF (.g4tf, .g4b) file. Fails only if nothing of it can be used: parts that are broken are kept
/// with a defect, and what needs them is refused with that defect. io::load (load.hpp) has options and reports findings.
[[nodiscard]] Result<Model> load(const std::string& path);

/// The file's own pose with a clip applied at a time in seconds, clamped to the keys. `clip`: a name or an index, as find_by_name.
/// Failure::usage: no such clip, or a time that is not finite; Failure::input: the clip is broken.
[[nodiscard]] Result<Pose> sample(const Model& model, std::string_view clip, double seconds);
[[nodiscard]] Result<Pose> sample(const Model& model, Index clip, double seconds);

/// Which normals a Deformer computes.
enum class Normals : std::uint8_t {
  off,
  stored,   ///< those that the file stores for vertices; rows of other meshes become NaN
  computed  ///< where the file stores none: the mean of the deformed triangles around a vertex, by area; NaN where there are none
};

struct DeformerOptions {
  Normals normals = Normals::off;
  bool tangents = false;             ///< those that the file stores; rows of other meshes become NaN
  std::uint32_t max_influences = 0;  ///< use only the first influences of each vertex, renormalised (0: all)
  Index scene = none;                ///< none: the default scene
  std::string_view kernel = {};      ///< a kernel's name (deform.hpp); empty: the best for this CPU
};

/// The rows of a drawn mesh in the results.
struct InstanceRows {
  Index node = none;
  Index mesh = none;
  std::size_t first = 0;
  std::size_t vertices = 0;
};

/// Deforms all drawn meshes of a scene for any number of poses. Rows of results are vertices, instance after instance, in world space and
/// in the units of the file (metres). Keeps all that it needs alive. One thread at a time may use it; a copy for another thread shares the
/// packed meshes.
class Deformer {
 public:
  /// Packs the meshes. Refuses, with its place, everything that cannot be deformed: a broken mesh, skin, node or accessor that the scene
  /// needs, numbers that are not finite. An lvalue is copied without the arrays, which are shared; an rvalue is moved.
  [[nodiscard]] static Result<Deformer> create(const Model& model, const DeformerOptions& options = {});
  [[nodiscard]] static Result<Deformer> create(Model&& model, const DeformerOptions& options = {});
  [[nodiscard]] static Result<Deformer> create(std::shared_ptr<const Model> model, const DeformerOptions& options = {});

  Deformer(const Deformer& other);
  Deformer(Deformer&&) noexcept;
  Deformer& operator=(Deformer other) noexcept;
  ~Deformer();

  [[nodiscard]] const std::shared_ptr<const Model>& model() const;  ///< never null
  [[nodiscard]] const DeformerOptions& options() const;             ///< as given, without `kernel`
  [[nodiscard]] std::size_t dimension() const;
  [[nodiscard]] std::size_t vertices() const;  ///< rows of the results
  [[nodiscard]] std::vector<InstanceRows> instances() const;
  /// The triangles of all instances: three rows each. Strips and fans are expanded; points and lines are left out. In other dimensions
  /// than three: simplexes of max(dimension, 3) vertices each.
  [[nodiscard]] std::vector<std::uint32_t> triangles() const;

  /// vertices() rows of dimension() numbers, on up to `threads` threads (0: all cores; the results do not depend on it). Failure::usage: a
  /// pose of another model, or an `out` of another size; Failure::input: the pose has maps, or gives results, that are not finite.
  [[nodiscard]] Result<std::vector<float>> positions(const Pose& pose, unsigned threads = 0);
  [[nodiscard]] Result<> positions(const Pose& pose, std::span<float> out, unsigned threads = 0);
  /// The same for many poses, one after the other in `out`, or for a clip at many times (sample): each thread takes poses of its own.
  /// This is the fast way through a clip. On failure, which is that of the first pose that has one, `out` holds anything.
  [[nodiscard]] Result<> positions(std::span<const Pose> poses, std::span<float> out, unsigned threads = 0);
  [[nodiscard]] Result<> positions(Index clip, std::span<const double> seconds, std::span<float> out, unsigned threads = 0);
  /// Fills the given arrays, each with vertices() rows, or empty if not wanted; as positions otherwise. Failure::usage also for normals or
  /// tangents that the options leave out. On failure the arrays hold anything.
  [[nodiscard]] Result<> run(const Pose& pose, const deform::Output& out, unsigned threads = 0);

  /// What works below, for normals of corners and topologies (deform.hpp).
  [[nodiscard]] deform::SceneDeformer& scene();

 private:
  struct State;
  explicit Deformer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sinew

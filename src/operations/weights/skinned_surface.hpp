// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "operations/weights/surface_transfer.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations::weights {

/// The vertices of one instance at rest, in the world, and its triangles.
struct SceneMesh {
  std::vector<Vec> vertices;
  std::vector<Triangle> triangles;
};

/// All instances of the default scene at rest. Keeps a reference to the model.
class DeformedScene {
 public:
  static Result<DeformedScene> create(const Model& model, unsigned threads);
  [[nodiscard]] const std::vector<Instance>& list() const { return list_; }
  [[nodiscard]] SceneMesh mesh(std::size_t instance) const;

 private:
  explicit DeformedScene(const Model& model) : model_(model) {}
  const Model& model_;
  std::vector<Instance> list_;
  std::vector<std::size_t> first_;
  std::vector<float> positions_;
};

/// Appends the mesh of a skinned instance, and joints that are not listed yet to `slots`. Returns false if it has no weights.
[[nodiscard]] bool append_surface(const Model& model, const Instance& instance, const SceneMesh& mesh, std::vector<Index>& slots,
                                  WeightedSurface& surface);

/// Appends a mesh that moves with one node as a whole.
void append_rigid(const SceneMesh& mesh, Index joint, std::vector<Index>& slots, WeightedSurface& surface);

/// Returns, for each joint, its place at rest and those of the next joints below it (WeightedSurface::bones).
[[nodiscard]] std::vector<std::vector<Vec>> bones_of(const Model& model, const std::vector<Index>& slots);

/// Returns the mesh of a node, after making a copy if other nodes draw it, too.
[[nodiscard]] Index own_mesh(Model& model, Index node);

/// Gives a new skin to a node.
void add_skin(Model& model, Index node, const std::vector<Index>& slots, std::vector<Affine> joint_from_mesh);

}  // namespace sinew::operations::weights

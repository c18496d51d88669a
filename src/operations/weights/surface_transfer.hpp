// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "operations/weights/weight_field.hpp"
#include "operations/weights/welded_mesh.hpp"

namespace sinew::operations::weights {

/// A skinned surface at rest.
struct WeightedSurface {
  std::vector<Vec> vertices;
  std::vector<Triangle> triangles;
  std::vector<std::size_t> first;       ///< vertices + 1 entries: the influences of each vertex
  std::vector<std::uint32_t> joint;     ///< by influence
  std::vector<double> weight;           ///< by influence; those of a vertex have the sum 1, or there are none
  std::vector<std::vector<Vec>> bones;  ///< by joint: its place, then the places of the joints below it
};

/// Returns the number of the joint with the largest weight of each vertex; vertices without weights have none.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> strongest_joints(const WeightedSurface& surface);

struct TransferSettings {
  double reach = 0;  ///< the largest distance of a match
  double angle = 0;  ///< the largest angle between normals, in degrees
  std::size_t max_influences = 4;
  unsigned threads = 0;
  std::span<const std::vector<std::uint32_t>> allowed{};  ///< by point: the only joints it may get, ascending; none: any
};

/// The weights of clothes.
struct TransferredField {
  std::vector<std::vector<std::pair<std::uint32_t, double>>> rows;  ///< by point: joints, ascending, and weights with the sum 1
  std::vector<PointClass> classes;                                  ///< by point
  std::vector<double> distances;                                    ///< of matched points from the body, ascending
  std::size_t pieces_without_match = 0;
  std::size_t dropped = 0;  ///< influences that were cut
  double largest_dropped = 0;
};

/// A body, prepared for any number of clothes.
class SurfaceTransfer {
 public:
  explicit SurfaceTransfer(const WeightedSurface& body);
  ~SurfaceTransfer();
  SurfaceTransfer(SurfaceTransfer&&) noexcept;
  SurfaceTransfer& operator=(SurfaceTransfer&&) = delete;
  SurfaceTransfer(const SurfaceTransfer&) = delete;
  SurfaceTransfer& operator=(const SurfaceTransfer&) = delete;

  /// Computes the weights of clothes. Precondition: the body has a triangle.
  [[nodiscard]] TransferredField run(const WeldedMesh& clothes, const TransferSettings& settings) const;
  /// Returns how many points of clothes lie on the body with a similar normal; the others get a continuation of their weights.
  [[nodiscard]] std::size_t matches(const WeldedMesh& clothes, const TransferSettings& settings) const;

 private:
  struct Prepared;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace sinew::operations::weights

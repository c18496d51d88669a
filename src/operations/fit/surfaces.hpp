// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "operations/weights/skinned_surface.hpp"
#include "operations/weights/surface_transfer.hpp"
#include "operations/weights/triangle_tree.hpp"
#include "operations/weights/vec.hpp"
#include "operations/weights/welded_mesh.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations::weights {

/// A surface that joints move, at rest in the world.
struct RiggedSurface {
  /// The vertices of one skinned node among those of all of them.
  struct Part {
    Index mesh = none;
    std::size_t first = 0, last = 0;
    bool hair = false;  ///< its name, or that of its node, has the word hair or wig
    bool eyes = false;  ///< the word eye or eyes
  };

  WeightedSurface surface;
  std::vector<Index> joints;  ///< by joint number: the node
  std::vector<Part> parts;

  /// Clothes: all skinned nodes of the default scene; of nodes that share a mesh only the first.
  static Result<RiggedSurface> create(const Model& model, unsigned threads);
  /// A body or a figure: the same; where there is no skin, the parts that move with its bones as they are.
  static Result<RiggedSurface> of_figure(const Model& model, unsigned threads);
};

/// The outermost layer of a body: without the chains that swing (hair, skirts), and without skin below clothes. Hair is a limb of
/// its own.
class OuterSurface {
 public:
  OuterSurface(const Model& body, const RiggedSurface& rigged);
  OuterSurface(const OuterSurface&) = delete;  // the tree refers to the points
  OuterSurface& operator=(const OuterSurface&) = delete;
  OuterSurface(OuterSurface&&) = delete;
  OuterSurface& operator=(OuterSurface&&) = delete;
  ~OuterSurface() = default;

  /// Where a point lies.
  struct Place {
    Nearest nearest;
    Triangle corners{};
    Vec normal{};       ///< of the surface at the nearest point, of length 1
    double height = 0;  ///< above the surface; negative inside
  };

  [[nodiscard]] bool empty() const { return triangles_.empty(); }
  [[nodiscard]] double diagonal() const { return mesh_.diagonal; }
  [[nodiscard]] const std::vector<Vec>& points() const { return mesh_.points; }
  [[nodiscard]] const Vec& normal(std::size_t point) const { return mesh_.normals[point]; }
  /// Whether a triangle of the outermost layer has this corner.
  [[nodiscard]] bool shows(std::size_t point) const { return shown_[point]; }
  /// Triangles of the outermost layer.
  [[nodiscard]] const std::vector<Triangle>& triangles() const { return triangles_; }
  /// The number of the joint with the largest weight.
  [[nodiscard]] std::optional<std::uint32_t> joint(std::size_t point) const { return joints_[point]; }
  [[nodiscard]] const Neighbours& neighbours() const { return neighbours_; }
  /// The number of points at vertices of the body. They come first; those after them lie in the middle between two earlier points each.
  [[nodiscard]] std::size_t corners() const { return vertex_.size(); }
  [[nodiscard]] const std::vector<std::pair<std::uint32_t, std::uint32_t>>& halves() const { return halves_; }
  /// A vertex of the body at one of the first points.
  [[nodiscard]] std::uint32_t vertex(std::size_t point) const { return vertex_[point]; }
  /// The limb of hair, beside the numbers of the joints.
  [[nodiscard]] static std::uint32_t hair(const RiggedSurface& rigged) { return static_cast<std::uint32_t>(rigged.joints.size()); }
  /// `allowed`: the joints of the limbs that count, ascending; empty: all.
  [[nodiscard]] Place place(const Vec& point, std::span<const std::uint32_t> allowed) const;
  /// Whether the way from a point comes out of the outermost layer: the point is the inner side of something, such as a cheek.
  [[nodiscard]] bool comes_out(std::size_t point, const Vec& way) const { return tree_->leaves(static_cast<std::uint32_t>(point), way); }
  /// Whether a point lies on one of these limbs.
  [[nodiscard]] bool lies_on(std::size_t point, std::span<const std::uint32_t> allowed) const {
    return allowed.empty() || !limbs_[point] || std::ranges::binary_search(allowed, *limbs_[point]);
  }

 private:
  WeldedMesh mesh_;
  Neighbours neighbours_;
  std::vector<Triangle> triangles_;  ///< of the outermost layer
  std::vector<bool> shown_;
  std::vector<std::uint32_t> vertex_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> halves_;
  std::vector<std::optional<std::uint32_t>> joints_, limbs_;  ///< by point; a limb is a joint, or hair
  std::optional<TriangleTree> tree_;
};

}  // namespace sinew::operations::weights

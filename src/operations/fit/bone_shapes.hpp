// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "operations/fit/surface_map.hpp"
#include "operations/fit/surfaces.hpp"

#include "sinew/model.hpp"

namespace sinew::operations::weights {

/// A figure at rest, in the rest pose of the body, and what its bones are in the body.
struct Figure {
  const Model& model;
  const RiggedSurface& rigged;
  const OuterSurface& outer;
  std::vector<Index> twin;  ///< by node: the node of the body, or none
};

/// Returns the body as a figure: its bones are its own.
[[nodiscard]] Figure figure_of_body(const Model& body, const RiggedSurface& rigged, const OuterSurface& outer);

/// What one bone of the body says about the two figures.
struct BoneShape {
  Patch wearer, body;
  std::vector<Vec> bone;  ///< its place, and those of the next bones
  /// Of the trunk: from the bone to the middle of the surface around it, across the bone. (Some spines are in the back, others in the
  /// middle of the body.)
  Vec wearer_middle{}, body_middle{};
  std::optional<SurfaceMap> map;      ///< of the last bone of a chain, if it was asked for
  const SurfaceMap* chest = nullptr;  ///< of the chest, shoulders and neck together, if this is one of them and was asked for

  /// Returns the place inside of the bone that is nearest to a point.
  [[nodiscard]] Vec axis_at(const Vec& point) const;
};

/// The surfaces of two figures around the bones that both have.
class BoneShapes {
 public:
  /// Keeps references to the figures.
  BoneShapes(const Figure& body, const Figure& wearer);

  /// Returns the bone of the body that stands for a node of a figure or of clothes: with a surface on both figures, or none.
  [[nodiscard]] Index bone_of(const Model& model, std::span<const Index> twin, Index node) const;
  /// Whether a bone of both figures has too little surface on one of them: that counts to the next one above.
  [[nodiscard]] bool merged_up(Index bone) const { return matched_[bone] && !chosen_[bone]; }
  /// Returns what a bone says, with its map if it is the last one of a chain or one of the chest; null without triangles on both figures.
  const BoneShape* prepare(Index bone);
  /// The same of a bone that was prepared. Several threads may ask.
  [[nodiscard]] const BoneShape* find(Index bone) const;

 private:
  [[nodiscard]] std::vector<Index> bones_of_points(const Figure& figure) const;
  [[nodiscard]] std::vector<std::size_t> points_at_bones(const Figure& figure) const;
  void choose_bones();
  void fill(const Figure& figure, Patch BoneShape::* patch);
  [[nodiscard]] Patch united(const Figure& figure, Patch BoneShape::* patch, std::span<const Index> beside) const;

  const Figure& body_;
  const Figure& wearer_;
  std::vector<bool> chosen_, matched_;  ///< by node of the body
  std::map<Index, BoneShape> shapes_;   ///< by node of the body
  /// The surfaces around the bones of the chest. By bone, the one around a neck would lie apart from those around the shoulders.
  struct Chest {
    Patch wearer, body;
    std::optional<SurfaceMap> map;
  };
  Index head_ = none;
  std::vector<Index> chest_bones_;
  /// Where the chest of the body begins higher than the wearer's, the lower part of that lies on the body's waist.
  std::vector<Index> waist_bones_;
  std::unique_ptr<Chest> chest_;  ///< the map refers to the patches
};

}  // namespace sinew::operations::weights

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "operations/fit/girth.hpp"
#include "operations/fit/surface_fit.hpp"
#include "operations/merge/merge_match.hpp"

#include "sinew/merge.hpp"

namespace sinew::operations {

/// What brings clothes to a body.
struct FitMeasures {
  double scale = 1;
  double degrees = 0;           ///< of the turn of the whole
  std::size_t bones = 0;        ///< that point elsewhere after that, by more than a degree
  double most_degrees = 0;      ///< the largest of these angles
  double cloth_degrees = 0;     ///< the largest of those of bones that move a vertex
  std::size_t rigid = 0;        ///< parts without a skin that got the size of the body's part at their bone
  double rigid_scale = 1;       ///< of the last of them
  weights::SurfaceFit surface;  ///< after all that
  double folded = 0;            ///< the share of the edges at one place that were folded, where that is worst
  bool crumpled = false;        ///< that share is larger than where clothes look right
  std::string folded_at;        ///< the bone of the clothes there
  double uneven = 1;            ///< by how much more a tenth of the edges of skinned clothes were stretched or shrunk than the middle one
  std::optional<weights::Vec> hung;  ///< the factors along the axes of a part that hangs from the shoulders: a cape
  std::string hanging;               ///< another part without a skin that is much larger than what follows its bone; empty: none
  bool on_head = false;              ///< nearly all of these clothes follow the head: hair, a beard

  /// "scale by 1.07, turn by 180 degrees, pose 12 bones by up to 43 degrees"; empty: nothing to do.
  [[nodiscard]] std::string text() const;
  /// Returns what these parts do of it.
  [[nodiscard]] FitMeasures only(const ClothesFit& parts) const;
};

/// Returns what ClothesFit would do. Fails as fit_clothes.
[[nodiscard]] Result<FitMeasures> measure_fit(const Model& body, const Model& clothes, const Match& match);

/// The figure that clothes were made for.
struct KnownWearer {
  const Model& model;
  const Match& match;    ///< with the body
  bool shapes = false;   ///< its model has no clothes, so that its surface shows where they lie
  bool dressed = false;  ///< its file has the clothes, too
};

/// Returns the clothes in the rest pose of the body: scaled and turned as a whole, their matched bones at the places of the body's and in
/// the directions of the body's limbs, and every vertex where its own weights take it. That is their new rest and bind pose; blend shapes
/// turn with their vertices. ClothesFit::surface follows unless other parts were asked for and had nothing to do: such clothes were made
/// for this body. Failure::unsupported: fewer than two matched bones, a bone that is mirrored, a mesh with several skins, G4MF.
/// `wearer`: null if it is not known. A part without a skin on a matched bone keeps its place in the box of what
/// follows this bone of it, and gets the size of the body's instead of ClothesFit::scale: a hat that of the head. With
/// KnownWearer::shapes skinned clothes follow the shapes (weights::fit_surface).
[[nodiscard]] Result<Model> fit_clothes(const Model& body, const Model& clothes, const Match& match, const ClothesFit& parts,
                                        const KnownWearer* wearer, unsigned threads, FitMeasures& done);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "operations/fit/surface_fit.hpp"
#include "operations/fit/surface_map.hpp"

namespace sinew::operations::weights {

/// Carries parts without a skin (a hat) from the figure that wears them to a body.
class PartCarrier {
 public:
  /// Keeps references to the body and the wearer.
  static Result<PartCarrier> create(const Model& body, const RiggedSurface& rigged, const Wearer& wearer, unsigned threads);
  ~PartCarrier();
  PartCarrier(PartCarrier&&) noexcept;
  PartCarrier& operator=(PartCarrier&&) = delete;
  PartCarrier(const PartCarrier&) = delete;
  PartCarrier& operator=(const PartCarrier&) = delete;

  /// Returns where a part with these points at the wearer's bone goes: as the surface beside it (SurfaceMap::rigid). `bone`: of the body.
  /// `beside`: the part is about as large as the surface at its bone, such as a hat. A larger one is carried by a chest (a cape hangs from
  /// it), not by a hand (it holds a staff). Returns nothing unless the bone is one of the chest or the last one of a chain, with a surface
  /// on both figures.
  [[nodiscard]] std::optional<Stretch> carry(Index bone, bool beside, std::span<const Vec> points);

 private:
  struct Data;
  explicit PartCarrier(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

}  // namespace sinew::operations::weights

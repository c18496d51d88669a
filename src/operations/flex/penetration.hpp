// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "operations/flex/checks.hpp"
#include "operations/flex/solid.hpp"

namespace sinew::operations::bend {

/// The vertices of covers that are close to a body at rest, and outside of it. Two and three dimensions.
class Covers {
 public:
  explicit Covers(const Figure& figure);

  /// The memory of one thread.
  struct Trees {
    std::vector<Solid::Fit> fits;  ///< by solid
  };

  /// Returns the vertices that a joint moves against the body next to them; `s`: the share that follows it. A body that turns as a whole,
  /// or not at all, is a pose.
  [[nodiscard]] std::vector<std::size_t> asked(Number joint, std::span<const double> s, std::span<const char> plays,
                                               std::span<const char> in_zone) const;
  /// Returns the vertices with other weights than the body next to them, for clips.
  [[nodiscard]] std::vector<std::size_t> asked() const;
  /// Returns the vertices next to which a blend shape moves the body; `moved`: by twin.
  [[nodiscard]] std::vector<std::size_t> touched(std::span<const char> moved) const;
  /// Adds the vertices that are inside their body in a pose.
  void measure(std::span<const std::size_t> asked, std::span<const double> at, Trees& trees, Found& found) const;
  [[nodiscard]] bool empty() const { return tested_.empty(); }

 private:
  struct Tested {
    Number twin;
    Number solid;
    Number triangle;  ///< the nearest one of the solid
  };
  [[nodiscard]] bool is_rigid(Number twin) const;
  [[nodiscard]] bool related(Number a, Number b) const;
  void add(Number solid, const std::vector<Number>& twins);

  const Figure& figure_;
  std::vector<Solid> solids_;
  std::vector<Tested> tested_;
  std::vector<Solid::Fit> rest_;  ///< by solid
};

}  // namespace sinew::operations::bend

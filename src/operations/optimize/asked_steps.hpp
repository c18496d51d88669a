// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <filesystem>

#include "sinew/optimize.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Which steps the options of a call ask for.
class AskedSteps {
 public:
  /// The options must outlive it.
  explicit AskedSteps(const OptimizeOptions& options) : options_(options) {}

  /// Fails for options that need a step that does not run, for steps without their options, and for what the format lacks.
  [[nodiscard]] Result<> check(const std::filesystem::path& file, bool g4mf) const;
  [[nodiscard]] bool runs(OptimizeStep step) const;
  [[nodiscard]] bool compresses() const { return options_.compression != OptimizeCompression::none; }

 private:
  [[nodiscard]] bool asks_for(OptimizeStep step) const { return std::ranges::find(options_.steps, step) != options_.steps.end(); }
  [[nodiscard]] bool changes_textures() const { return options_.textures != OptimizeTextures::keep || options_.max_texture != 0; }
  [[nodiscard]] bool joins_nodes() const { return options_.instances == OptimizeInstances::nodes; }
  [[nodiscard]] bool reduces_triangles() const { return options_.triangles < 1; }
  [[nodiscard]] bool adds_levels() const { return !options_.lods.empty(); }

  const OptimizeOptions& options_;
};

}  // namespace sinew::operations

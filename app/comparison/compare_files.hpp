// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "command.hpp"
#include "comparison/compare_report.hpp"

#include "sinew/compare.hpp"

namespace app {

struct Compared {
  sinew::operations::CompareOptions how;
  sinew::operations::Comparison comparison;
};

/// Compares two models as the options say, with progress. Ignores the paths in the options.
[[nodiscard]] sinew::Result<Compared> compare_models(const sinew::Model& a, const sinew::Model& b, const CompareOptions& options,
                                                     const Common& common);

struct ComparedFiles : Compared {
  Loaded a, b;
};

/// Loads both files and compares their models.
[[nodiscard]] sinew::Result<ComparedFiles> compare_files(const CompareOptions& options, const Common& common);

/// Returns the largest distance of each vertex, by node of A, divided by the largest of all; 0 for vertices without a counterpart. Empty if
/// the models cannot be compared. Needs CompareOptions::keep_distances.
[[nodiscard]] std::optional<std::vector<std::vector<float>>> heat_of(const sinew::Model& a,
                                                                     const sinew::operations::Comparison& comparison);

}  // namespace app

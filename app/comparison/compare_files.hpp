// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "command.hpp"
#include "comparison/compare_report.hpp"

#include "sinew/compare.hpp"

namespace app {

/// Two files, and what was found.
struct ComparedFiles {
  Loaded a, b;
  sinew::operations::CompareOptions how;
  sinew::operations::Comparison comparison;
};

/// Loads both files and compares them as the options say, with progress.
[[nodiscard]] sinew::Result<ComparedFiles> compare_files(const CompareOptions& options, const Common& common);

/// The largest distance of each vertex, by node of A, as a part of the largest of all: 0 for vertices without a counterpart. Nothing where
/// the files cannot be compared. Needs CompareOptions::keep_distances.
[[nodiscard]] std::optional<std::vector<std::vector<float>>> heat_of(const ComparedFiles& files);

}  // namespace app

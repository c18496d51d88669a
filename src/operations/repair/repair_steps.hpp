// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/edit_reporter.hpp"
#include "operations/repair/repair.hpp"

namespace sinew::operations {

/// Returns "3 vertices" or "1 vertex".
[[nodiscard]] std::string count_of(std::size_t count, std::string_view one, std::string_view many);

/// Stores values in the type of `like` if that is float32, float64 or a normalised integer (rounded), otherwise in float32.
[[nodiscard]] Array stored_like(const std::vector<double>& values, const Array& like);

void repair_influences(Model& model, Index mesh, const RepairOptions& options, const EditReporter& changes);
void repair_vectors(Model& model, Index mesh, const EditReporter& changes);
void repair_offsets(Mesh& mesh, const EditReporter& changes);
void repair_clips(Model& model, const EditReporter& changes);
/// `depth`: depths(model).
void repair_root_hint(Model& model, Index skin, std::span<const std::uint32_t> depth, const EditReporter& changes);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operations/repair/repair.hpp"

namespace sinew::operations {

/// Says what changed, at an entity of the model's file.
class Changes {
 public:
  Changes(const Model& model, FindingSink& sink) : model_(model), sink_(sink) {}
  void add(SourceId at, std::string what);

 private:
  const Model& model_;
  FindingSink& sink_;
};

/// "3 vertices", "1 vertex".
[[nodiscard]] std::string count_of(std::size_t count, std::string_view one, std::string_view many);

/// These values in the type of `like` where that is float32, float64 or a normalised integer (rounded), in float32 otherwise.
[[nodiscard]] Array stored_like(const std::vector<double>& values, const Array& like);

void repair_influences(Model& model, Index mesh, const RepairOptions& options, Changes& changes);
void repair_vectors(Model& model, Index mesh, Changes& changes);
void repair_offsets(Mesh& mesh, Changes& changes);
void repair_clips(Model& model, Changes& changes);
void repair_root_hint(Model& model, Index skin, Changes& changes);

}  // namespace sinew::operations

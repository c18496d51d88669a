// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Joins all skinned instances of the default scene that one skeleton moves into one mesh. The first instance gets the vertices and
/// surfaces of the others, whose nodes lose their meshes. No vertex moves, at rest or in a pose: joint slots are united; if bind poses
/// differ by one map, the vertices are transformed by it; blend shapes of the same name become one, and missing data of a piece stay empty.
/// `skeleton`: by name or index; empty: the only one. `notes` gets the nodes that lost their meshes.
/// Failure::usage: several skeletons and none selected. Failure::input: bind poses that differ from joint to joint, blend shapes of the
/// same name with different amounts, animated amounts of instances other than the first, surfaces of points in G4MF.
[[nodiscard]] Result<Model> join_meshes(const Model& model, const std::string& skeleton, FindingSink& notes);

}  // namespace sinew::operations

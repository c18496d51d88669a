// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// One mesh of all skinned instances of the default scene that one skeleton moves: that of the first instance grows by the vertices and
/// surfaces of the others, whose nodes stay without a mesh. No vertex moves, at rest or in a pose: joint slots are united, bind poses that
/// differ by one map are made up for in the vertices, blend shapes of one name become one and what a piece lacks of the others' stays
/// empty. `skeleton`: by name or index; empty: the only one.
/// Failure::usage: several skeletons and none named. Failure::input: bind poses that differ from joint to joint, blend shapes of one name
/// with different amounts, animated amounts of other instances than the first, surfaces of points in G4MF. `notes` hears which nodes lost
/// their meshes.
[[nodiscard]] Result<Model> join_meshes(const Model& model, const std::string& skeleton, FindingSink& notes);

}  // namespace sinew::operations

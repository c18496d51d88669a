// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "g4mf/schema/data/reader.hpp"

#include "sinew/model.hpp"

namespace sinew::g4mf {

/// Returns a local transform as G4MF stores it: without neutral parts. A basis replaces rotors that are no unit rotations, scales that are
/// not positive, and all rotations from seven dimensions on, where rotors are long.
[[nodiscard]] LocalTransform stored_form(std::size_t dimension, const LocalTransform& local);

/// Returns the local transforms that a file stores. They differ from Model::rest if the file has a pose (extension SINEW_animation).
[[nodiscard]] std::vector<LocalTransform> stored_locals(Reader& reader, const Model& model);

/// Returns the local transforms to store for `after`: those of Model::rest, but the bind pose for joints of skeletons that have one
/// (Skeleton::joint_from_mesh). Unchanged transforms stay as stored. Nothing if a bind matrix has no inverse.
[[nodiscard]] std::optional<std::vector<LocalTransform>> locals_to_store(const Model& before, const std::vector<LocalTransform>& stored,
                                                                         const Model& after);

}  // namespace sinew::g4mf

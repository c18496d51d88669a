// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "g4mf/schema/data/reader.hpp"

#include "sinew/model.hpp"

namespace sinew::g4mf {

/// A local transform as G4MF has it: what is neutral left out; a basis in place of a rotor that is no unit rotation, of a scale that
/// is not positive, and from seven dimensions on, where rotors are long, of every rotation.
[[nodiscard]] LocalTransform stored_form(std::size_t dimension, const LocalTransform& local);

/// The local transforms that a file stores for its nodes, which are not those of Model::rest where it has a pose of its own (the extension
/// SINEW_animation).
[[nodiscard]] std::vector<LocalTransform> stored_locals(Reader& reader, const Model& model);

/// The local transforms to store for `after`: those of Model::rest, but for joints of skeletons with a bind pose
/// (Skeleton::joint_from_mesh), which stand in that. Where nothing changed what was stored stays. Nothing where a bind matrix has no
/// inverse.
[[nodiscard]] std::optional<std::vector<LocalTransform>> locals_to_store(const Model& before, const std::vector<LocalTransform>& stored,
                                                                         const Model& after);

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"

namespace sinew::g4mf {

/// A local transform as G4MF has it: what is neutral left out; a basis in place of a rotor that is no unit rotation, of a scale that
/// is not positive, and from seven dimensions on, where rotors are long, of every rotation.
[[nodiscard]] LocalTransform stored_form(std::size_t dimension, const LocalTransform& local);

}  // namespace sinew::g4mf

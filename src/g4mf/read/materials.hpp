// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/read/reader.hpp"

namespace sinew::g4mf {

/// Reads the names of the materials into the model; what they are is carried.
void read_materials(Reader& reader);

}  // namespace sinew::g4mf

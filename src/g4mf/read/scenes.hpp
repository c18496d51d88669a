// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/read/reader.hpp"

namespace sinew::g4mf {

/// The scene: what descends from node 0. A file without nodes is a library and has none.
void read_scene(Reader& reader);

}  // namespace sinew::g4mf

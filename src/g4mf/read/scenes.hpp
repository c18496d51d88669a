// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/read/reading.hpp"

namespace sinew::g4mf {

/// The scene: what descends from node 0. A file without nodes is a library and has none.
void read_scene(Reading& reading);

}  // namespace sinew::g4mf

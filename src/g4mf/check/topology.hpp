// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/read/reader.hpp"

namespace sinew::g4mf {

/// Whether the items of a surface's topology are closed and flat, and begin as their orientation needs it (2026-01 and later). `geometry`
/// is the list of tiers. The surface has no defect.
void check_topology(Reader& reader, JsonValue geometry, const Mesh& mesh, const Surface& surface);

}  // namespace sinew::g4mf

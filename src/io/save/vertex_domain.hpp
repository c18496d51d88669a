// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::io {

/// Converts a static model for formats without corners. Surfaces with values per corner get their own blocks, with one vertex for each
/// combination of vertex and values, in the order of first use; other surfaces keep their block. Texture coordinates with other than two
/// columns, explicit edges beside simplexes, and topologies are omitted, each with a line in `notes`.
[[nodiscard]] Model by_vertex(const Model& model, std::vector<std::string>& notes);

/// Adds only these notes.
void note_what_only_g4mf_holds(const Model& model, std::vector<std::string>& notes);

}  // namespace sinew::io

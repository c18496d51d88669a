// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::io {

/// A static model as formats without corners see it: surfaces with values per corner get blocks of their own, one vertex for each
/// combination of vertex and values, in the order of first use; the others keep theirs. Texture coordinates of other than two columns,
/// explicit edges beside simplexes and topologies are left out, with a line in `notes` each.
[[nodiscard]] Model by_vertex(const Model& model, std::vector<std::string>& notes);

/// Those notes alone.
void note_what_only_g4mf_holds(const Model& model, std::vector<std::string>& notes);

}  // namespace sinew::io

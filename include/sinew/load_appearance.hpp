// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "sinew/appearance.hpp"
#include "sinew/result.hpp"

namespace sinew::io {

/// The appearance of a material of `model`, read from the model's source. An image that is missing, broken or outside the model's folder
/// leaves the texture out, with one line in `note`. A model without a source: all defaults.
[[nodiscard]] Appearance load_appearance(const Model& model, Index material, std::optional<Error>& note);

/// Gives surfaces what their materials say of their parts (G4MF): colours by vertex, simplex or edge, and texture coordinates of the base
/// colour's own, as attributes of their corners. Pictures need it; the model is then no longer the file's. Values that are broken are left
/// out. Failure::limit at the end of memory.
[[nodiscard]] Result<> load_material_values(Model& model);

/// Whether the front of the model looks along −Z, as VRM 0.x has it; else it looks along +Z, as glTF and VRM 1.0 have it. A model without a
/// source looks along +Z.
[[nodiscard]] bool faces_back(const Model& model);

}  // namespace sinew::io

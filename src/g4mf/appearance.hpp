// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "g4mf/source.hpp"

#include "sinew/appearance.hpp"

namespace sinew::g4mf {

/// io::appearance of a material of G4MF: factor and texture, of two or three dimensions, of its base colour; both sides are seen.
[[nodiscard]] Appearance read_appearance(const Source& source, SourceId material, std::optional<Error>& note);

}  // namespace sinew::g4mf

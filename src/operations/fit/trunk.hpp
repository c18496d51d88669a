// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "operations/weights/vec.hpp"

namespace sinew::operations::weights {

/// Rigs set hips and spine wherever it suits them, but legs and neck begin where those of a person do. Returns where cloth around each bone
/// goes: for the bones of the trunk the place on the body's spine that is as far on the way from the legs to the neck as in the clothes,
/// for others the place of the body's bone. `bones`: names of VRM 1.0; `clothes`, `body`: the places of these bones at rest.
[[nodiscard]] std::vector<Vec> cloth_places(std::span<const std::string> bones, std::span<const Vec> clothes, std::span<const Vec> body);

}  // namespace sinew::operations::weights

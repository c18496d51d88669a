// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operations/fit/surface_map.hpp"
#include "operations/weights/vec.hpp"

namespace sinew::operations::weights {

/// Whether a bone is the hips or one of the spine, by its name of VRM 1.0.
[[nodiscard]] bool is_of_trunk(std::string_view bone);

/// Rigs set hips and spine wherever it suits them, but legs and neck begin where those of a person do. Returns where cloth around each bone
/// goes: for the bones of the trunk the place on the body's spine that is as far on the way from the legs to the neck as in the clothes,
/// for others the place of the body's bone. `bones`: names of VRM 1.0; `clothes`, `body`: the places of these bones at rest.
[[nodiscard]] std::vector<Vec> cloth_places(std::span<const std::string> bones, std::span<const Vec> clothes, std::span<const Vec> body);

/// Where something that hangs from the shoulders of a figure (a cape) hangs on a body.
struct FromShoulders {
  Stretch stretch;
  double height = 0;  ///< of the figure, from ankles to neck
};

/// As far between neck and ankles, and as wide as the shoulders are. Both face along the same axis. Nothing unless both have upper arms, a
/// neck or a head, and feet or at least legs.
[[nodiscard]] std::optional<FromShoulders> from_shoulders(std::span<const std::string> bones, std::span<const Vec> figure,
                                                          std::span<const Vec> body);

}  // namespace sinew::operations::weights

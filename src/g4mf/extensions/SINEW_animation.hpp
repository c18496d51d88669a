// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/schema/tables.hpp"

namespace sinew::g4mf::animation {

// Clips of a G4MF file, and its pose if that is not the bind pose (docs/SINEW_animation.md).

inline constexpr std::string_view extension = "SINEW_animation";

/// The extension's words, in the order of TrackPath and Interpolation.
inline constexpr std::string_view paths[] = {"position", "rotor", "scale", "blendAmounts"};
inline constexpr std::string_view interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};

inline constexpr row::TableOf track_table{{
    row::required(row::index("node", Reference::node)),
    row::required(row::one_of("path", paths)),
    {.name = "interpolation", .type = PropertyType::string, .words = interpolations, .fallback = 1},
    row::required(row::index("times", Reference::accessor)),
    row::required(row::index("values", Reference::accessor)),
}};
using TrackObject = Item<track_table>;

inline constexpr row::TableOf clip_table{{
    row::objects("tracks", track_table),
}};
using ClipObject = Item<clip_table>;

inline constexpr row::TableOf pose_table{{
    row::required(row::index("node", Reference::node)),
    row::numbers("position"),
    row::numbers("rotor"),
    row::numbers("scale"),
    row::numbers("basis"),
}};
using PoseObject = Item<pose_table>;

inline constexpr row::TableOf root_table{{
    row::objects("clips", clip_table),
    row::objects("pose", pose_table),
}};
using RootObject = Item<root_table>;

}  // namespace sinew::g4mf::animation

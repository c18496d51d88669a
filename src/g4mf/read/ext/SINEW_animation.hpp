// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/read/accessors.hpp"

namespace sinew::g4mf::animation {

// Clips of a G4MF file, and its own pose where that is not the bind pose: see docs/SINEW_animation.md.

inline constexpr std::string_view extension = "SINEW_animation";

/// The words of the extension, in the order of TrackPath and Interpolation.
inline constexpr std::string_view paths[] = {"position", "rotor", "scale", "blendAmounts"};
inline constexpr std::string_view interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};

enum class TrackRow : std::uint8_t { node, path, interpolation, times, values, comment, name, extensions, extras, end };
inline constexpr auto track_rows = row::with_common({
    row::required(row::index("node", Reference::node)),
    row::required(row::one_of("path", paths)),
    {.name = "interpolation", .type = row::PropertyType::string, .words = interpolations, .fallback = 1},
    row::required(row::index("times", Reference::accessor)),
    row::required(row::index("values", Reference::accessor)),
});
inline constexpr row::Table track_table = {track_rows};
using TrackObject = Item<TrackRow, track_rows>;

enum class ClipRow : std::uint8_t { tracks, comment, name, extensions, extras, end };
inline constexpr auto clip_rows = row::with_common({
    row::objects("tracks", track_table),
});
inline constexpr row::Table clip_table = {clip_rows};
using ClipObject = Item<ClipRow, clip_rows>;

enum class PoseRow : std::uint8_t { node, position, rotor, scale, basis, comment, name, extensions, extras, end };
inline constexpr auto pose_rows = row::with_common({
    row::required(row::index("node", Reference::node)),
    row::numbers("position"),
    row::numbers("rotor"),
    row::numbers("scale"),
    row::numbers("basis"),
});
inline constexpr row::Table pose_table = {pose_rows};
using PoseObject = Item<PoseRow, pose_rows>;

enum class RootRow : std::uint8_t { clips, pose, comment, name, extensions, extras, end };
inline constexpr auto root_rows = row::with_common({
    row::objects("clips", clip_table),
    row::objects("pose", pose_table),
});
inline constexpr row::Table root_table = {root_rows};
using RootObject = Item<RootRow, root_rows>;

/// Reads clips into the model and puts its nodes into their pose. Skeletons have been read; those with a bone in another pose than the one
/// that is stored get bind matrices (Skeleton::joint_from_mesh), and so do their skins.
void read_animation(Reader& reader, Accessors& accessors);

}  // namespace sinew::g4mf::animation

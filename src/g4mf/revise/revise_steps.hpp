// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/revise/revise.hpp"
#include "g4mf/revise/revise_binding.hpp"

namespace sinew::g4mf {

/// Blend shapes from 2026-01 to 2026-07: splits targets that count the instances of all surfaces by surface, with indices of binding rows.
[[nodiscard]] Checked<> blend_to_2026_07(Reviser& reviser, JsonValue blend, const std::vector<SurfaceLayout>& layouts, JsonEdit& edit);
/// From 2026-07 to 2026-01: a row moves every corner that uses it.
[[nodiscard]] Checked<> blend_to_2026_01(Reviser& reviser, JsonValue blend, const std::vector<SurfaceLayout>& layouts, JsonEdit& edit);

/// The surfaces of all meshes, by mesh.
using Layouts = std::vector<std::vector<SurfaceLayout>>;

/// Material channels from 2026-01 to 2026-07: accessors that all surfaces of a material share become bindings for the largest surface.
[[nodiscard]] Checked<> channels_to_2026_07(Reviser& reviser, const Layouts& layouts);
/// From 2026-07 to 2026-01.
[[nodiscard]] Checked<> channels_to_2026_01(Reviser& reviser);

/// From 2026-01 to 2026-07: models and images of textures move to the document's list of files.
void files_to_2026_07(Reviser& reviser);
/// From 2026-07 to 2026-01. The thumbnail is lost.
[[nodiscard]] Checked<> files_to_2026_01(Reviser& reviser);

/// Applies the rules after 2025-08 about skeletons: joints in ascending order of their nodes, parents before children, a single root bone
/// as the first child. Adjusts the groups of skins; a mesh under skeletons that need different groups is copied. Renumbers nodes only if a
/// bone precedes its parent.
[[nodiscard]] Checked<> sort_joints(Reviser& reviser);

/// Applies the rule after 2025-08 that all simplexes of a polytope face the same way: reverses simplexes. If corners have values, or a
/// polytope is not flat, the surface gets single simplexes instead.
[[nodiscard]] Checked<> orient_polytopes(Reviser& reviser);

/// Drops or writes the group names of all skins. `losses` gets a warning for each skin for which that is not possible.
void revise_group_names(Reviser& reviser, GroupNames wanted);

/// Renames properties of the whole file to their names in the new revision.
void rename_properties(Reviser& reviser);
/// Replaces characters that only the new revision forbids in names.
void revise_names(Reviser& reviser);

}  // namespace sinew::g4mf

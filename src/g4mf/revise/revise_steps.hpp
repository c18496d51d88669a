// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/revise/revise.hpp"
#include "g4mf/revise/revise_binding.hpp"

namespace sinew::g4mf {

/// Blend shapes from 2026-01 to 2026-07: what counts through the instances of all surfaces is said surface by surface, in rows of their
/// bindings.
[[nodiscard]] Checked<> blend_to_2026_07(Reviser& reviser, JsonValue blend, const std::vector<SurfaceLayout>& layouts,
                                         const std::vector<SurfaceBindings>& bindings, JsonEdit& edit);
/// And back: a row moves every corner that has it.
[[nodiscard]] Checked<> blend_to_2026_01(Reviser& reviser, JsonValue blend, const std::vector<SurfaceLayout>& layouts, JsonEdit& edit);

/// The surfaces of all meshes, by mesh; empty where there are none.
using Layouts = std::vector<std::vector<SurfaceLayout>>;

/// The values of material channels from 2026-01 to 2026-07: accessors that all surfaces of a material share become bindings as long as the
/// largest of them needs.
[[nodiscard]] Checked<> channels_to_2026_07(Reviser& reviser, const Layouts& layouts);
/// And back.
[[nodiscard]] Checked<> channels_to_2026_01(Reviser& reviser);

/// The models and the images of textures become files of the document, which are named by their places.
void files_to_2026_07(Reviser& reviser);
/// And back; the thumbnail goes.
[[nodiscard]] Checked<> files_to_2026_01(Reviser& reviser);

/// What texts after 2025-08 demand of skeletons: joints in ascending order of their nodes, parents before children, a single root bone as
/// the first child. The groups of skins follow; a mesh under skeletons that disagree becomes several. Nodes get other numbers only where
/// a bone stands before its parent.
[[nodiscard]] Checked<> sort_joints(Reviser& reviser);

/// Texts after 2025-08 demand that all simplexes of a polytope face the same way: those that do not are turned around, and where values of
/// their corners stand in the way of that or they lie askew, the surface is one of single simplexes from now on.
[[nodiscard]] Checked<> orient_polytopes(Reviser& reviser);

/// Drops or writes the names of the groups of all skins; those for which that is not possible are warnings in the losses.
void revise_group_names(Reviser& reviser, GroupNames wanted);

/// Gives properties that the tables know under several names the one of the new revision, in the whole file.
void rename_properties(Reviser& reviser);
/// Replaces characters that the new revision forbids in names and the old one does not.
void revise_names(Reviser& reviser);

}  // namespace sinew::g4mf

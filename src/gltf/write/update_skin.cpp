// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "gltf/write/update_parts.hpp"

namespace sinew::gltf {
namespace {

Result<> update_bind(Update& update, Index place, const Skin& before, const Skin& after) {
  const bool same_matrices = after.bind != Skin::Bind::matrices || after.joint_from_mesh == before.joint_from_mesh;
  if (after.bind == before.bind && same_matrices) return {};
  if (after.bind == Skin::Bind::skeleton_pose)
    return update.editing.refuse(fmt::format("/skins/{}", place),
                                 "found a skin that is bound to the pose of a skeleton; glTF needs bind matrices");
  if (after.bind == Skin::Bind::matrices)
    update.editing.element("skins", place)
        .set("inverseBindMatrices", JsonEdit::integer(update.editing.add_matrices(after.joint_from_mesh)));
  else
    update.editing.element("skins", place).erase("inverseBindMatrices");
  return {};
}

Result<> update_skin(Update& update, Index place, const Skin& before, const Skin& after) {
  const auto edit = [&]() -> JsonEdit& { return update.editing.element("skins", place); };
  if (after.name != before.name) set_name(edit(), after.name);
  if (auto done = update_bind(update, place, before, after); !done) return done;
  if (after.slots != before.slots) {
    if (std::ranges::find(after.slots, none) != after.slots.end())
      return update.editing.refuse(fmt::format("/skins/{}/joints", place),
                                   "found a joint slot without a node; glTF needs a node for every joint");
    set_indices(edit(), "joints", after.slots);
  }
  if (after.root_hint != before.root_hint) set_index(edit(), "skeleton", after.root_hint);
  return {};
}

}  // namespace

Result<> update_skins(Update& update) {
  for (std::size_t i = 0; i < update.after.skins.size(); ++i) {
    const Index place = update.skin_places[i];
    if (place == none) continue;
    if (auto done = update_skin(update, place, at_or_empty(update.before.skins, i), update.after.skins[i]); !done) return done;
  }
  return {};
}

}  // namespace sinew::gltf

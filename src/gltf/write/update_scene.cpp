// SPDX-License-Identifier: MIT
#include "gltf/write/update_parts.hpp"

namespace sinew::gltf {

// What stands for a missing default scene is no scene of the file.
void update_scenes(Update& update) {
  const std::size_t known = update.editing.old_root()["scenes"].size();
  for (std::size_t i = 0; i < update.after.scenes.size(); ++i) {
    if (i >= known && i < update.before.scenes.size()) continue;
    const Scene& before = at_or_empty(update.before.scenes, i);
    const Scene& after = update.after.scenes[i];
    const auto edit = [&]() -> JsonEdit& { return update.editing.element("scenes", i); };
    if (i >= known) static_cast<void>(edit());
    if (after.name != before.name) set_name(edit(), after.name);
    if (after.roots != before.roots) set_indices(edit(), "nodes", after.roots);
  }
  if (update.after.default_scene != update.before.default_scene) set_index(update.editing.root(), "scene", update.after.default_scene);
}

void update_materials(Update& update) {
  for (std::size_t i = 0; i < update.after.materials.size(); ++i) {
    const bool known = i < update.before.materials.size();
    if (known && update.after.materials[i].name == update.before.materials[i].name) continue;
    set_name(update.editing.element("materials", i), update.after.materials[i].name);
  }
}

}  // namespace sinew::gltf

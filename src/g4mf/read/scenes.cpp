// SPDX-License-Identifier: MIT
#include "g4mf/read/scenes.hpp"

namespace sinew::g4mf {

void read_scene(Reader& reader) {
  Model& model = reader.model();
  if (model.nodes.empty()) {
    reader.report<"SINEW_NO_SCENE"_code>(reader.root().value());
    return;
  }
  Scene& scene = model.scenes.emplace_back();
  scene.roots = {0};
  model.default_scene = 0;
}

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#include "g4mf/read/scenes.hpp"

namespace sinew::g4mf {

void read_scene(Reading& reading) {
  Model& model = reading.model();
  if (model.nodes.empty()) {
    reading.report<"SINEW_NO_SCENE"_code>(reading.root().value());
    return;
  }
  Scene& scene = model.scenes.emplace_back();
  scene.roots = {0};
  model.default_scene = 0;
}

}  // namespace sinew::g4mf

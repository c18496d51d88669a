// SPDX-License-Identifier: MIT
#include "gltf/read/scenes.hpp"

#include <algorithm>

namespace sinew::gltf {

namespace {

void read_scene(Reading& reading, JsonValue value, const Nodes& nodes, std::vector<bool>& listed) {
  Model& model = reading.model();
  Scene scene;
  const auto object = reading.object<SceneObject>(value);
  identify(scene, value, object[SceneRow::name]);
  if (object.defect()) Reading::mark(scene, reading.refuse(object).value());
  for (const JsonValue element : object[SceneRow::nodes].elements()) {
    const auto node = reading.resolve(element, Reference::node);
    if (!node) {
      Reading::mark(scene, node.error());
      continue;
    }
    if (*node == none) continue;
    if (nodes.is_child(*node)) reading.report<"SCENE_NON_ROOT_NODE"_code>(element, *node);
    if (listed[*node]) continue;
    listed[*node] = true;
    scene.roots.push_back(*node);
  }
  for (const Index root : scene.roots) listed[root] = false;
  model.scenes.push_back(std::move(scene));
}

}  // namespace

void read_scenes(Reading& reading, const Nodes& nodes) {
  Model& model = reading.model();
  std::vector<bool> listed(model.nodes.size());  // in the scene being read
  for (const JsonValue value : reading.root()[RootRow::scenes].elements()) read_scene(reading, value, nodes, listed);
  const auto chosen = reading.resolve(reading.root(), RootRow::scene);
  if (!chosen) {  // a scene of its own, empty, that says why
    Scene& missing = model.scenes.emplace_back();
    Reading::mark(missing, chosen.error());
    model.default_scene = static_cast<Index>(model.scenes.size() - 1);
  } else if (*chosen != none) {
    model.default_scene = *chosen;
  } else if (!model.scenes.empty()) {
    model.default_scene = 0;
  }
}

}  // namespace sinew::gltf

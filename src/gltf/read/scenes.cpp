// SPDX-License-Identifier: MIT
#include "gltf/read/scenes.hpp"

#include <algorithm>

namespace sinew::gltf {

namespace {

void read_scene(Reader& reader, JsonValue value, const Nodes& nodes, std::vector<bool>& listed) {
  Model& model = reader.model();
  Scene scene;
  const auto object = reader.object<SceneObject>(value);
  identify(scene, value, object[SceneRow::name]);
  if (object.defect()) Reader::mark(scene, reader.refuse(object).value());
  for (const JsonValue element : object[SceneRow::nodes].elements()) {
    const auto node = reader.resolve(element, Reference::node);
    if (!node) {
      Reader::mark(scene, node.error());
      continue;
    }
    if (*node == none) continue;
    if (nodes.is_child(*node)) reader.report<"SCENE_NON_ROOT_NODE"_code>(element, *node);
    if (listed[*node]) continue;
    listed[*node] = true;
    scene.roots.push_back(*node);
  }
  for (const Index root : scene.roots) listed[root] = false;
  model.scenes.push_back(std::move(scene));
}

}  // namespace

void read_scenes(Reader& reader, const Nodes& nodes) {
  Model& model = reader.model();
  std::vector<bool> listed(model.nodes.size());  // in the scene being read
  for (const JsonValue value : reader.root()[RootRow::scenes].elements()) read_scene(reader, value, nodes, listed);
  const auto chosen = reader.resolve(reader.root(), RootRow::scene);
  if (!chosen) {  // a scene of its own, empty, that says why
    Scene& missing = model.scenes.emplace_back();
    Reader::mark(missing, chosen.error());
    model.default_scene = static_cast<Index>(model.scenes.size() - 1);
  } else if (*chosen != none) {
    model.default_scene = *chosen;
  } else if (!model.scenes.empty()) {
    model.default_scene = 0;
  }
}

}  // namespace sinew::gltf

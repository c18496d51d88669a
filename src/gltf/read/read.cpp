// SPDX-License-Identifier: MIT
#include "gltf/read/read.hpp"

#include <utility>

#include "document/schema/reader.hpp"
#include "gltf/read/asset.hpp"
#include "gltf/read/ext/EXT_mesh_gpu_instancing.hpp"
#include "gltf/read/ext/SINEW_bounds.hpp"
#include "gltf/read/ext/VRM.hpp"
#include "gltf/read/not_evaluated.hpp"
#include "gltf/read/parsed.hpp"
#include "gltf/read/rig/animations.hpp"
#include "gltf/read/rig/nodes.hpp"
#include "gltf/read/rig/skins.hpp"
#include "model/missing_mesh.hpp"

namespace sinew::gltf {

namespace {

void read_scene(Reader& reader, JsonValue value, const Nodes& nodes, std::vector<bool>& listed) {
  Model& model = reader.model();
  Scene scene;
  const auto object = reader.object<SceneObject>(value);
  identify(scene, value, object["name"]);
  if (object.defect()) Reader::mark(scene, reader.refuse(object).value());
  for (const JsonValue element : object["nodes"].elements()) {
    const auto node = reader.resolve(element, Reference::node);
    if (!node) {
      Reader::mark(scene, node.error());
      continue;
    }
    if (*node == none) continue;
    if (nodes.is_child(*node)) reader.report("SCENE_NON_ROOT_NODE"_code, element, *node);
    if (listed[*node]) continue;
    listed[*node] = true;
    scene.roots.push_back(*node);
  }
  for (const Index root : scene.roots) listed[root] = false;
  model.scenes.push_back(std::move(scene));
}

// Chooses the default scene: `scene`, otherwise the first one.
void read_scenes(Reader& reader, const Nodes& nodes) {
  Model& model = reader.model();
  std::vector<bool> listed(model.nodes.size());  // in the scene being read
  for (const JsonValue value : reader.root()["scenes"].elements()) read_scene(reader, value, nodes, listed);
  const auto chosen = reader.resolve(reader.root(), "scene");
  if (!chosen) {  // an empty scene whose defect gives the reason
    Scene& missing = model.scenes.emplace_back();
    Reader::mark(missing, chosen.error());
    model.default_scene = static_cast<Index>(model.scenes.size() - 1);
  } else if (*chosen != none) {
    model.default_scene = *chosen;
  } else if (!model.scenes.empty()) {
    model.default_scene = 0;
  }
}

}  // namespace

Result<> parse_asset(Parsed& parsed) { return read_asset_of(parsed); }

Result<> parse_contents(Parsed& parsed) {
  Reader& reader = parsed.reader;
  Model& model = parsed.model;
  report_ignored_extensions(reader);
  if (auto taken = take_entities(reader, model.dimension); !taken) return Unexpected(model.defects[taken.error().index]);
  Buffers& buffers = parsed.buffers.emplace(reader);
  Accessors& accessors = parsed.accessors.emplace(reader, buffers);
  for (const JsonValue value : reader.root()["materials"].elements()) identify(model.materials.emplace_back(), value, value["name"]);
  Meshes meshes(reader, accessors, buffers);
  Nodes& nodes = parsed.nodes.emplace(reader);
  staik::read_skeletons(reader, accessors);
  read_skins(reader, accessors, nodes.tree());
  if (auto linked = nodes.link(meshes); !linked) return Unexpected(model.defects[linked.error().index]);
  read_copies(reader, accessors);
  const Animations animations(reader, accessors);
  read_scenes(reader, nodes);
  check_skin_scenes(reader, nodes.tree());
  read_boxes(reader);
  read_avatar(reader);
  add_missing_mesh(model, reader.count(Reference::mesh));
  list_not_evaluated(reader, accessors);
  return {};
}

Result<Model> read(const std::shared_ptr<const Document>& document, FindingSink& sink) {
  return read_model<Parsed, Source>(document, sink);
}

}  // namespace sinew::gltf

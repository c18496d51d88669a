// SPDX-License-Identifier: MIT
#include "gltf/read/read.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "document/entities.hpp"
#include "gltf/check/cameras.hpp"
#include "gltf/check/ext/KHR_animation_pointer.hpp"
#include "gltf/check/ext/KHR_lights_punctual.hpp"
#include "gltf/check/material_use.hpp"
#include "gltf/check/objects.hpp"
#include "gltf/check/textures.hpp"
#include "gltf/read/accessors.hpp"
#include "gltf/read/animations.hpp"
#include "gltf/read/asset.hpp"
#include "gltf/read/buffers.hpp"
#include "gltf/read/ext/STAIK_skeletons.hpp"
#include "gltf/read/materials.hpp"
#include "gltf/read/meshes.hpp"
#include "gltf/read/nodes.hpp"
#include "gltf/read/scenes.hpp"
#include "gltf/read/skins.hpp"

namespace sinew::gltf {

namespace {

// Nodes that name a missing mesh name the place after the last one: an empty mesh goes there, broken for the node's reason.
void add_missing_mesh(Model& model, std::size_t place) {
  const auto node = std::ranges::find_if(model.nodes, [&](const Node& candidate) { return candidate.mesh == place; });
  if (node == model.nodes.end()) return;
  model.meshes.emplace_back().defect = node->defect;
}

// What has no effect on geometry is only looked at where every rule is asked for.
void check_the_rest(Reading& reading, Buffers& buffers) {
  check_textures(reading, check_images(reading, buffers));
  check_cameras(reading);
  lights::check(reading);
  animation_pointer::check(reading);
  check_material_use(reading, check_materials(reading));
}

Result<> read_into(Model& model, const document::Document& document, Checks checks, FindingSink& sink) {
  Reading reading(document, checks, sink, model);
  const auto first_defect = [&] { return Unexpected(model.defects.front()); };
  if (!reading.root().value().is(JsonKind::object)) {
    reading.report_root(true);
    static_cast<void>(reading.refuse(reading.root()));
    return first_defect();
  }
  if (checks == Checks::all) check_extension_lists(reading);
  const auto asset = read_asset(reading);
  reading.report_root(asset.has_value());
  if (!asset) return Unexpected(model.defects[asset.error().index]);
  if (auto taken = document::take_entities(reading, model.dimension); !taken) return Unexpected(model.defects[taken.error().index]);
  if (checks == Checks::all) check_objects(reading);
  Buffers buffers(reading);
  Accessors accessors(reading, buffers);
  if (checks == Checks::all) accessors.check_data();
  read_materials(reading);
  Meshes meshes(reading, accessors, buffers);
  Nodes nodes(reading);
  staik::read_skeletons(reading, accessors);
  read_skins(reading, accessors, nodes.tree());
  if (reading.checks() == Checks::all) {
    nodes.check_use();
    meshes.check_influences();
  }
  nodes.link(meshes);
  const Animations animations(reading, accessors, meshes);
  read_scenes(reading, nodes);
  check_skin_scenes(reading, nodes.tree());
  if (checks == Checks::all) staik::check(reading, nodes.tree());
  if (checks == Checks::all) check_the_rest(reading, buffers);
  add_missing_mesh(model, reading.count(Reference::mesh));
  return {};
}

}  // namespace

Result<Model> read(std::shared_ptr<const document::Document> document, Checks checks, FindingSink& sink) try {
  Model model;
  if (auto done = read_into(model, *document, checks, sink); !done) return Unexpected(std::move(done.error()));
  model.source = std::make_shared<Source>(std::move(document));
  return model;
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
} catch (const std::length_error&) {  // more than any vector holds, where the memory limit allows it
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include "gltf/read/parsed.hpp"

#include "document/entities.hpp"
#include "gltf/read/asset.hpp"
#include "gltf/read/ext/STAIK_skeletons.hpp"
#include "gltf/read/rig/animations.hpp"
#include "gltf/read/rig/skins.hpp"
#include "gltf/read/scenes.hpp"
#include "model/missing_mesh.hpp"

namespace sinew::gltf {

Result<> parse_asset(Parsed& parsed) {
  Reading& reading = parsed.reading;
  if (!reading.root().value().is(JsonKind::object)) return Unexpected(parsed.model.defects[reading.refuse(reading.root()).value().index]);
  if (auto asset = read_asset(reading); !asset) return Unexpected(parsed.model.defects[asset.error().index]);
  return {};
}

Result<> parse_contents(Parsed& parsed) {
  Reading& reading = parsed.reading;
  Model& model = parsed.model;
  report_ignored_extensions(reading);
  if (auto taken = document::take_entities(reading, model.dimension); !taken) return Unexpected(model.defects[taken.error().index]);
  Buffers& buffers = parsed.buffers.emplace(reading);
  Accessors& accessors = parsed.accessors.emplace(reading, buffers);
  for (const JsonValue value : reading.root()[RootRow::materials].elements())
    identify(model.materials.emplace_back(), value, value["name"]);
  Meshes meshes(reading, accessors, buffers);
  Nodes& nodes = parsed.nodes.emplace(reading);
  staik::read_skeletons(reading, accessors);
  read_skins(reading, accessors, nodes.tree());
  nodes.link(meshes);
  const Animations animations(reading, accessors);
  read_scenes(reading, nodes);
  check_skin_scenes(reading, nodes.tree());
  add_missing_mesh(model, reading.count(Reference::mesh));
  return {};
}

}  // namespace sinew::gltf

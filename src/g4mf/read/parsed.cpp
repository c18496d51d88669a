// SPDX-License-Identifier: MIT
#include "g4mf/read/parsed.hpp"

#include "document/entities.hpp"
#include "g4mf/read/asset.hpp"
#include "g4mf/read/ext/SINEW_animation.hpp"
#include "g4mf/read/materials.hpp"
#include "g4mf/read/mesh/meshes.hpp"
#include "g4mf/read/rig/nodes.hpp"
#include "g4mf/read/rig/skeletons.hpp"
#include "g4mf/read/scenes.hpp"
#include "model/missing_mesh.hpp"

namespace sinew::g4mf {

Result<> parse_asset(Parsed& parsed) {
  Reading& reading = parsed.reading;
  if (!reading.root().value().is(JsonKind::object)) return Unexpected(parsed.model.defects[reading.refuse(reading.root()).value().index]);
  if (auto asset = read_asset(reading); !asset) return Unexpected(parsed.model.defects[asset.error().index]);
  return {};
}

Result<> parse_contents(Parsed& parsed) {
  Reading& reading = parsed.reading;
  Model& model = parsed.model;
  if (auto taken = document::take_entities(reading, model.dimension); !taken) return Unexpected(model.defects[taken.error().index]);
  Buffers& buffers = parsed.buffers.emplace(reading);
  Accessors& accessors = parsed.accessors.emplace(reading, buffers);
  read_materials(reading);
  read_meshes(reading, accessors);
  Nodes nodes(reading);
  nodes.link();
  read_skeletons(reading, nodes);
  animation::read_animation(reading, accessors);
  read_scene(reading);
  add_missing_mesh(model, reading.count(Reference::mesh));
  return {};
}

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#include "gltf/read/parsed.hpp"

#include "document/memory_estimate.hpp"
#include "gltf/read/asset.hpp"
#include "gltf/read/ext/STAIK_skeletons.hpp"
#include "gltf/read/rig/animations.hpp"
#include "gltf/read/rig/skins.hpp"
#include "gltf/read/scenes.hpp"
#include "model/missing_mesh.hpp"

namespace sinew::gltf {

Result<> parse_asset(Parsed& parsed) {
  Reader& reader = parsed.reader;
  if (!reader.root().value().is(JsonKind::object)) return Unexpected(parsed.model.defects[reader.refuse(reader.root()).value().index]);
  if (auto asset = read_asset(reader); !asset) return Unexpected(parsed.model.defects[asset.error().index]);
  return {};
}

Result<> parse_contents(Parsed& parsed) {
  Reader& reader = parsed.reader;
  Model& model = parsed.model;
  report_ignored_extensions(reader);
  if (auto taken = document::take_entities(reader, model.dimension); !taken) return Unexpected(model.defects[taken.error().index]);
  Buffers& buffers = parsed.buffers.emplace(reader);
  Accessors& accessors = parsed.accessors.emplace(reader, buffers);
  for (const JsonValue value : reader.root()[RootRow::materials].elements()) identify(model.materials.emplace_back(), value, value["name"]);
  Meshes meshes(reader, accessors, buffers);
  Nodes& nodes = parsed.nodes.emplace(reader);
  staik::read_skeletons(reader, accessors);
  read_skins(reader, accessors, nodes.tree());
  nodes.link(meshes);
  const Animations animations(reader, accessors);
  read_scenes(reader, nodes);
  check_skin_scenes(reader, nodes.tree());
  add_missing_mesh(model, reader.count(Reference::mesh));
  return {};
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include "g4mf/read.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "document/container.hpp"
#include "document/entities.hpp"
#include "document/g4mf_text.hpp"
#include "g4mf/accessor.hpp"
#include "g4mf/asset.hpp"
#include "g4mf/buffer.hpp"
#include "g4mf/checks.hpp"
#include "g4mf/ext/SINEW_animation.hpp"
#include "g4mf/material.hpp"
#include "g4mf/mesh.hpp"
#include "g4mf/node.hpp"
#include "g4mf/scene.hpp"
#include "g4mf/skeleton.hpp"

namespace sinew::g4mf {

namespace {

// Nodes that name a missing mesh name the place after the last one: an empty mesh goes there, broken for the node's reason.
void add_missing_mesh(Model& model, std::size_t place) {
  const auto node = std::ranges::find_if(model.nodes, [&](const Node& candidate) { return candidate.mesh == place; });
  if (node == model.nodes.end()) return;
  model.meshes.emplace_back().defect = node->defect;
}

void check_all(Reading& reading, Buffers& buffers, Accessors& accessors) {
  accessors.read_all();
  buffers.fetch_all();
  buffers.check_chunks();
  check_items(reading);
  check_carried(reading);
  check_textures(reading, buffers);
  check_use(reading, accessors);
  check_nodes(reading);
  check_meshes(reading);
  check_blend(reading, accessors);
  check_rigs(reading);
  check_materials(reading, accessors);
}

// What a revision says of the control characters U+0080 to U+009F.
document::C1Controls c1_controls(Revision revision) {
  constexpr document::C1Controls rules[] = {document::C1Controls::allowed, document::C1Controls::discouraged,
                                            document::C1Controls::forbidden};
  return rules[static_cast<std::size_t>(revision)];
}

Result<> read_into(Model& model, const document::Document& document, Checks checks, FindingSink& sink, const ReadOptions& options) {
  Reading reading(document, checks, sink, model, options);
  if (!reading.root().value().is(JsonKind::object)) {
    static_cast<void>(reading.refuse(reading.root()));
    return Unexpected(model.defects.front());
  }
  if (document.container() == document::Container::g4b && reading.revision() != Revision::r2026_07)
    document::check_g4b_json_chunk(document.chunk_list(), reading.sink());
  if (checks == Checks::all)
    document::check_g4mf_text(document.json().text(), document.json_offset(), c1_controls(reading.revision()), reading.sink());
  if (auto asset = read_asset(reading); !asset) return Unexpected(model.defects[asset.error().index]);
  if (auto taken = document::take_entities(reading, model.dimension); !taken) return Unexpected(model.defects[taken.error().index]);
  Buffers buffers(reading);
  Accessors accessors(reading, buffers);
  read_materials(reading);
  read_meshes(reading, accessors);
  Nodes nodes(reading);
  nodes.link();
  read_skeletons(reading, nodes);
  animation::read_animation(reading, accessors);
  read_scene(reading);
  add_missing_mesh(model, reading.count(Reference::mesh));
  if (checks == Checks::all) check_all(reading, buffers, accessors);
  return {};
}

}  // namespace

Result<Model> read(std::shared_ptr<const document::Document> document, Checks checks, FindingSink& sink, const ReadOptions& options) try {
  Model model;
  if (auto done = read_into(model, *document, checks, sink, options); !done) return Unexpected(std::move(done.error()));
  model.source = std::make_shared<Source>(std::move(document));
  return model;
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
} catch (const std::length_error&) {  // more than any vector holds, where the memory limit allows it
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
}

}  // namespace sinew::g4mf

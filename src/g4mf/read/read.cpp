// SPDX-License-Identifier: MIT
#include "g4mf/read/read.hpp"

#include <utility>

#include "document/schema/content_hash.hpp"
#include "document/schema/reader.hpp"
#include "g4mf/extensions/SINEW_animation.hpp"
#include "g4mf/read/mesh/meshes.hpp"
#include "g4mf/read/parsed.hpp"
#include "g4mf/read/rig/nodes.hpp"
#include "g4mf/schema/data/asset.hpp"
#include "model/missing_mesh.hpp"

namespace sinew::g4mf {

namespace {

// The only scene: node 0 and its descendants.
void read_scene(Reader& reader) {
  Model& model = reader.model();
  if (model.nodes.empty()) return reader.report("SINEW_NO_SCENE"_code, reader.root().value());
  model.scenes.emplace_back().roots = {0};
  model.default_scene = 0;
}

// No extension of G4MF is read, so each one may move the vertices of what it stands at.
void list_not_evaluated(Reader& reader) {
  for (const std::string_view list : {"nodes", "meshes", "animations", "accessors", "bufferViews"}) {
    std::uint64_t index = 0;
    for (const JsonValue element : reader.root().value()[list].elements()) {
      document::for_each_extension(element, [&](std::string_view place, document::JsonMember extension) {
        document::ContentHash hash;
        const JsonValue name = element["name"];
        hash.add(list);
        name ? hash.add(std::string_view(name.string())) : hash.add(index);
        hash.add(place);
        hash.add(std::string_view(extension.key.string()));
        hash.add(extension.value, {});
        reader.model().not_evaluated.push_back(
            {extension.key.string(), NotEvaluated::Effect::moves, Source::id_of(extension.value), hash.value()});
      });
      ++index;
    }
  }
}

}  // namespace

Result<> parse_asset(Parsed& parsed) { return read_asset_of(parsed); }

Result<> parse_contents(Parsed& parsed) {
  Reader& reader = parsed.reader;
  Model& model = parsed.model;
  if (auto taken = take_entities(reader, model.dimension); !taken) return Unexpected(model.defects[taken.error().index]);
  Buffers& buffers = parsed.buffers.emplace(reader);
  Accessors& accessors = parsed.accessors.emplace(reader, buffers);
  for (const JsonValue value : reader.root()["materials"].elements()) identify(model.materials.emplace_back(), value);
  read_meshes(reader, accessors);
  Nodes nodes(reader);
  if (auto linked = nodes.link(); !linked) return Unexpected(model.defects[linked.error().index]);
  read_skeletons(reader, nodes);
  animation::read_animation(reader, accessors);
  read_avatar(reader);
  read_scene(reader);
  add_missing_mesh(model, reader.count(Reference::mesh));
  list_not_evaluated(reader);
  return {};
}

Result<Model> read(const std::shared_ptr<const Document>& document, FindingSink& sink, const ReadOptions& options) {
  return read_model<Parsed, Source>(document, sink, options);
}

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#include "gltf/write/update.hpp"

#include <cassert>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/json_writer.hpp"
#include "document/schema/edited.hpp"
#include "gltf/write/update_steps.hpp"

#include "sinew/result.hpp"

namespace sinew::gltf {
namespace {

/// Computes indices in the new file: existing entities keep theirs, new ones that glTF can represent follow.
template <class T, class Fits>
std::vector<Index> places(std::size_t known, const std::vector<T>& after, Fits fits) {
  std::vector<Index> result;
  Index next = 0;
  for (std::size_t i = 0; i < after.size(); ++i) result.push_back(i < known || fits(after[i]) ? next++ : none);
  return result;
}

// Refuses a new mesh or scene that would get the index of a missing one: references to the missing one would change.
Result<> check_missing(const Editor& editor, const Model& before, const Model& after) {
  if (after.meshes.size() > before.meshes.size() && editor.old_root()["meshes"].size() < before.meshes.size())
    return editor.refuse("/meshes", "a node refers to a missing mesh, and a new mesh would get its index");
  if (after.scenes.size() > before.scenes.size() && editor.old_root()["scenes"].size() < before.scenes.size())
    return editor.refuse("/scene", "the default scene is missing, and a new scene would get its index");
  return {};
}

}  // namespace

Result<std::shared_ptr<const Document>> update(const std::shared_ptr<const Document>& document, const Model& before, const Model& after,
                                               FindingSink& losses) SINEW_TRY {
  assert(after.dimension == 3);
  Editor editor(document, losses);
  if (auto checked = check_missing(editor, before, after); !checked) return Unexpected(std::move(checked.error()));
  Update update{editor, before, after, places(before.meshes.size(), after.meshes, gives_mesh),
                places(before.skins.size(), after.skins, [](const Skin& skin) { return !skin.slots.empty(); })};
  update_scenes(update);
  update_nodes(update);
  if (auto done = update_skins(update); !done) return Unexpected(std::move(done.error()));
  if (auto done = update_meshes(update); !done) return Unexpected(std::move(done.error()));
  update_materials(update);
  update_clips(update);
  update_skeletons(update);
  return editor.finish();
}
SINEW_CATCH({path_text(document->path()), {}, {}})

Result<std::shared_ptr<const Document>> empty_document(const std::filesystem::path& path, const OpenOptions& options) {
  JsonWriter json;
  json.begin_object();
  json.key("asset").begin_object();
  json.key("version").string("2.0");
  json.key("generator").string(format_text("Sinew {}", version()));
  json.end_object();
  json.end_object();
  return from_text(path, std::move(json).take(), Container::json, options);
}

}  // namespace sinew::gltf

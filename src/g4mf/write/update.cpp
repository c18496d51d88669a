// SPDX-License-Identifier: MIT
#include "g4mf/write/update.hpp"

#include <algorithm>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/g4mf_text.hpp"
#include "document/json/json_writer.hpp"
#include "document/schema/edited.hpp"
#include "g4mf/write/updater.hpp"

#include "sinew/result.hpp"

namespace sinew::g4mf {

namespace {

/// G4MF has no skins: the skeleton above a mesh's node binds the mesh.
Result<> check_skins(const Updater& updater) {
  const Model& after = updater.after();
  for (const Node& node : after.nodes) {
    if (node.skin == none || node.mesh == none) continue;
    const Skin& skin = after.skins[node.skin];
    const bool explained = std::ranges::any_of(after.skeletons, [&](const Skeleton& skeleton) {
      return skeleton.node != none && skeleton.node == node.parent && skeleton.node == skin.frame && skeleton.joints == skin.slots &&
             skeleton.joint_from_mesh.empty() == (skin.bind == Skin::Bind::skeleton_pose);
    });
    const bool bound = skin.bind == Skin::Bind::skeleton_pose || skin.bind == Skin::Bind::matrices;
    if (!bound || !explained) return updater.refused(node, "its skin does not match the skeleton above it; G4MF has no other skins");
  }
  return {};
}

Result<> check_counts(const Updater& updater) {
  const Model& before = updater.before();
  const Model& after = updater.after();
  if (after.nodes.size() < before.nodes.size() || after.meshes.size() < before.meshes.size() ||
      after.materials.size() < before.materials.size() || after.skeletons.size() < before.skeletons.size())
    return updater.refused({}, "existing items cannot be removed");
  return {};
}

}  // namespace

Result<std::shared_ptr<const Document>> update(const std::shared_ptr<const Document>& document, const Model& before, const Model& after,
                                               FindingSink& losses) SINEW_TRY {
  Updater updater(*document, revision_of(before).value_or(Revision::r2026_01), before, after, losses);
  using Part = Result<> (*)(Updater&);
  constexpr Part parts[] = {
      [](Updater& u) { return check_counts(u); },
      [](Updater& u) { return check_skins(u); },
      [](Updater& u) { return u.begin(); },
      update_nodes,
      update_skeletons,
      update_meshes,
      update_animation,
  };
  for (const Part part : parts)
    if (auto done = part(updater); !done) return Unexpected(std::move(done.error()));
  update_materials(updater);
  return updater.editor().finish();
}
SINEW_CATCH({path_text(document->path()), {}, {}})

Result<std::shared_ptr<const Document>> empty_document(const std::filesystem::path& path, std::size_t dimension,
                                                       const OpenOptions& options) {
  JsonWriter json;
  json.begin_object();
  json.key("asset").begin_object();
  json.key("dimension").integer(dimension);
  json.key("generator").string(format_text("Sinew {}", version()));
  json.end_object();
  json.end_object();
  return from_text(path, to_g4mf_text(std::move(json).take()), Container::json, options);
}

}  // namespace sinew::g4mf

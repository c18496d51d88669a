// SPDX-License-Identifier: MIT

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/json.hpp"
#include "g4mf/revise/revise.hpp"
#include "g4mf/write/update.hpp"
#include "model/name_index.hpp"
#include "model/place.hpp"
#include "operations/files/changed_file.hpp"
#include "operations/files/left_behind.hpp"
#include "operations/files/update.hpp"
#include "operations/rebind/rebind_steps.hpp"

namespace sinew::operations {

namespace {

/// Returns the selected skins; for G4MF one per skeleton, because its skins have the same slots.
Result<std::vector<Index>> skins_of(const Model& model, const std::string& wanted) {
  std::vector<NamedThing> names;
  std::vector<Index> skins;
  for (Index i = 0; i < model.skins.size(); ++i) {
    const Skin& skin = model.skins[i];
    const auto same = [&](Index known) { return model.binds_by_stored_pose() && model.skins[known].frame == skin.frame; };
    if (std::ranges::any_of(skins, same)) continue;
    skins.push_back(i);
    names.push_back({skin.name, i});
  }
  if (wanted.empty()) return skins;
  const auto found = find_by_name(wanted, names, model.skins.size(), "skin");
  if (!found) return Unexpected(found.error());
  return std::vector<Index>{*found};
}

/// Returns the names of a skin's slots: those of their nodes; in G4MF those of the groups if they differ.
std::vector<NamedThing> slots_of(const Model& model, Index index) {
  const Skin& skin = model.skins[index];
  std::vector<NamedThing> names;
  for (Index slot = 0; slot < skin.slots.size(); ++slot)
    if (skin.slots[slot] != none) names.push_back({model.nodes[skin.slots[slot]].name, slot});
  for (const Node& node : model.nodes) {
    if (node.skin == none || node.mesh == none || model.skins[node.skin].frame != skin.frame || !model.binds_by_stored_pose()) continue;
    const std::vector<std::string>& groups = model.meshes[node.mesh].group_names;
    for (Index slot = 0; slot < std::min(groups.size(), skin.slots.size()); ++slot)
      if (std::ranges::none_of(names, [&](const NamedThing& known) { return known.name == groups[slot]; }))
        names.push_back({groups[slot], slot});
  }
  return names;
}

Result<> add_joint(const Model& model, const RebindOptions::Joint& wanted, const std::string& in, std::vector<RebindPlan::Joint>& joints) {
  const auto skins = skins_of(model, in);
  if (!skins) return Unexpected(skins.error());
  if (skins->empty()) return usage_failure(model, "the file has no skins");
  Index node = none;
  if (wanted.bone != "none") {
    const auto found = find_by_name(wanted.bone, named_things(model.nodes), model.nodes.size(), "node");
    if (!found) return Unexpected(found.error());
    node = *found;
  }
  if (is_digits(wanted.slot) && skins->size() > 1)
    return usage_failure(model, format_text("joint slot {} needs a skin, because the file has {} skins; choose one with --skin",
                                            wanted.slot, skins->size()));
  std::optional<Error> missing;
  bool any = false;
  for (const Index skin : *skins) {
    const auto slot = find_by_name(wanted.slot, slots_of(model, skin), model.skins[skin].slots.size(), "joint");
    if (slot)
      joints.push_back({skin, *slot, node});
    else
      missing = slot.error();
    any |= slot.has_value();
  }
  if (!any) return Unexpected(std::move(*missing));
  return {};
}

Result<RebindPlan> resolved(const Model& model, const RebindOptions& options) {
  RebindPlan how;
  how.to = options.to;
  how.seconds = options.seconds;
  how.unify = options.unify;
  how.bake_shapes = options.bake_shapes;
  how.keep_vertices = options.keep_vertices;
  how.world = options.world;
  how.tolerance = options.tolerance;
  if (options.to == BindPose::clip) {
    const auto clip = find_by_name(options.animation, named_things(model.clips), model.clips.size(), "animation");
    if (!clip) return Unexpected(clip.error());
    how.clip = *clip;
  }
  for (const RebindOptions::Joint& joint : options.joints)
    if (auto done = add_joint(model, joint, options.skin, how.joints); !done) return Unexpected(std::move(done.error()));
  return how;
}

bool same_amounts(const Model& a, const Model& b) {
  return a.rest_pose.amounts == b.rest_pose.amounts && std::ranges::equal(a.meshes, b.meshes, [](const Mesh& x, const Mesh& y) {
           return std::ranges::equal(x.shapes, y.shapes, {}, &BlendShape::amount, &BlendShape::amount);
         });
}

/// Warns of data beside animations that sets amounts.
void report_amounts_elsewhere(const document::Document& document, FindingSink& changes) {
  const document::JsonValue root = document.json().root();
  for (const auto& [name, part] : {std::pair("VRM", "blendShapeMaster"), std::pair("VRMC_vrm", "expressions")})
    if (const document::JsonValue data = root["extensions"][name][part]) changes.add(finding("SINEW_EDIT_STALE"_code, data.place(), name));
}

bool out_of_order(const Model& model) {
  return std::ranges::any_of(model.skeletons, [](const Skeleton& skeleton) {
    std::vector<Index> named = skeleton.joints;
    std::erase(named, none);
    return !std::ranges::is_sorted(named);
  });
}

/// In G4MF, joints are in ascending order since 2026-01. Slots with new bones may break that order.
Result<std::shared_ptr<const document::Document>> in_order(const Model& before, const Model& after,
                                                           const std::shared_ptr<const document::Document>& document,
                                                           FindingSink& changes) {
  const auto revision = g4mf::revision_of(before);
  if (!revision || *revision == g4mf::Revision::r2025_08 || out_of_order(before) || !out_of_order(after)) return document;
  g4mf::RepairParts parts;
  parts.joints = true;
  return g4mf::repair(*document, *revision, parts, changes);
}

}  // namespace

Result<Written> rebind(const std::filesystem::path& from, const std::filesystem::path& to, const RebindOptions& options, FindingSink& sink,
                       FindingSink& changes) SINEW_TRY {
  const auto file = open_file(from, to, options.load, sink);
  if (!file) return Unexpected(file.error());
  const auto how = resolved(file->model, options);
  if (!how) return Unexpected(how.error());
  FindingList done;
  const auto after = rebind_model(file->model, *how, done);
  if (!after) return Unexpected(after.error());
  const std::size_t count = done.list().size();
  if (!same_amounts(file->model, *after)) report_amounts_elsewhere(*file->document, done);
  auto document = done.list().empty() ? file->document : update(file->document, file->model, *after, done);
  if (document) document = in_order(file->model, *after, *document, done);
  if (!document) return Unexpected(std::move(document.error()));
  LossWatch lost(changes, options.on_loss);
  for (const Finding& change : done.list()) lost.add(change);
  report_left_behind(*file->document, **document, lost);
  return write_changed(*file, *document, to, options, count, sink, lost, {.stored_amounts = options.bake_shapes});
}
SINEW_CATCH({path_text(from), {}, {}})

}  // namespace sinew::operations

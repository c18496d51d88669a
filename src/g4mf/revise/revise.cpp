// SPDX-License-Identifier: MIT
#include "g4mf/revise/revise.hpp"

#include <algorithm>

#include "document/json/g4mf_text.hpp"
#include "document/schema/edited.hpp"
#include "g4mf/revise/revise_binding.hpp"
#include "g4mf/revise/revise_nodes.hpp"
#include "g4mf/revise/revise_steps.hpp"
#include "g4mf/write/names.hpp"

namespace sinew::g4mf {

namespace {

using Opened = std::shared_ptr<const document::Document>;

template <class Use>
Result<Opened> step(const Opened& document, Revision from, Revision to, FindingSink& losses, const Use& use) {
  Reviser reviser(*document, from, to, losses);
  Checked<> done = reviser.begin();
  if (done) done = use(reviser);
  if (!done) return Unexpected(reviser.error_of(done.error()));
  return reviser.finish();
}

Result<Opened> with_legal_names(const Opened& document, Revision from, Revision to, FindingSink& losses) {
  const auto forbidden = [&](JsonValue name) { return legal_name(name.string(), from, to) != name.string(); };
  if (std::ranges::none_of(item_names(document->json().root(), false), forbidden)) return document;
  return step(document, from, to, losses, [](Reviser& reviser) {
    revise_names(reviser);
    return Checked<>();
  });
}

// In 2025-08 a topology may have no geometry. Its other members then mean nothing.
void drop_empty_topologies(Reviser& reviser) {
  const std::vector<JsonValue> meshes = reviser.old_list("meshes");
  for (std::size_t mesh = 0; mesh < meshes.size(); ++mesh) {
    const std::vector<JsonValue> surfaces = list_of(meshes[mesh]["surfaces"]);
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      const JsonValue topology = surfaces[i]["topology"];
      if (!topology.is(JsonKind::object) || topology["geometry"]) continue;
      reviser.lost(topology, "a topology without geometry");
      reviser.element("meshes", mesh).find("surfaces")->at(i).erase("topology");
    }
  }
}

// For a later file with some names of 2025-08.
Result<Opened> names_to_2026_01(const Opened& document, FindingSink& losses) {
  return step(document, Revision::r2025_08, Revision::r2026_01, losses, [](Reviser& reviser) {
    auto done = nodes_to_2026_01(reviser);
    rename_properties(reviser);
    return done;
  });
}

// For a file of 2025-08.
Result<Opened> all_to_2026_01(const Opened& document, FindingSink& losses) {
  constexpr Revision from = Revision::r2025_08, to = Revision::r2026_01;
  auto named = with_legal_names(document, from, to, losses);
  if (!named) return named;
  auto lifted = step(*named, from, to, losses, [](Reviser& reviser) {
    auto done = nodes_to_2026_01(reviser);
    join_bones(reviser);
    drop_empty_topologies(reviser);
    if (done) done = orient_polytopes(reviser);
    rename_properties(reviser);
    return done;
  });
  if (!lifted) return lifted;
  return step(*lifted, to, to, losses, sort_joints);
}

Result<Opened> to_2025_08(const Opened& document, FindingSink& losses) {
  return step(document, Revision::r2026_01, Revision::r2025_08, losses, [](Reviser& reviser) {
    auto done = nodes_to_2025_08(reviser);
    rename_properties(reviser);
    return done;
  });
}

Checked<Layouts> read_layouts(Reviser& reviser) {
  Layouts layouts;
  for (const JsonValue mesh : reviser.old_list("meshes")) {
    auto layout = read_layout(reviser, mesh);
    if (!layout) return Refused(layout.error());
    layouts.push_back(std::move(*layout));
  }
  return layouts;
}

// Revises the surfaces of every mesh, then its blend shapes.
template <class ReviseSurface, class ReviseBlend>
Checked<> revise_meshes(Reviser& reviser, Layouts& layouts, const ReviseSurface& revise_surface, const ReviseBlend& revise_blend) {
  const std::vector<JsonValue> meshes = reviser.old_list("meshes");
  for (std::size_t mesh = 0; mesh < meshes.size(); ++mesh) {
    JsonEdit& edit = reviser.element("meshes", mesh);
    std::size_t i = 0;
    for (const JsonValue surface : meshes[mesh]["surfaces"].elements()) {
      if (auto done = revise_surface(reviser, surface, layouts[mesh][i], edit.find("surfaces")->at(i)); !done) return done;
      ++i;
    }
    const JsonValue blend = meshes[mesh]["blend"];
    if (!blend.is(JsonKind::object)) continue;
    if (auto done = revise_blend(reviser, blend, layouts[mesh], *edit.find("blend")); !done) return done;
  }
  return {};
}

// Chunk 0 is the JSON text. Until 2026-01, buffer i without `chunk` is chunk i + 1.
void name_chunks(Reviser& reviser) {
  const std::vector<JsonValue> buffers = reviser.old_list("buffers");
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].is(JsonKind::object) && !buffers[i]["uri"] && !buffers[i]["chunk"])
      reviser.element("buffers", i).set("chunk", JsonEdit::integer(i + 1));
}

Result<Opened> to_2026_07(const Opened& document, FindingSink& losses) {
  constexpr Revision from = Revision::r2026_01, to = Revision::r2026_07;
  auto named = with_legal_names(document, from, to, losses);
  if (!named) return named;
  return step(*named, from, to, losses, [](Reviser& reviser) -> Checked<> {
    auto layouts = read_layouts(reviser);
    if (!layouts) return Refused(layouts.error());
    if (auto done = revise_meshes(reviser, *layouts, surface_to_2026_07, blend_to_2026_07); !done) return done;
    if (auto done = channels_to_2026_07(reviser, *layouts); !done) return done;
    files_to_2026_07(reviser);
    name_chunks(reviser);
    rename_properties(reviser);
    return {};
  });
}

Result<Opened> back_to_2026_01(const Opened& document, FindingSink& losses) {
  return step(document, Revision::r2026_07, Revision::r2026_01, losses, [](Reviser& reviser) -> Checked<> {
    auto layouts = read_layouts(reviser);
    if (!layouts) return Refused(layouts.error());
    if (auto done = revise_meshes(reviser, *layouts, surface_to_2026_01, blend_to_2026_01); !done) return done;
    if (auto done = channels_to_2026_01(reviser); !done) return done;
    auto done = files_to_2026_01(reviser);
    rename_properties(reviser);
    return done;
  });
}

// 2026-07 forbids control characters that earlier revisions allow. They are escaped in strings.
Result<Opened> with_legal_text(const Opened& document) {
  const std::string_view text = document->json().text();
  std::string legal = document::to_g4mf_text(std::string(text));
  if (legal == text) return document;
  return document::with_text(*document, std::move(legal), {});
}

struct Found {
  Revision revision;
  bool mixed;  ///< the file also uses names of other revisions
};

Found find(const document::Document& document) {
  FindingList findings;
  Model model;
  const Reader reader(document, findings, model, {});
  return {reader.revision(),
          std::ranges::any_of(findings.list(), [](const Finding& finding) { return finding.code == "G4MF_JSON_MIXED_REVISIONS"; })};
}

Result<Opened> convert(Opened document, const Found& found, Revision to, FindingSink& losses) {
  Result<Opened> done = std::move(document);
  Revision at = found.mixed ? Revision::r2025_08 : found.revision;  // converts the old names first
  const Revision highest = std::max(found.revision, to);
  const auto go = [&](Revision next, const auto& conversion) {
    if (done) done = conversion(*done, losses);
    at = next;
  };
  if (at == Revision::r2025_08 && highest > at) go(Revision::r2026_01, found.revision == at ? all_to_2026_01 : names_to_2026_01);
  if (at == Revision::r2026_01 && highest > at) go(Revision::r2026_07, to_2026_07);
  if (at == Revision::r2026_07 && to < at) go(Revision::r2026_01, back_to_2026_01);
  if (at == Revision::r2026_01 && to < at) go(Revision::r2025_08, to_2025_08);
  if (done && to == Revision::r2026_07) done = with_legal_text(*done);
  return done;
}

}  // namespace

Result<Revised> revise(Opened document, const ReviseOptions& options, FindingSink& losses) {
  if (!document->json().root().is(JsonKind::object)) return Revised{std::move(document), Revision::r2026_01};
  const Found found = find(*document);
  const Revision to = options.to.value_or(found.revision);
  Result<Opened> done = std::move(document);
  const bool mixed = options.to && found.mixed;  // replaces the names of other revisions
  if (to != found.revision || mixed) done = convert(std::move(*done), found, to, losses);
  if (done && options.group_names != GroupNames::keep)
    done = step(*done, to, to, losses, [&](Reviser& reviser) {
      revise_group_names(reviser, options.group_names);
      return Checked<>();
    });
  if (!done) return Unexpected(std::move(done.error()));
  return Revised{std::move(*done), to};
}

}  // namespace sinew::g4mf

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

using Document = std::shared_ptr<const document::Document>;

template <class Use>
Result<Document> step(const Document& document, Revision from, Revision to, FindingSink& losses, const Use& use) {
  Reviser reviser(*document, from, to, losses);
  Checked<> done = reviser.begin();
  if (done) done = use(reviser);
  if (!done) return Unexpected(reviser.error_of(done.error()));
  return reviser.finish();
}

Result<Document> with_legal_names(const Document& document, Revision from, Revision to, FindingSink& losses) {
  if (!has_forbidden_names(document->json().root(), from, to)) return document;
  return step(document, from, to, losses, [](Reviser& reviser) {
    revise_names(reviser);
    return Checked<>();
  });
}

// In 2025-08 a topology may have no geometry. Its other members then mean nothing.
void drop_empty_topologies(Reviser& reviser) {
  const std::vector<JsonValue> meshes = reviser.old_list("meshes");
  for (std::size_t mesh = 0; mesh < meshes.size(); ++mesh) {
    std::size_t i = 0;
    for (const JsonValue surface : meshes[mesh]["surfaces"].elements()) {
      const std::size_t place = i++;
      if (!surface["topology"].is(JsonKind::object) || surface["topology"]["geometry"]) continue;
      reviser.lost(surface["topology"], "a topology without geometry");
      reviser.element("meshes", mesh).find("surfaces")->at(place).erase("topology");
    }
  }
}

// `old`: the file is of 2025-08, not a later one with some names of 2025-08.
Result<Document> to_2026_01(const Document& document, bool old, FindingSink& losses) {
  constexpr Revision from = Revision::r2025_08, to = Revision::r2026_01;
  if (!old)
    return step(document, from, to, losses, [](Reviser& reviser) {
      auto done = nodes_to_2026_01(reviser);
      rename_properties(reviser);
      return done;
    });
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

Result<Document> to_2025_08(const Document& document, FindingSink& losses) {
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

Checked<> meshes_to_2026_07(Reviser& reviser, const Layouts& layouts) {
  const std::vector<JsonValue> meshes = reviser.old_list("meshes");
  for (std::size_t mesh = 0; mesh < meshes.size(); ++mesh) {
    std::vector<SurfaceBindings> bindings;
    JsonEdit& edit = reviser.element("meshes", mesh);
    for (const JsonValue surface : meshes[mesh]["surfaces"].elements()) {
      const std::size_t i = bindings.size();
      auto bound = surface_to_2026_07(reviser, surface, layouts[mesh][i], edit.find("surfaces")->at(i));
      if (!bound) return Refused(bound.error());
      bindings.push_back(*bound);
    }
    const JsonValue blend = meshes[mesh]["blend"];
    if (!blend.is(JsonKind::object)) continue;
    if (auto done = blend_to_2026_07(reviser, blend, layouts[mesh], bindings, *edit.find("blend")); !done) return done;
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

Result<Document> to_2026_07(const Document& document, FindingSink& losses) {
  constexpr Revision from = Revision::r2026_01, to = Revision::r2026_07;
  auto named = with_legal_names(document, from, to, losses);
  if (!named) return named;
  return step(*named, from, to, losses, [](Reviser& reviser) -> Checked<> {
    const auto layouts = read_layouts(reviser);
    if (!layouts) return Refused(layouts.error());
    if (auto done = meshes_to_2026_07(reviser, *layouts); !done) return done;
    if (auto done = channels_to_2026_07(reviser, *layouts); !done) return done;
    files_to_2026_07(reviser);
    name_chunks(reviser);
    rename_properties(reviser);
    return {};
  });
}

Result<Document> back_to_2026_01(const Document& document, FindingSink& losses) {
  return step(document, Revision::r2026_07, Revision::r2026_01, losses, [](Reviser& reviser) -> Checked<> {
    const auto layouts = read_layouts(reviser);
    if (!layouts) return Refused(layouts.error());
    const std::vector<JsonValue> meshes = reviser.old_list("meshes");
    for (std::size_t mesh = 0; mesh < meshes.size(); ++mesh) {
      JsonEdit& edit = reviser.element("meshes", mesh);
      std::size_t i = 0;
      for (const JsonValue surface : meshes[mesh]["surfaces"].elements()) {
        if (auto done = surface_to_2026_01(reviser, surface, (*layouts)[mesh][i], edit.find("surfaces")->at(i)); !done) return done;
        ++i;
      }
      const JsonValue blend = meshes[mesh]["blend"];
      if (!blend.is(JsonKind::object)) continue;
      if (auto done = blend_to_2026_01(reviser, blend, (*layouts)[mesh], *edit.find("blend")); !done) return done;
    }
    if (auto done = channels_to_2026_01(reviser); !done) return done;
    auto done = files_to_2026_01(reviser);
    rename_properties(reviser);
    return done;
  });
}

// 2026-07 forbids control characters that earlier revisions allow. They are escaped in strings.
Result<Document> with_legal_text(const Document& document) {
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

Result<Document> convert(Document document, const Found& found, Revision to, FindingSink& losses) {
  Result<Document> done = document;
  Revision at = found.revision;
  if (found.mixed) at = Revision::r2025_08;  // converts the old names first
  const Revision highest = std::max(found.revision, to);
  if (at == Revision::r2025_08 && highest > at) {
    done = to_2026_01(*done, found.revision == Revision::r2025_08, losses);
    if (!done) return done;
    at = Revision::r2026_01;
  }
  if (highest == Revision::r2026_07 && at < highest) {
    done = to_2026_07(*done, losses);
    if (!done) return done;
    at = highest;
  }
  if (at > to && at == Revision::r2026_07) {
    done = back_to_2026_01(*done, losses);
    if (!done) return done;
    at = Revision::r2026_01;
  }
  if (at > to) done = to_2025_08(*done, losses);
  if (done && to == Revision::r2026_07) done = with_legal_text(*done);
  return done;
}

}  // namespace

Result<Revised> revise(Document document, const ReviseOptions& options, FindingSink& losses) {
  if (!document->json().root().is(JsonKind::object)) return Revised{std::move(document), Revision::r2026_01};
  const Found found = find(*document);
  const Revision to = options.to.value_or(found.revision);
  Result<Document> done = std::move(document);
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

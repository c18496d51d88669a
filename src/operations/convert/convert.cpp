// SPDX-License-Identifier: MIT
#include "sinew/convert.hpp"

#include <string>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/files/output.hpp"
#include "document/json/json_writer.hpp"
#include "g4mf/revise/revise.hpp"
#include "io/load/detect.hpp"
#include "io/load/read.hpp"
#include "operations/clips/edit_clips.hpp"
#include "operations/convert/convert_across.hpp"
#include "operations/convert/convert_static.hpp"
#include "operations/convert/convert_to_gltf.hpp"
#include "operations/convert/vrm/to_vrm1.hpp"
#include "operations/files/check_deformable.hpp"
#include "operations/files/chosen_scene.hpp"
#include "operations/files/update.hpp"
#include "operations/files/write_file.hpp"
#include "operations/repair/limit_influences.hpp"
#include "operations/skeletons/convert_skeletons.hpp"

namespace sinew::operations {

namespace {

using io::Format;

g4mf::GroupNames group_names(GroupNames wanted) {
  switch (wanted) {
    case GroupNames::drop:
      return g4mf::GroupNames::drop;
    case GroupNames::write:
      return g4mf::GroupNames::write;
    case GroupNames::keep:
      break;
  }
  return g4mf::GroupNames::keep;
}

Result<Written> convert_g4mf(const std::shared_ptr<const document::Document>& document, const std::filesystem::path& to,
                             const ConvertOptions& options, const Model* before, FindingSink& sink, LossWatch& losses) {
  g4mf::ReviseOptions reviser;
  reviser.to = options.revision;
  reviser.group_names = group_names(options.group_names);
  const auto revised = g4mf::revise(document, reviser, losses);
  if (!revised) return Unexpected(revised.error());
  const auto tidy = without_orphans(document.get(), revised->document, revised->revision);
  if (!tidy) return Unexpected(tidy.error());
  FindingList ignored;  // the findings concern an intermediate document
  FindingSink& findings = *tidy == document ? sink : ignored;
  const WriteOptions writing{options, options.compression, revised->revision, before};
  if (options.max_influences == 0) return write_file(*tidy, to, writing, findings, losses);
  const auto cut = limited(*tidy, options.max_influences, revised->revision, findings, losses);
  if (!cut) return Unexpected(cut.error());
  return write_file(*cut, to, writing, ignored, losses);
}

Result<Written> convert_gltf_file(const std::shared_ptr<const document::Document>& document, const std::filesystem::path& to,
                                  const ConvertOptions& options, const Model* before, FindingSink& sink, LossWatch& losses) {
  const auto changed = with_skeletons(document, options.skeletons, sink, losses);
  if (!changed) return Unexpected(changed.error());
  return write_file(*changed, to, {.edit = options, .before = before}, sink, losses);
}

/// Refuses a new document that cannot be deformed although its source can, because the new format rounds some numbers to 0.
Result<> check_made(const std::shared_ptr<const document::Document>& made, const std::filesystem::path& from, unsigned threads) {
  FindingList ignored;  // the findings concern an intermediate document
  const auto model = io::read(made, {}, ignored);
  const auto deformed = model ? check_deformable(*model, threads) : Result<>(Unexpected(model.error()));
  if (deformed || is_limit(deformed.error().failure)) return deformed;
  const std::string at = deformed.error().place.pointer.value_or("");
  return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{path_text(from), {}, {}},
                          format_text("the new file could not be deformed: {}{}{}", at, at.empty() ? "" : ": ", deformed.error().message)));
}

Result<Written> convert_to_g4mf(const std::shared_ptr<const document::Document>& document, const std::filesystem::path& to,
                                const ConvertOptions& options, const Model* before, FindingSink& sink, LossWatch& losses) {
  const auto converted = gltf_to_g4mf(document, options, sink, losses);
  if (!converted) return Unexpected(converted.error());
  if (auto done = check_made(*converted, document->path(), options.threads); !done) return Unexpected(std::move(done.error()));
  ConvertOptions writing = options;
  if (!writing.revision) writing.revision = g4mf::Revision::r2026_01;
  writing.max_influences = 0;  // gltf_to_g4mf has removed them
  return convert_g4mf(*converted, to, writing, before, sink, losses);
}

Result<Written> convert_to_gltf(const std::shared_ptr<const document::Document>& document, const std::filesystem::path& to,
                                const ConvertOptions& options, const Model* before, FindingSink& sink, LossWatch& losses) {
  const auto made = as_gltf(document, to, options, sink, losses);
  if (!made) return Unexpected(made.error());
  if (auto done = check_made(*made, document->path(), options.threads); !done) return Unexpected(std::move(done.error()));
  FindingList ignored;  // the findings concern an intermediate document
  return write_file(*made, to, {.edit = options, .before = before}, ignored, losses);
}

Unexpected usage(const std::filesystem::path& path, std::string message) {
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, Place{path_text(path), {}, {}}, message));
}

/// Returns the options that cannot be combined with slices and projections; empty: none are used.
std::string_view no_slice_with(const ConvertOptions& options) {
  if (options.max_error) return "--max-error";
  if (options.on_loss == OnLoss::refuse) return "--fail-on loss";
  if (options.max_influences != 0) return "--max-influences";
  if (options.skeletons != Skeletons::keep) return "--skeletons";
  if (options.prune_unused) return "--prune";
  if (!options.clips.empty()) return "edits of clips";
  if (options.to_vrm1) return "--vrm";
  if (options.revision || options.group_names != GroupNames::keep || options.compression != Compression::keep)
    return "--revision, --group-names or --compress";
  return {};
}

}  // namespace

Result<Written> convert(const std::filesystem::path& from, const std::filesystem::path& to, const ConvertOptions& options,
                        FindingSink& sink, FindingSink& losses) SINEW_TRY {
  const Format wanted = io::promised_by(to).format;
  if (auto fine = check_extension(to); !fine) return Unexpected(std::move(fine.error()));
  auto document = document::open(from, options.load.open, sink);
  if (!document) return Unexpected(std::move(document.error()));
  if (auto whole = check_whole(**document); !whole) return Unexpected(std::move(whole.error()));
  const Place place{path_text(from), {}, {}};
  const Format format = io::detect(**document);
  if (format == Format::unknown) return Unexpected(error("SINEW_UNKNOWN_FORMAT"_code, Failure::input, place));
  document = with_scene(*document, options.scene);
  if (!document) return Unexpected(std::move(document.error()));
  if (wanted != Format::gltf && options.to_vrm1) return usage(to, "--vrm needs a .vrm, .glb or .gltf output");
  if (wanted == Format::g4mf && options.skeletons != Skeletons::keep)
    return usage(to, "skeletons of G4MF are always strict; another choice needs a .gltf or .glb output");
  if (wanted == Format::gltf && (options.revision || options.group_names != GroupNames::keep || options.compression != Compression::keep))
    return usage(to, "revision, group names and compression apply to G4MF only; expected .g4tf or .g4b");

  if (!options.slices.empty() || options.project) {
    if (const std::string_view other = no_slice_with(options); !other.empty())
      return usage(to, format_text("a slice or a projection is a static model with losses; it cannot be combined with {}", other));
    return convert_static(*document, to, options, sink, losses);
  }
  if (!options.clips.empty()) {
    document = edit_clips(*document, options.clips, options.load, losses);
    if (!document) return Unexpected(std::move(document.error()));
  }
  LossWatch lost(losses, options.on_loss);
  std::optional<Model> before;
  if (options.to_vrm1) {
    auto made = to_vrm1(*document, options, sink, lost);
    if (!made) return Unexpected(std::move(made.error()));
    document = std::move(made->document);
    before = std::move(made->turned);
  }
  if (!before && (options.measure || options.max_error)) {
    FindingList ignored;  // reading for the new file reports them
    auto model = io::read(*document, options.load, ignored);
    if (!model) return Unexpected(std::move(model.error()));
    before = std::move(*model);
  }
  const Model* const measured = before && (options.measure || options.max_error) ? &*before : nullptr;
  // Other conversions remove influences after a change of revision, or in gltf_to_g4mf, where all influences of a vertex are known.
  if (options.max_influences != 0 && wanted == Format::gltf) {
    document = limited(*document, options.max_influences, {}, sink, lost);
    if (!document) return Unexpected(std::move(document.error()));
  }
  return wanted == format && wanted == Format::gltf ? convert_gltf_file(*document, to, options, measured, sink, lost)
         : wanted == format                         ? convert_g4mf(*document, to, options, measured, sink, lost)
         : wanted == Format::gltf                   ? convert_to_gltf(*document, to, options, measured, sink, lost)
                                                    : convert_to_g4mf(*document, to, options, measured, sink, lost);
}
SINEW_CATCH({path_text(from), {}, {}})

Result<> save_losses(std::span<const Finding> losses, const std::filesystem::path& path) SINEW_TRY {
  document::JsonWriter json;
  json.begin_array();
  for (const Finding& loss : losses) {
    json.begin_object();
    json.key("pointer").string(loss.pointer);
    json.key("what").string(loss.message);
    json.end_object();
  }
  json.end_array();
  auto file = document::OutputFile::create(path);
  if (!file) return Unexpected(std::move(file.error()));
  if (auto done = file->write(std::move(json).take() + '\n'); !done) return done;
  return file->commit();
}
SINEW_CATCH({path_text(path), {}, {}})

}  // namespace sinew::operations

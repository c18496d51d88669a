// SPDX-License-Identifier: MIT
#include "operations/files/write_file.hpp"

#include <optional>
#include <string>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/files/file.hpp"
#include "document/files/output.hpp"
#include "document/files/uri.hpp"
#include "document/json/json.hpp"
#include "document/schema/revision.hpp"
#include "g4mf/write/write_document.hpp"
#include "io/load/detect.hpp"
#include "io/load/read.hpp"
#include "operations/convert/convert_gltf.hpp"
#include "operations/files/update.hpp"

namespace sinew::operations {

namespace {

using document::Container;
using document::JsonValue;
using io::Format;

std::optional<std::uint32_t> stored_format(Compression compression) {
  switch (compression) {
    case Compression::none:
      return document::Chunk::uncompressed;
    case Compression::zstd:
      return document::Chunk::zstd;
    case Compression::keep:
      break;
  }
  return std::nullopt;
}

void report_relative(JsonValue references, FindingSink& losses) {
  for (const JsonValue reference : references.elements()) {
    const JsonValue uri = reference["uri"];
    if (!uri.is(document::JsonKind::string) || uri.equals("") || !document::scheme_of(uri.string()).empty()) continue;
    losses.add(finding("SINEW_CONVERT_RELATIVE_URI"_code, uri.place(), uri.string()));
  }
}

// File references in all revisions of G4MF: `files`, `models` and the `images` of textures. Buffers and images of glTF are copied.
void report_left_behind(const document::Document& document, const std::filesystem::path& to, FindingSink& losses) {
  if (document::canonical_folder_of(document.path()) == document::canonical_folder_of(to)) return;
  const JsonValue root = document.json().root();
  report_relative(root["files"], losses);
  report_relative(root["models"], losses);
  for (const JsonValue texture : root["textures"].elements()) report_relative(texture["images"], losses);
}

Written with_loss(Written written) {
  written.refused = Refused::loss;
  return written;
}

Result<Written> write_g4mf(const document::Document& document, const std::filesystem::path& to, const WriteOptions& options,
                           FindingSink& sink, LossWatch& losses) {
  g4mf::RewriteOptions rewriting;
  rewriting.container = io::promised_by(to).container;
  rewriting.format = stored_format(options.compression);
  rewriting.revision = options.revision;
  Written converted;
  converted.format = "G4MF";
  if (options.revision) converted.format = format_text("G4MF {}", g4mf::name_of(*options.revision));
  std::optional<document::OutputFile> file;
  if (losses.refuses()) return with_loss(std::move(converted));
  const auto write = [&](std::span<const std::byte> bytes) -> Result<> {
    if (losses.refuses()) return {};
    if (!file) {
      auto created = document::OutputFile::create(to, options.edit.name);
      if (!created) return Unexpected(std::move(created.error()));
      file = std::move(*created);
    }
    converted.bytes += bytes.size();
    return file->write(bytes);
  };
  if (auto done = g4mf::rewrite(document, rewriting, write, sink, losses); !done) return Unexpected(std::move(done.error()));
  if (losses.refuses()) return with_loss(std::move(converted));
  if (auto done = file->commit(); !done) return Unexpected(std::move(done.error()));
  return converted;
}

Result<Written> write_pruned(const document::Document& document, const std::filesystem::path& to, const WriteOptions& options, bool prune,
                             FindingSink& sink, LossWatch& losses) {
  if (prune) {
    const auto smaller = pruned(document, options.revision, losses);
    if (!smaller) return Unexpected(smaller.error());
    FindingList ignored;  // the findings concern an intermediate document
    return *smaller == nullptr ? write_pruned(document, to, options, false, sink, losses)
                               : write_pruned(**smaller, to, options, false, ignored, losses);
  }
  report_left_behind(document, to, losses);
  return io::detect(document) == Format::gltf
             ? convert_gltf(document, {to, options.edit.name}, io::promised_by(to).container, losses, options.made)
             : write_g4mf(document, to, options, sink, losses);
}

/// Returns the comparison with the largest error of all scenes, and counts the scenes.
Result<Comparison> compare_scenes(const Model& before, const Model& after, CompareOptions options, const MadeFrom& made,
                                  std::size_t& count) {
  options.comparisons = std::max<std::uint64_t>(1, before.scenes.size());
  auto worst = compare(before, after, options, made);
  count = 1;
  for (Index scene = 0; worst && scene < before.scenes.size(); ++scene) {
    if (scene == before.default_scene || need(instances(before, scene)).empty()) continue;
    options.scene_a = options.scene_b = scene;
    ++count;
    Result<Comparison> other;
    if (after.scenes.size() == before.scenes.size())
      other = compare(before, after, options, made);
    else
      other->why_not = format_text("the new file does not have scene {}", scene);
    if (!other) return other;
    if (other->error() > worst->error()) worst = std::move(other);
  }
  return worst;
}

/// Compares the document with its source, if requested.
Result<std::optional<Comparison>> measured(const std::shared_ptr<const document::Document>& document, const WriteOptions& options,
                                           std::size_t& scenes) {
  if (options.before == nullptr) return std::nullopt;
  FindingList ignored;  // the findings concern an intermediate document
  io::LoadOptions reading = options.edit.load;
  reading.revision = options.revision;
  const auto after = io::read(document, reading, ignored);
  CompareOptions comparing;
  comparing.threads = options.edit.threads;
  comparing.stored_amounts = options.stored_amounts;
  comparing.surfaces = options.surfaces;
  comparing.surface_known = 0.05 * options.edit.max_error.value_or(0);
  auto compared =
      after ? compare_scenes(*options.before, *after, comparing, options.made_from, scenes) : Result<Comparison>(Unexpected(after.error()));
  if (compared) return std::move(*compared);
  if (!options.edit.max_error) return std::nullopt;
  Error error = std::move(compared.error());
  error.message = format_text("the error of the new file cannot be measured: {}", error.message);
  return Unexpected(std::move(error));
}

}  // namespace

Result<> check_extension(const std::filesystem::path& to) {
  if (io::promised_by(to).format != Format::unknown) return {};
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, Place{path_text(to), {}, {}},
                          format_text("unknown extension \"{}\", expected .g4tf, .g4b, .gltf or .glb", path_text(to.extension()))));
}

Result<> check_whole(const document::Document& document) {
  const Finding* const cut = document.cut();
  if (cut == nullptr) return {};
  return Unexpected(Error{Failure::input, std::string(cut->code), Place{path_text(document.path()), {}, cut->offset}, cut->message});
}

Result<Written> measure_only(const std::shared_ptr<const document::Document>& document, const WriteOptions& options) {
  if (options.measured != nullptr) return *options.measured;
  Written written;
  auto movement = measured(document, options, written.scenes);
  if (!movement) return Unexpected(std::move(movement.error()));
  if (*movement && options.edit.max_error && (*movement)->error() > *options.edit.max_error) written.refused = Refused::error;
  written.movement = std::move(*movement);
  return written;
}

Result<Written> write_file(const std::shared_ptr<const document::Document>& document, const std::filesystem::path& to,
                           const WriteOptions& options, FindingSink& sink, LossWatch& losses) {
  if (const Format format = io::detect(*document); format != io::promised_by(to).format) {
    const Place place{path_text(document->path()), {}, {}};
    return Unexpected(error("SINEW_CONVERT_UNSUPPORTED"_code, Failure::unsupported, place, format == Format::gltf ? "glTF" : "G4MF",
                            path_text(to.extension())));
  }
  auto measured = measure_only(document, options);
  if (!measured || measured->refused != Refused::no) return measured;
  auto written = write_pruned(*document, to, options, options.edit.prune_unused, sink, losses);
  if (written) {
    written->movement = std::move(measured->movement);
    written->scenes = measured->scenes;
  }
  return written;
}

}  // namespace sinew::operations

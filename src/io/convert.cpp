// SPDX-License-Identifier: MIT
#include "sinew/convert.hpp"

#include <algorithm>
#include <cctype>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/catalogue.hpp"
#include "document/json.hpp"
#include "document/json_writer.hpp"
#include "document/output.hpp"
#include "document/uri.hpp"
#include "g4mf/revise.hpp"
#include "g4mf/write_document.hpp"
#include "io/convert_gltf.hpp"
#include "io/detect.hpp"

namespace sinew::io {

namespace {

using document::Container;
using document::JsonValue;

std::string extension_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return extension;
}

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

void report_relative(JsonValue references, FindingSink& losses) {
  for (const JsonValue reference : references.elements()) {
    const JsonValue uri = reference["uri"];
    if (!uri.is(document::JsonKind::string) || uri.equals("") || !document::scheme_of(uri.string()).empty()) continue;
    losses.add(finding<"SINEW_CONVERT_RELATIVE_URI"_code>(uri.pointer(), uri.string()));
  }
}

// File references of all revisions of G4MF: `files`, `models` and the `images` of textures; in glTF `images` and buffers.
void report_left_behind(const document::Document& document, const std::filesystem::path& to, FindingSink& losses) {
  std::error_code unknown;
  const auto folder = [&](const std::filesystem::path& path) { return weakly_canonical(absolute(path, unknown).parent_path(), unknown); };
  if (folder(document.path()) == folder(to)) return;
  const JsonValue root = document.json().root();
  report_relative(root["files"], losses);
  report_relative(root["models"], losses);
  report_relative(root["images"], losses);
  if (detect(document) == Format::gltf) report_relative(root["buffers"], losses);
  for (const JsonValue texture : root["textures"].elements()) report_relative(texture["images"], losses);
}

Result<Converted> convert_g4mf(const std::shared_ptr<const document::Document>& document, const std::filesystem::path& to,
                               const ConvertOptions& options, FindingSink& sink, FindingSink& losses) {
  g4mf::ReviseOptions revising;
  revising.to = options.revision;
  revising.group_names = group_names(options.group_names);
  const auto revised = g4mf::revise(document, revising, losses);
  if (!revised) return Unexpected(revised.error());
  g4mf::RewriteOptions rewriting;
  rewriting.container = extension_of(to) == ".g4b" ? Container::g4b : Container::json;
  rewriting.format = stored_format(options.compression);
  rewriting.revision = revised->revision;
  Converted converted{fmt::format("G4MF {}", g4mf::revision_names[static_cast<std::size_t>(revised->revision)]), 0};
  std::optional<document::OutputFile> file;
  const auto write = [&](std::span<const std::byte> bytes) -> Result<> {
    if (!file) {
      auto created = document::OutputFile::create(to);
      if (!created) return Unexpected(std::move(created.error()));
      file = std::move(*created);
    }
    converted.bytes += bytes.size();
    return file->write(bytes);
  };
  FindingList ignored;  // about a document that nobody has seen
  FindingSink& findings = revised->document == document ? sink : ignored;
  if (auto done = g4mf::rewrite(*revised->document, rewriting, write, findings, losses); !done) return Unexpected(std::move(done.error()));
  if (auto done = file->commit(); !done) return Unexpected(std::move(done.error()));
  return converted;
}

Unexpected usage(const std::filesystem::path& path, std::string message) {
  return Unexpected(error<"SINEW_USAGE"_code>(Failure::usage, Place{path.string(), {}, {}}, message));
}

}  // namespace

Result<Converted> convert(const std::filesystem::path& from, const std::filesystem::path& to, const ConvertOptions& options,
                          FindingSink& sink, FindingSink& losses) try {
  const std::string extension = extension_of(to);
  const bool gltf_wanted = extension == ".gltf" || extension == ".glb";
  if (extension != ".g4tf" && extension != ".g4b" && !gltf_wanted)
    return usage(to, fmt::format("unknown extension \"{}\", expected .g4tf, .g4b, .gltf or .glb", extension));
  auto document = document::open(from, options.open, sink);
  if (!document) return Unexpected(std::move(document.error()));
  const Place place{from.string(), {}, {}};
  const Format format = detect(**document);
  if (format == Format::unknown) return Unexpected(error<"SINEW_UNKNOWN_FORMAT"_code>(Failure::input, place));
  if ((format == Format::gltf) != gltf_wanted)
    return Unexpected(
        error<"SINEW_CONVERT_UNSUPPORTED"_code>(Failure::unsupported, place, format == Format::gltf ? "glTF" : "G4MF", extension));
  if (gltf_wanted && (options.revision || options.group_names != GroupNames::keep || options.compression != Compression::keep))
    return usage(to, "revisions, group names and compressed buffers are G4MF's, expected .g4tf or .g4b");

  FindingList lost;
  auto done = gltf_wanted ? convert_gltf(**document, to, extension == ".glb" ? Container::glb : Container::json, lost)
                          : convert_g4mf(*document, to, options, sink, lost);
  if (!done) return done;
  for (const Finding& loss : lost.list()) losses.add(loss);
  report_left_behind(**document, to, losses);
  return done;
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, Place{from.string(), {}, {}}));
}

Result<> save_losses(std::span<const Finding> losses, const std::filesystem::path& path) try {
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
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, Place{path.string(), {}, {}}));
}

}  // namespace sinew::io

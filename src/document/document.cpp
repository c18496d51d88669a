// SPDX-License-Identifier: MIT
#include "sinew/document.hpp"

#include <atomic>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/path_text.hpp"
#include "document/container/container.hpp"
#include "document/files/file.hpp"
#include "document/files/uri.hpp"
#include "document/json/g4mf_text.hpp"
#include "document/json/json.hpp"
#include "document/json/text_positions.hpp"
#include "document/schema/edited.hpp"

#include "sinew/result.hpp"

namespace sinew::document {

struct Document::Parts {
  std::filesystem::path path;
  OpenOptions options;
  Container container = Container::json;
  Bytes file;
  Contents contents;
  Json json;
  mutable std::atomic<std::uint64_t> beside = 0;  ///< bytes of other files that were read
};

Document::Document(std::unique_ptr<const Parts> parts) noexcept : parts_(std::move(parts)) {}
Document::~Document() = default;

const std::filesystem::path& Document::path() const noexcept { return parts_->path; }
Container Document::container() const noexcept { return parts_->container; }
const Json& Document::json() const noexcept { return parts_->json; }
std::span<const Bytes> Document::chunks() const noexcept { return parts_->contents.chunks; }
std::span<const Chunk> Document::chunk_list() const noexcept { return parts_->contents.chunk_list; }
std::optional<std::uint64_t> Document::json_offset() const noexcept { return parts_->contents.json_offset; }
const Finding* Document::cut() const noexcept { return parts_->contents.cut ? &*parts_->contents.cut : nullptr; }
std::uint64_t Document::size() const noexcept { return parts_->file.view.size() + parts_->beside; }
const OpenOptions& Document::options() const noexcept { return parts_->options; }

namespace {

Unexpected in_file(Error error, const std::filesystem::path& path) {
  if (error.place.file.empty()) error.place.file = path_text(path);
  return Unexpected(std::move(error));
}

std::unique_ptr<Document::Parts> new_parts(const std::filesystem::path& path, const OpenOptions& options, Container container) {
  auto parts = std::make_unique<Document::Parts>();
  parts->path = path;
  parts->options = options;
  parts->container = container;
  return parts;
}

/// Converts an error about the JSON text to a finding.
Finding finding_from(const Error& error, const Contents& contents) {
  const CatalogueRow& row = *find_code(error.code);
  Finding found{row.code, row.severity, error.place.pointer.value_or(""), std::nullopt, error.message};
  if (error.place.offset) {
    found.position = TextPositions(contents.json).of(*error.place.offset - contents.json_offset.value_or(0));
    if (contents.json_offset) found.position->byte = error.place.offset;
  }
  return found;
}

/// Reads a file of OpenOptions::files. An error without text, or with a code of the host's own, is an IO_ERROR: findings have ours alone.
Result<Bytes> read_from_source(const std::string& name, const OpenOptions& options) {
  auto bytes = options.files->read(name);
  if (!bytes && find_code(bytes.error().code) == nullptr) bytes.error().code = "IO_ERROR"_code->code;
  if (!bytes && bytes.error().message.empty()) bytes.error().message = "cannot be read";
  if (bytes && bytes->view.size() > options.limits.memory)
    return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, {name, std::nullopt, std::nullopt}, "the file's content",
                            bytes->view.size(), options.limits.memory));
  return bytes;
}

Result<Bytes> read_beside(const Document& document, std::string_view uri) {
  if (is_data_uri(uri)) return decode_data_uri(uri, document.options().limits.memory, DataUriRules::any, document.options().memory);
  if (document.options().files != nullptr) {
    const auto name = resolve_name(path_text(document.path()), uri, document.options());
    if (!name) return Unexpected(name.error());
    return read_from_source(*name, document.options());
  }
  // Checks the URI first, so that a scheme is refused even for standard input.
  const std::filesystem::path folder = document.path().parent_path();
  auto file = resolve(folder, uri, document.options());
  if (!file) return Unexpected(std::move(file.error()));
  if (document.path() == "-") return Unexpected(error("SINEW_URI_NO_FOLDER"_code, Failure::input, {}, uri));
  return read_named_file(folder, *file, document.options());
}

Result<Contents> read_contents(Container container, const Bytes& file, const OpenOptions& options, FindingSink& sink) {
  switch (container) {
    case Container::glb:
      return read_glb(file, sink);
    case Container::g4b:
      return read_g4b(file, options, sink);
    case Container::json:
      break;
  }
  Contents contents;
  contents.json = {reinterpret_cast<const char*>(file.view.data()), file.view.size()};
  return contents;
}

/// Returns whether findings about the JSON text get the names of G4MF. Detects the format as io does, as far as the text can be read.
bool is_g4mf(Container container, const std::filesystem::path& path, const Result<Json>& json) {
  if (container != Container::json) return container == Container::g4b;
  if (json && json->root()["asset"]["dimension"]) return true;
  const std::string extension = need(file_extension(path_text(path)));
  return extension == ".g4tf" || extension == ".g4b";
}

Result<Json> parse(const Document::Parts& parts, FindingSink& sink) {
  const Contents& contents = parts.contents;
  FindingList found;
  auto json = Json::parse(contents.json, parts.options.limits, contents.json_offset.value_or(0), found, 0, parts.options.memory);
  const bool g4mf = is_g4mf(parts.container, parts.path, json);
  G4mfJsonSink g4mf_sink(contents.json, sink);
  for (Finding finding : found.list()) {
    if (finding.position && !contents.json_offset) finding.position->byte.reset();
    (g4mf ? static_cast<FindingSink&>(g4mf_sink) : sink).add(std::move(finding));
  }
  if (json) return json;
  Error error = g4mf ? to_g4mf_error(std::move(json.error()), contents.json) : std::move(json.error());
  if (!contents.json_offset && error.place.offset) error.message += " (the position refers to the decompressed text)";
  return Unexpected(std::move(error));
}

}  // namespace

Result<Bytes> Document::fetch(std::string_view uri) const SINEW_TRY {
  auto bytes = read_beside(*this, uri);
  if (!bytes) return in_file(std::move(bytes.error()), path());
  if (!is_data_uri(uri)) parts_->beside += bytes->view.size();
  return bytes;
}
SINEW_CATCH({path_text(path()), {}, {}})

Result<std::shared_ptr<const Document>> open(const std::filesystem::path& path, const OpenOptions& options, FindingSink& sink) SINEW_TRY {
  auto file = options.files != nullptr ? read_from_source(path_text(path), options)
                                       : read_file(path, options.access, options.limits.memory, options.memory);
  if (!file) return in_file(std::move(file.error()), path);
  return from_bytes(std::move(*file), path, options, sink);
}
SINEW_CATCH({path_text(path), {}, {}})

Result<std::shared_ptr<const Document>> from_bytes(Bytes file, const std::filesystem::path& path, const OpenOptions& options,
                                                   FindingSink& sink) SINEW_TRY {
  auto parts = new_parts(path, options, detect(file.view, path));
  parts->file = std::move(file);
  const auto refuse = [&](Error why) -> Result<std::shared_ptr<const Document>> {  // the code is what a checker expects, the message helps
    if (parts->file.view.empty() && why.failure == Failure::input) why.message = "the file is empty";
    return in_file(std::move(why), path);
  };
  if (auto why = parts->container == Container::json ? foreign(parts->file.view, path) : std::nullopt) {
    Finding unknown = finding("SINEW_UNKNOWN_FORMAT"_code, "");
    unknown.message = why->message;
    sink.add(std::move(unknown));
    return refuse(*std::move(why));
  }
  auto contents = read_contents(parts->container, parts->file, options, sink);
  if (!contents) return refuse(std::move(contents.error()));
  parts->contents = std::move(*contents);
  auto json = parse(*parts, sink);
  if (!json && json.error().failure == Failure::input && parts->container == Container::json && container_of(path) != Container::json) {
    // If the extension promises a binary container and the content is not even text, the error is about the magic.
    auto promised = read_contents(container_of(path), parts->file, options, sink);
    if (!promised) return refuse(std::move(promised.error()));
  }
  if (!json) {
    if (json.error().failure == Failure::input) sink.add(finding_from(json.error(), parts->contents));
    return refuse(std::move(json.error()));
  }
  parts->json = std::move(*json);
  return std::make_shared<const Document>(std::unique_ptr<const Document::Parts>(std::move(parts)));
}
SINEW_CATCH({path_text(path), {}, {}})

namespace {

/// Makes a document without a file. `parts` has its path, options, container and chunks.
Result<std::shared_ptr<const Document>> made_of(std::unique_ptr<Document::Parts> parts, std::string text) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  parts->file = {std::as_bytes(std::span(*owner)), owner};
  parts->contents.json = *owner;
  if (parts->container == Container::g4b && parts->contents.chunk_list.empty())
    parts->contents.chunk_list.push_back({Chunk::json, Chunk::uncompressed, parts->file, 0});
  FindingList ignored;
  auto json = Json::parse(parts->contents.json, parts->options.limits, 0, ignored);
  if (!json) return in_file(std::move(json.error()), parts->path);
  parts->json = std::move(*json);
  return std::make_shared<const Document>(std::unique_ptr<const Document::Parts>(std::move(parts)));
}

}  // namespace

Result<std::shared_ptr<const Document>> with_text(const Document& document, std::string text, std::span<const Bytes> blobs) SINEW_TRY {
  std::vector<Chunk> chunks(document.chunk_list().begin(), document.chunk_list().end());
  if (chunks.empty()) chunks.push_back({Chunk::json, Chunk::uncompressed, {}, 0});  // placeholder for the text
  for (const Bytes& blob : blobs) chunks.push_back({Chunk::blob, Chunk::uncompressed, blob, 0});
  return with_chunks(document, std::move(text), std::move(chunks));
}
SINEW_CATCH({path_text(document.path()), {}, {}})

Result<std::shared_ptr<const Document>> with_chunks(const Document& document, std::string text, std::vector<Chunk> chunks) SINEW_TRY {
  auto parts = new_parts(document.path(), document.options(), Container::g4b);
  parts->contents.chunk_list = std::move(chunks);
  return made_of(std::move(parts), std::move(text));
}
SINEW_CATCH({path_text(document.path()), {}, {}})

Result<std::shared_ptr<const Document>> with_binary(const Document& document, std::string text, std::optional<Bytes> binary) SINEW_TRY {
  auto parts = new_parts(document.path(), document.options(), binary ? Container::glb : document.container());
  if (binary)
    parts->contents.chunks.assign(1, *binary);
  else
    parts->contents.chunks.assign(document.chunks().begin(), document.chunks().end());
  return made_of(std::move(parts), std::move(text));
}
SINEW_CATCH({path_text(document.path()), {}, {}})

Result<std::shared_ptr<const Document>> from_text(const std::filesystem::path& path, std::string text, Container container,
                                                  const OpenOptions& options) SINEW_TRY {
  return made_of(new_parts(path, options, container), std::move(text));
}
SINEW_CATCH({path_text(path), {}, {}})

}  // namespace sinew::document

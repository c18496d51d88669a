// SPDX-License-Identifier: MIT
#include "sinew/document.hpp"

#include <new>
#include <utility>

#include "base/catalogue.hpp"
#include "document/container.hpp"
#include "document/file.hpp"
#include "document/json.hpp"
#include "document/uri.hpp"

namespace sinew::document {

struct Document::Parts {
  std::filesystem::path path;
  OpenOptions options;
  Container container = Container::json;
  Bytes file;
  Contents contents;
  Json json;
};

Document::Document(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
Document::~Document() = default;

const std::filesystem::path& Document::path() const { return parts_->path; }
Container Document::container() const { return parts_->container; }
const Json& Document::json() const { return parts_->json; }
std::span<const Bytes> Document::chunks() const { return parts_->contents.chunks; }
const Finding* Document::cut() const { return parts_->contents.cut ? &*parts_->contents.cut : nullptr; }
const OpenOptions& Document::options() const { return parts_->options; }

namespace {

Unexpected in_file(Error error, const std::filesystem::path& path) {
  if (error.place.file.empty()) error.place.file = path.string();
  return Unexpected(std::move(error));
}

Finding finding_from(const Error& error) {
  const CatalogueRow& row = *find_code(error.code);
  return {row.code, row.severity, error.place.pointer.value_or(""), std::nullopt, error.message};
}

Result<Bytes> read_beside(const Document& document, std::string_view uri) {
  if (is_data_uri(uri)) return decode_data_uri(uri, document.options().limits.memory);
  // Checked as a URI first: a scheme is refused as such wherever the document came from.
  auto file = resolve(document.path().parent_path(), uri, document.options());
  if (!file) return Unexpected(std::move(file.error()));
  if (document.path() == "-") return Unexpected(error<"SINEW_URI_NO_FOLDER"_code>(Failure::input, {}, uri));
  return read_file(*file, document.options().access, document.options().limits.memory);
}

}  // namespace

Result<Bytes> Document::fetch(std::string_view uri) const try {
  auto bytes = read_beside(*this, uri);
  if (!bytes) return in_file(std::move(bytes.error()), path());
  return bytes;
} catch (const std::bad_alloc&) {
  return in_file(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}), path());
} catch (const std::filesystem::filesystem_error& failed) {
  return in_file(error<"IO_ERROR"_code>(Failure::input, {}, failed.code().message()), path());
}

Result<std::shared_ptr<const Document>> open(const std::filesystem::path& path, const OpenOptions& options, FindingSink& sink) try {
  auto parts = std::make_unique<Document::Parts>();
  parts->path = path;
  parts->options = options;
  auto file = read_file(path, options.access, options.limits.memory);
  if (!file) return in_file(std::move(file.error()), path);
  parts->file = std::move(*file);
  parts->container = detect(parts->file.view, path);
  if (parts->container == Container::glb) {
    auto contents = read_glb(parts->file, sink);
    if (!contents) return in_file(std::move(contents.error()), path);
    parts->contents = std::move(*contents);
  } else {
    parts->contents.json = {reinterpret_cast<const char*>(parts->file.view.data()), parts->file.view.size()};
  }
  auto json = Json::parse(parts->contents.json, options.limits, parts->contents.json_offset, sink);
  if (!json && json.error().failure == Failure::input && parts->container == Container::json && has_glb_extension(path)) {
    // A name that promises binary glTF, and content that is not even text: the magic is what is wrong.
    auto contents = read_glb(parts->file, sink);
    if (!contents) return in_file(std::move(contents.error()), path);
  }
  if (!json) {
    if (json.error().failure == Failure::input) sink.add(finding_from(json.error()));
    return in_file(std::move(json.error()), path);
  }
  parts->json = std::move(*json);
  return std::make_shared<const Document>(std::unique_ptr<const Document::Parts>(std::move(parts)));
} catch (const std::bad_alloc&) {
  return in_file(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}), path);
}

}  // namespace sinew::document

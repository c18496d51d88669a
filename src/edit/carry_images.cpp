// SPDX-License-Identifier: MIT
#include "edit/carry_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <system_error>

#include "base/catalogue_edit.hpp"
#include "document/file.hpp"
#include "document/image.hpp"
#include "document/output.hpp"
#include "document/uri.hpp"
#include "gltf/write/editing.hpp"
#include "io/gltf_file.hpp"

namespace sinew::edit {

namespace fs = std::filesystem;

using document::Bytes;
using document::Document;
using document::JsonEdit;
using document::JsonKind;
using document::JsonValue;

namespace {

/// The URI of an image in a file of its own; empty for all others.
std::string file_uri(JsonValue image) {
  const JsonValue uri = image["uri"];
  return uri.is(JsonKind::string) && document::scheme_of(uri.string()).empty() ? uri.string() : std::string();
}

/// The content of an image file; nothing with a finding where it cannot be read.
std::optional<Bytes> read_image(const Document& document, JsonValue image, FindingSink& losses) {
  auto bytes = document.fetch(file_uri(image));
  if (bytes && !bytes->view.empty()) return std::move(*bytes);
  losses.add(finding<"SINEW_CONVERT_IMAGE_MISSING"_code>(image["uri"].pointer(), file_uri(image),
                                                         bytes ? std::string("the file is empty") : bytes.error().message));
  return std::nullopt;
}

std::string media_type_of(JsonValue image, const Bytes& bytes) {
  const std::string_view found = document::image_mime_type(bytes.view);
  return found.empty() ? image["mimeType"].string() : std::string(found);
}

/// Whether the file has this content already.
bool holds(const fs::path& path, const Bytes& bytes) {
  const auto there = document::read_file(path, FileAccess::copy, bytes.view.size());
  return there && std::ranges::equal(there->view, bytes.view);
}

/// "textures/skin.png" becomes "skin.0123456789abcdef.png".
fs::path with_hash(const fs::path& name, const Bytes& bytes) {
  return fmt::format("{}.{:016x}{}", name.stem().string(), gltf::content_hash(bytes.view), name.extension().string());
}

}  // namespace

Result<std::shared_ptr<const Document>> with_embedded_images(const Document& document, FindingSink& losses) {
  gltf::Editing editing({std::shared_ptr<const void>(), &document}, losses);
  std::map<std::string, Index> views;  // by URI: images may share a file
  std::size_t index = 0;
  for (const JsonValue image : editing.old_list("images")) {
    const std::size_t i = index++;
    const std::string uri = file_uri(image);
    if (uri.empty()) continue;
    const auto bytes = read_image(document, image, losses);
    if (!bytes) continue;
    const std::string type = media_type_of(image, *bytes);
    if (type.empty()) {
      losses.add(finding<"SINEW_CONVERT_RELATIVE_URI"_code>(image["uri"].pointer(), uri));
      continue;
    }
    const auto [place, added] = views.try_emplace(uri, none);
    if (added) place->second = editing.add_bytes(bytes->view);
    JsonEdit& edit = editing.element("images", i);
    edit.erase("uri");
    edit.set("bufferView", JsonEdit::integer(place->second));
    edit.set("mimeType", JsonEdit::string(type));
  }
  return editing.finish();
}

CopiedImages::~CopiedImages() {
  std::error_code ignored;
  for (const fs::path& path : written_) fs::remove(path, ignored);
}

Result<> CopiedImages::copy(const Document& document, const fs::path& to, JsonEdit& root, FindingSink& losses) {
  if (document::canonical_folder_of(document.path()) == document::canonical_folder_of(to)) return {};
  std::size_t index = 0;
  for (const JsonValue image : document.json().root()["images"].elements()) {
    const std::size_t i = index++;
    const std::string uri = file_uri(image);
    if (uri.empty()) continue;
    const auto bytes = read_image(document, image, losses);
    if (!bytes) continue;
    fs::path name = fs::path(document::percent_decode(uri)).lexically_normal();
    const bool inside = name.is_relative() && !name.empty() && *name.begin() != "..";
    if (!inside) name = with_hash(name, *bytes);
    std::error_code failed;
    if (fs::exists(to.parent_path() / name, failed) && !holds(to.parent_path() / name, *bytes)) name = with_hash(name, *bytes);
    const fs::path path = to.parent_path() / name;
    if (!inside || name.filename() != fs::path(document::percent_decode(uri)).filename())
      root.find("images")->at(i).set("uri", JsonEdit::string(io::bin_uri(name)));
    if (fs::exists(path, failed)) continue;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), failed);
    auto file = document::OutputFile::create(path);
    if (!file) return Unexpected(std::move(file.error()));
    if (auto done = file->write(bytes->view); !done) return done;
    if (auto done = file->commit(); !done) return done;
    written_.push_back(path);
  }
  return {};
}

}  // namespace sinew::edit

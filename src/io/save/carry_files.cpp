// SPDX-License-Identifier: MIT
#include "io/save/carry_files.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/container/image.hpp"
#include "document/files/file.hpp"
#include "document/files/output.hpp"
#include "document/files/uri.hpp"
#include "gltf/write/editor.hpp"
#include "io/save/gltf_file.hpp"

namespace sinew::io {

namespace fs = std::filesystem;

using document::Bytes;
using document::Document;
using document::JsonEdit;
using document::JsonKind;
using document::JsonValue;

namespace {

/// Returns the URI of an image or buffer in an external file; otherwise empty.
std::string file_uri(JsonValue element) {
  const JsonValue uri = element["uri"];
  return uri.is(JsonKind::string) && document::scheme_of(uri.string()).empty() ? uri.string() : std::string();
}

/// Returns the content of the file; if it cannot be read, nothing, with a finding.
std::optional<Bytes> read_file(const Document& document, JsonValue element, FindingSink& losses) {
  using operations::operator""_code;
  auto bytes = document.fetch(file_uri(element));
  if (bytes && !bytes->view.empty()) return std::move(*bytes);
  const JsonValue uri = element["uri"];
  if (element["byteLength"])  // a buffer
    losses.add(finding("SINEW_CONVERT_RELATIVE_URI"_code, uri.place(), uri.string()));
  else
    losses.add(finding("SINEW_CONVERT_IMAGE_MISSING"_code, uri.place(), uri.string(),
                       bytes ? std::string("the file is empty") : bytes.error().message));
  return std::nullopt;
}

std::string media_type_of(JsonValue image, const Bytes& bytes) {
  const std::string_view found = document::image_mime_type(bytes.view);
  return found.empty() ? image["mimeType"].string() : std::string(found);
}

/// Returns whether the file already has this content.
bool holds(const fs::path& path, const Bytes& bytes) {
  const auto there = document::read_made_file(path, bytes.view.size());
  return there && std::ranges::equal(there->view, bytes.view);
}

/// "textures/skin.png" becomes "skin.0123456789abcdef.png".
fs::path with_hash(const fs::path& name, const Bytes& bytes) {
  return path_of(format_text("{}.{:016x}{}", path_text(name.stem()), document::content_hash(bytes.view), path_text(name.extension())));
}

}  // namespace

Result<std::shared_ptr<const Document>> with_embedded_images(const Document& document, FindingSink& losses) {
  gltf::Editor editor({std::shared_ptr<const void>(), &document}, losses);
  std::map<std::string, Index> views;  // by URI: images may share a file
  std::set<std::string> missing;
  std::size_t index = 0;
  for (const JsonValue image : editor.old_list("images")) {
    const std::size_t i = index++;
    const std::string uri = file_uri(image);
    if (uri.empty()) continue;
    if (missing.contains(uri)) continue;
    const auto bytes = read_file(document, image, losses);
    if (!bytes) {
      missing.insert(uri);
      continue;
    }
    const std::string type = media_type_of(image, *bytes);
    if (type.empty()) {
      using operations::operator""_code;
      losses.add(finding("SINEW_CONVERT_RELATIVE_URI"_code, image["uri"].place(), uri));
      continue;
    }
    const auto [place, added] = views.try_emplace(uri, none);
    if (added) place->second = editor.add_bytes(bytes->view);
    JsonEdit& edit = editor.element("images", i);
    edit.erase("uri");
    edit.set("bufferView", JsonEdit::integer(place->second));
    edit.set("mimeType", JsonEdit::string(type));
  }
  return editor.finish();
}

CopiedFiles::~CopiedFiles() {
  std::error_code ignored;
  for (auto path = written_.rbegin(); path != written_.rend(); ++path) fs::remove(*path, ignored);
}

Result<> CopiedFiles::copy(const Document& document, const fs::path& to, JsonEdit& root, FindingSink& losses) {
  std::error_code failed;
  const bool stays = document::canonical_folder_of(document.path()) == document::canonical_folder_of(to);
  if (stays && (made_ == nullptr || made_->empty())) return {};
  if (to.has_parent_path() && !fs::is_directory(to.parent_path(), failed)) return {};  // writing the file itself will fail
  for (const std::string_view list : {"buffers", "images"}) {
    std::size_t index = 0;
    for (const JsonValue element : document.json().root()[list].elements()) {
      const std::size_t i = index++;
      if (file_uri(element).empty() || (stays && new_file(file_uri(element)) == nullptr)) continue;
      auto uri = copy_one(document, to.parent_path(), element, losses);
      if (!uri) return Unexpected(std::move(uri.error()));
      if (!uri->empty()) root.find(list)->at(i).set("uri", JsonEdit::string(*uri));
    }
  }
  return {};
}

const Bytes* CopiedFiles::new_file(std::string_view uri) const {
  if (made_ == nullptr) return nullptr;
  const auto found = made_->find(uri);
  return found == made_->end() ? nullptr : &found->second;
}

Result<std::string> CopiedFiles::copy_one(const Document& document, const fs::path& folder, JsonValue element, FindingSink& losses) {
  const auto [known, is_new] = known_.try_emplace(file_uri(element));
  if (!is_new) return known->second;  // images may share a file; a missing one is reported once
  const Bytes* const fresh = new_file(file_uri(element));
  const auto bytes = fresh == nullptr ? read_file(document, element, losses) : std::optional(*fresh);
  if (!bytes) return std::string();
  const fs::path old = fs::path(document::percent_decode(file_uri(element))).lexically_normal();
  const bool inside = old.is_relative() && !old.empty() && *old.begin() != ".." && !document::why_outside(folder, old.parent_path());
  fs::path name = inside ? old : with_hash(old, *bytes);
  std::error_code failed;
  if (fs::exists(fs::symlink_status(folder / name, failed)) && !holds(folder / name, *bytes)) name = with_hash(name, *bytes);
  const std::string uri = known->second = name == old ? std::string() : bin_uri(name);
  if (holds(folder / name, *bytes)) return uri;
  fs::path made = folder;
  for (const fs::path& step : name.parent_path())
    if (made /= step; fs::create_directory(made, failed)) written_.push_back(made);
  auto file = document::OutputFile::create(folder / name, OutputName::made);
  if (!file) return Unexpected(std::move(file.error()));
  if (auto done = file->write(bytes->view); !done) return Unexpected(std::move(done.error()));
  if (auto done = file->commit(); !done) return Unexpected(std::move(done.error()));
  written_.push_back(folder / name);
  return uri;
}

}  // namespace sinew::io

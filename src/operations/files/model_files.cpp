// SPDX-License-Identifier: MIT
#include "operations/files/model_files.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/path_text.hpp"
#include "document/container/write_container.hpp"
#include "document/files/uri.hpp"
#include "document/json/json.hpp"
#include "g4mf/schema/source.hpp"
#include "g4mf/write/update.hpp"
#include "g4mf/write/write_document.hpp"
#include "gltf/extensions/KHR_draco_mesh_compression.hpp"
#include "gltf/schema/source.hpp"
#include "operations/files/update.hpp"

namespace sinew::operations {

namespace {

using document::Document;
using document::JsonValue;
using SharedDocument = std::shared_ptr<const Document>;

template <class Source>
SharedDocument document_in(const Model& model) {
  const auto* source = document::source_as<Source>(model.source.get());
  return source == nullptr ? nullptr : SharedDocument(model.source, &source->document());
}

/// Collects what a writer gives.
struct FileBytes {
  std::shared_ptr<std::string> owner = std::make_shared<std::string>();

  [[nodiscard]] document::ByteSink sink() const {
    return [to = owner](std::span<const std::byte> bytes) -> Result<> {
      to->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      return {};
    };
  }
  [[nodiscard]] document::Bytes bytes() const { return {std::as_bytes(std::span(*owner)), owner}; }
};

/// Returns the document with all geometry in accessors. Primitives are written anew if they differ, here in their elements, from those of
/// the model before.
Result<SharedDocument> without_draco(const SharedDocument& document, const Model& model) {
  Model before = model;
  bool found = false;
  std::size_t index = 0;
  for (const JsonValue mesh : document->json().root()["meshes"].elements()) {
    const std::size_t at = index++;
    const auto primitives = document::list_of(mesh["primitives"]);
    if (at >= before.meshes.size() ||
        std::ranges::none_of(primitives, [](JsonValue each) { return bool{each["extensions"][gltf::draco_extension]}; }))
      continue;
    for (Surface& surface : before.meshes[at].surfaces) surface.elements = {};
    found = true;
  }
  FindingList ignored;  // of materials and the like there are no changes
  return found ? update(document, before, model, ignored) : document;
}

Result<document::Bytes> gltf_file(const Document& document) {
  const FileBytes file;
  const std::string_view json = document.json().text();
  const bool binary = document.container() == document::Container::glb || !document.chunks().empty();
  if (!binary) {
    *file.owner = json;
    return file.bytes();
  }
  const auto chunk = document.chunks().empty() ? std::span<const std::byte>() : document.chunks().front().view;
  if (auto done = document::write_glb(json, chunk, file.sink()); !done) return Unexpected(done.error());
  return file.bytes();
}

Result<document::Bytes> g4mf_file(const Document& document, const Model& model) {
  const FileBytes file;
  FindingList ignored;
  const g4mf::RewriteOptions how{document::Container::g4b, document::Chunk::uncompressed, g4mf::revision_of(model)};
  if (auto done = g4mf::rewrite(document, how, file.sink(), ignored, ignored); !done) return Unexpected(done.error());
  return file.bytes();
}

void add_file(const Document& document, JsonValue element, std::vector<NamedFile>& files) {
  const JsonValue uri = element["uri"];
  if (!uri.is(document::JsonKind::string) || document::is_data_uri(uri.string())) return;
  std::string name = document::percent_decode(uri.string());
  if (std::ranges::any_of(files, [&](const NamedFile& file) { return file.name == name; })) return;
  if (auto bytes = document.fetch(uri.string())) files.push_back({std::move(name), std::move(*bytes)});
}

}  // namespace

Result<std::vector<NamedFile>> model_files(const Model& model) SINEW_TRY {
  std::vector<NamedFile> files;
  SharedDocument document = document_in<gltf::Source>(model);
  const bool gltf = document != nullptr;
  if (gltf) {
    auto plain = without_draco(document, model);
    if (!plain) return Unexpected(plain.error());
    document = std::move(*plain);
  } else {
    document = document_in<g4mf::Source>(model);
    if (document == nullptr) return files;
  }
  auto own = gltf ? gltf_file(*document) : g4mf_file(*document, model);
  if (!own) return Unexpected(own.error());
  files.push_back({path_text(document->path().filename()), std::move(*own)});
  const JsonValue root = document->json().root();
  for (const std::string_view list : {"buffers", "images", "files"}) {
    if (!gltf && list == "buffers") continue;  // those are in the file
    for (const JsonValue element : root[list].elements()) add_file(*document, element, files);
  }
  for (const JsonValue texture : root["textures"].elements())
    for (const JsonValue image : texture["images"].elements()) add_file(*document, image, files);
  return files;
}
SINEW_CATCH()

}  // namespace sinew::operations

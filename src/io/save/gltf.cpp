// SPDX-License-Identifier: MIT

#include <span>
#include <string>
#include <utility>

#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/container/write_container.hpp"
#include "document/files/file.hpp"
#include "document/files/output.hpp"
#include "gltf/schema/source.hpp"
#include "gltf/write/write.hpp"
#include "io/save/carry_files.hpp"
#include "io/save/formats.hpp"
#include "io/save/gltf_file.hpp"
#include "io/save/material_factors.hpp"

namespace sinew::io {
namespace {

namespace fs = std::filesystem;

gltf::WriteOptions options_for(const Model& model, std::vector<std::string>& notes) {
  gltf::WriteOptions options;
  GltfMaterials materials = gltf_materials(model);
  options.materials = std::move(materials.json);
  options.extensions = std::move(materials.extensions);
  for (std::string& note : materials.notes) notes.push_back(std::move(note));
  return options;
}

}  // namespace

Result<> save_glb(const Model& model, const Target& to, std::vector<std::string>& notes) {
  gltf::WriteOptions options = options_for(model, notes);
  options.embed_images = true;
  auto written = gltf::write(model, options);
  if (!written) return Unexpected(std::move(written.error()));
  for (std::string& note : written->notes) notes.push_back(std::move(note));
  auto file = document::OutputFile::create(to.path, to.name);
  if (!file) return Unexpected(std::move(file.error()));
  auto done =
      document::write_glb(written->json, written->buffer.view, [&](std::span<const std::byte> bytes) { return file->write(bytes); });
  if (!done) {
    if (done.error().place.file.empty()) done.error().place.file = path_text(to.path);
    return done;
  }
  return file->commit();
}

Result<> save_gltf(const Model& model, const Target& to, std::vector<std::string>& notes) {
  fs::path bin;
  gltf::WriteOptions options = options_for(model, notes);
  options.name_buffer = [&](std::span<const std::byte> buffer) {
    bin = bin_path(to.path, buffer);
    return bin_uri(bin);
  };
  const auto* const source = document::source_as<gltf::Source>(model.source.get());
  CopiedFiles images;
  FindingList missing;
  Result<> copied;
  if (source != nullptr && document::canonical_folder_of(source->document().path()) != document::canonical_folder_of(to.path))
    options.name_image = [&](document::JsonValue image) {
      auto uri = copied ? images.copy_one(source->document(), to.path.parent_path(), image, missing) : Result<std::string>();
      if (!uri) copied = Unexpected(std::move(uri.error()));
      return uri ? std::move(*uri) : std::string();
    };
  auto written = gltf::write(model, options);
  if (!written) return Unexpected(std::move(written.error()));
  if (!copied) return copied;
  for (std::string& note : written->notes) notes.push_back(std::move(note));
  for (const Finding& finding : missing.list()) notes.push_back(format_text("{}: {}", finding.pointer, finding.message));
  if (auto done = write_gltf(to, written->json, bin, written->buffer.view); !done) return done;
  images.keep();
  return {};
}

}  // namespace sinew::io

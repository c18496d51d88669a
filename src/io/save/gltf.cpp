// SPDX-License-Identifier: MIT

#include <span>
#include <string>
#include <utility>

#include "base/message.hpp"
#include "document/container/write_container.hpp"
#include "document/files/file.hpp"
#include "document/files/output.hpp"
#include "gltf/write/write.hpp"
#include "io/save/formats.hpp"
#include "io/save/gltf_file.hpp"
#include "io/save/material_factors.hpp"

namespace sinew::io {
namespace {

namespace fs = std::filesystem;

void add_notes(const Model& model, const fs::path& path, gltf::Written& written, std::vector<std::string>& notes) {
  for (std::string& note : written.notes) notes.push_back(std::move(note));
  if (written.relative_uris.empty() || document::canonical_folder_of(model.source->file()) == document::canonical_folder_of(path)) return;
  std::string list;
  for (const std::string& uri : written.relative_uris) list += (list.empty() ? "" : ", ") + uri;
  notes.push_back(format_text("images keep their relative URIs; copy these images beside the file: {}", list));
}

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
  auto written = gltf::write(model, options_for(model, notes));
  if (!written) return Unexpected(std::move(written.error()));
  add_notes(model, to.path, *written, notes);
  auto file = document::OutputFile::create(to.path, to.name);
  if (!file) return Unexpected(std::move(file.error()));
  auto done =
      document::write_glb(written->json, written->buffer.view, [&](std::span<const std::byte> bytes) { return file->write(bytes); });
  if (!done) {
    if (done.error().place.file.empty()) done.error().place.file = to.path.string();
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
  auto written = gltf::write(model, options);
  if (!written) return Unexpected(std::move(written.error()));
  add_notes(model, to.path, *written, notes);
  return write_gltf(to, written->json, bin, written->buffer.view);
}

}  // namespace sinew::io

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "document/output.hpp"
#include "document/write_container.hpp"
#include "gltf/write.hpp"
#include "gltf/write_buffer.hpp"
#include "io/buffered_output.hpp"
#include "io/formats.hpp"

namespace sinew::io {
namespace {

namespace fs = std::filesystem;

/// UTF-8 as a URI's path segment: all but RFC 3986's unreserved characters percent-encoded.
std::string uri_segment(std::string_view name) {
  constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string uri;
  for (const char c : name) {
    if (unreserved.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

fs::path folder_of(const fs::path& file) {
  std::error_code ignored;
  const fs::path folder = fs::weakly_canonical(file.has_parent_path() ? file.parent_path() : fs::path("."), ignored);
  return folder;
}

void add_notes(const Model& model, const fs::path& path, gltf::Written& written, std::vector<std::string>& notes) {
  for (std::string& note : written.notes) notes.push_back(std::move(note));
  if (written.relative_uris.empty() || folder_of(model.source->file()) == folder_of(path)) return;
  std::string list;
  for (const std::string& uri : written.relative_uris) list += (list.empty() ? "" : ", ") + uri;
  notes.push_back(fmt::format("images keep their relative URIs, copy them to where the file is: {}", list));
}

}  // namespace

Result<> save_glb(const Model& model, const fs::path& path, std::vector<std::string>& notes) {
  gltf::Written written = gltf::write(model);
  add_notes(model, path, written, notes);
  auto file = document::OutputFile::create(path);
  if (!file) return Unexpected(std::move(file.error()));
  auto done = document::write_glb(written.json, written.buffer, [&](std::span<const std::byte> bytes) { return file->write(bytes); });
  if (!done) {
    if (done.error().place.file.empty()) done.error().place.file = path.string();
    return done;
  }
  return file->commit();
}

Result<> save_gltf(const Model& model, const fs::path& path, std::vector<std::string>& notes) {
  std::string bin_name;
  gltf::WriteOptions options;
  options.name_buffer = [&](std::span<const std::byte> buffer) {
    bin_name = fmt::format("{}.{:016x}.bin", path.stem().string(), gltf::content_hash(buffer));
    return uri_segment(bin_name);
  };
  gltf::Written written = gltf::write(model, options);
  add_notes(model, path, written, notes);

  auto out = BufferedOutput::create(path);
  if (!out) return Unexpected(std::move(out.error()));
  out->text(written.json);
  if (bin_name.empty()) return out->commit();

  // The buffer appears first, so that no moment has a .gltf without it; its name says its content, so an older one is never replaced by
  // anything else.
  const fs::path bin_path = path.parent_path() / bin_name;
  std::error_code ignored;
  const bool was_there = fs::exists(bin_path, ignored);
  auto bin = BufferedOutput::create(bin_path);
  if (!bin) return Unexpected(std::move(bin.error()));
  bin->bytes(written.buffer);
  if (auto done = bin->commit(); !done) return done;
  auto done = out->commit();
  if (!done && !was_there) fs::remove(bin_path, ignored);
  return done;
}

}  // namespace sinew::io

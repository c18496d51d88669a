// SPDX-License-Identifier: MIT
#include <array>
#include <utility>

#include "base/path_text.hpp"
#include "document/container/write_container.hpp"
#include "document/files/output.hpp"
#include "document/files/uri.hpp"
#include "g4mf/write/write.hpp"
#include "io/save/formats.hpp"

namespace sinew::io {
namespace {

namespace fs = std::filesystem;

/// Writes the model; `notes` gets what could not be written.
Result<g4mf::Written> write(const Model& model, const fs::path& path, const g4mf::WriteOptions& options, std::vector<std::string>& notes) {
  auto written = g4mf::write(model, options);
  if (!written) {
    written.error().place.file = path_text(path);
    return written;
  }
  for (std::string& note : written->notes) notes.push_back(std::move(note));
  return written;
}

}  // namespace

Result<> save_g4b(const Model& model, const Target& to, std::vector<std::string>& notes) {
  const auto written = write(model, to.path, {}, notes);
  if (!written) return Unexpected(written.error());
  auto file = document::OutputFile::create(to.path, to.name);
  if (!file) return Unexpected(std::move(file.error()));
  const std::array chunks{document::StoredChunk{written->buffer.view}};
  const auto used = std::span(chunks).first(written->has_buffer ? 1 : 0);
  auto done = document::write_g4b(written->json, used, [&](std::span<const std::byte> bytes) { return file->write(bytes); });
  if (!done) return done;
  return file->commit();
}

Result<> save_g4tf(const Model& model, const Target& to, std::vector<std::string>& notes) {
  const auto written = write(model, to.path, {document::octet_stream_uri}, notes);
  if (!written) return Unexpected(written.error());
  auto file = document::OutputFile::create(to.path, to.name);
  if (!file) return Unexpected(std::move(file.error()));
  if (auto done = file->write(written->json + '\n'); !done) return done;
  return file->commit();
}

}  // namespace sinew::io

// SPDX-License-Identifier: MIT
#include "operations/convert/convert_gltf.hpp"

#include <filesystem>
#include <span>
#include <string>

#include "base/catalogue_g4mf.hpp"
#include "base/path_text.hpp"
#include "document/container/write_container.hpp"
#include "document/files/output.hpp"
#include "document/json/json_edit.hpp"
#include "gltf/write/buffer_content.hpp"
#include "gltf/write/joined_buffers.hpp"

namespace sinew::operations {

namespace {

using document::Container;
using document::JsonEdit;

Written refused() { return {"glTF 2.0", 0, Refused::loss, 0, {}}; }

Result<Written> write_text(const document::Document& document, const io::Target& target, LossWatch& losses, const io::NewFiles* made) {
  const auto content = gltf::buffer_content(document, 0, gltf::BufferFrom::chunk, gltf::TooFew::take);
  const std::filesystem::path& to = target.path;
  if (!content) return Unexpected(content.error());
  JsonEdit root(document.json().root());
  std::filesystem::path bin;
  std::span<const std::byte> bytes;
  if (*content) {
    bytes = (*content)->view;
    bin = io::bin_path(to, bytes);
    root.find("buffers")->at(0).set("uri", JsonEdit::string(io::bin_uri(bin)));
  } else if (!document.chunks().empty()) {
    using g4mf::operator""_code;  // one code says what a text cannot hold, whatever the format
    losses.add(finding("SINEW_CONVERT_CHUNK_LOST"_code, "", 1, document::fourcc("BIN\0"), document.chunks().front().view.size()));
  }
  io::CopiedFiles files(made);
  if (auto done = files.copy(document, to, root, losses); !done) return Unexpected(std::move(done.error()));
  if (losses.refuses()) return refused();
  const std::string text = root.text();
  if (auto done = io::write_gltf(target, text, bin, bytes); !done) return Unexpected(std::move(done.error()));
  files.keep();
  Written written;
  written.format = "glTF 2.0";
  written.bytes = text.size();
  return written;
}

Result<Written> write_binary(const document::Document& document, const io::Target& to, const LossWatch& losses) {
  const auto content = gltf::buffer_content(document, 0, gltf::BufferFrom::anywhere, gltf::TooFew::take);
  if (!content) return Unexpected(content.error());
  JsonEdit root(document.json().root());
  std::span<const std::byte> binary;
  if (*content) {
    binary = (*content)->view;
    if (document.container() == Container::json) root.find("buffers")->at(0).erase("uri");
  } else if (!document.chunks().empty()) {
    binary = document.chunks().front().view;  // keeps the chunk, even if no buffer fits it
  }
  if (losses.refuses()) return refused();
  Written converted{"glTF 2.0", 0, Refused::no, 0, {}};
  auto file = document::OutputFile::create(to.path, to.name);
  if (!file) return Unexpected(std::move(file.error()));
  const auto write = [&](std::span<const std::byte> bytes) {
    converted.bytes += bytes.size();
    return file->write(bytes);
  };
  auto done = document::write_glb(root.text(), binary, write);
  if (!done) {
    if (done.error().place.file.empty()) done.error().place.file = path_text(to.path);
    return Unexpected(std::move(done.error()));
  }
  if (auto kept = file->commit(); !kept) return Unexpected(std::move(kept.error()));
  return converted;
}

}  // namespace

Result<Written> convert_gltf(const document::Document& document, const io::Target& to, Container container, LossWatch& losses,
                             const io::NewFiles* made) {
  if (container != Container::glb) return write_text(document, to, losses, made);
  const auto joined = gltf::with_one_buffer(document, losses);
  if (!joined) return Unexpected(joined.error());
  const auto embedded = io::with_embedded_images(*joined == nullptr ? document : **joined, losses);
  if (!embedded) return Unexpected(embedded.error());
  return write_binary(**embedded, to, losses);
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "edit/convert_gltf.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue_g4mf.hpp"
#include "document/json_edit.hpp"
#include "document/object.hpp"
#include "document/output.hpp"
#include "document/uri.hpp"
#include "document/write_container.hpp"
#include "io/gltf_file.hpp"

namespace sinew::edit {

namespace {

using document::Bytes;
using document::Container;
using document::JsonEdit;
using document::JsonKind;
using document::JsonValue;
using g4mf::operator""_code;  // one code says what a text cannot hold, whatever the format

/// A document with its first buffer taken out, if it can be.
struct Parts {
  JsonEdit root;
  Bytes binary;
  JsonEdit* buffer = nullptr;  ///< the object whose content `binary` is
};

// Content of fewer bytes than the buffer says stays where it is: to be mended, not to be moved.
Result<Parts> take_apart(const document::Document& document, bool from_uri) {
  Parts parts{JsonEdit(document.json().root()), {}, nullptr};
  const JsonValue buffer = document.json().root()["buffers"].at(0);
  if (!buffer.is(JsonKind::object)) return parts;
  const std::string uri = buffer["uri"].string();
  const bool local = document::is_data_uri(uri) || document::scheme_of(uri).empty();
  if (buffer["uri"] && from_uri && local) {
    auto fetched = document.fetch(uri);
    if (!fetched) {
      fetched.error().place.pointer = buffer["uri"].pointer();
      return Unexpected(std::move(fetched.error()));
    }
    parts.binary = std::move(*fetched);
  } else if (!buffer["uri"] && !document.chunks().empty()) {
    parts.binary = document.chunks().front();
  } else {
    return parts;
  }
  const auto length = document::whole_number(buffer["byteLength"]);
  if (!length || *length > parts.binary.view.size()) {
    parts.binary = {};
    return parts;
  }
  parts.binary.view = parts.binary.view.first(*length);
  parts.buffer = &parts.root.find("buffers")->at(0);
  return parts;
}

Result<Converted> write_text(const document::Document& document, const std::filesystem::path& to, FindingSink& losses) {
  auto parts = take_apart(document, false);
  if (!parts) return Unexpected(std::move(parts.error()));
  std::filesystem::path bin;
  if (parts->buffer != nullptr) {
    bin = io::bin_path(to, parts->binary.view);
    parts->buffer->set("uri", JsonEdit::string(io::bin_uri(bin)));
  } else if (!document.chunks().empty()) {
    losses.add(finding<"SINEW_CONVERT_CHUNK_LOST"_code>("", 1, document::fourcc("BIN\0"), document.chunks().front().view.size()));
  }
  const std::string text = parts->root.text();
  if (auto done = io::write_gltf(to, text, bin, parts->binary.view); !done) return Unexpected(std::move(done.error()));
  return Converted{"glTF 2.0", text.size()};
}

Result<Converted> write_binary(const document::Document& document, const std::filesystem::path& to) {
  auto parts = take_apart(document, true);
  if (!parts) return Unexpected(std::move(parts.error()));
  if (parts->buffer != nullptr && document.container() == Container::json) parts->buffer->erase("uri");
  // What is in the chunk of a binary file stays there, whether a buffer fits it or not.
  if (parts->buffer == nullptr && !document.chunks().empty()) parts->binary = document.chunks().front();
  Converted converted{"glTF 2.0", 0};
  auto file = document::OutputFile::create(to);
  if (!file) return Unexpected(std::move(file.error()));
  const auto write = [&](std::span<const std::byte> bytes) {
    converted.bytes += bytes.size();
    return file->write(bytes);
  };
  auto done = document::write_glb(parts->root.text(), parts->binary.view, write);
  if (!done) {
    if (done.error().place.file.empty()) done.error().place.file = to.string();
    return Unexpected(std::move(done.error()));
  }
  if (auto kept = file->commit(); !kept) return Unexpected(std::move(kept.error()));
  return converted;
}

}  // namespace

Result<Converted> convert_gltf(const document::Document& document, const std::filesystem::path& to, Container container,
                               FindingSink& losses) {
  return container == Container::glb ? write_binary(document, to) : write_text(document, to, losses);
}

}  // namespace sinew::edit

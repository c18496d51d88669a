// SPDX-License-Identifier: MIT
#include "io/save/gltf_file.hpp"

#include <system_error>

#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/schema/content_hash.hpp"
#include "io/save/buffered_output.hpp"

namespace sinew::io {

namespace fs = std::filesystem;

fs::path bin_path(const fs::path& gltf, std::span<const std::byte> content) {
  return gltf.parent_path() / path_of(format_text("{}.{:016x}.bin", path_text(gltf.stem()), document::content_hash(content)));
}

// Encodes UTF-8 as a path segment of a URI: percent-encodes everything except the unreserved characters of RFC 3986.
std::string bin_uri(const fs::path& bin) {
  constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string uri;
  for (const char c : path_text(bin.filename())) {
    if (unreserved.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += format_text("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

Result<> write_gltf(const Target& gltf, std::string_view json, const fs::path& bin, std::span<const std::byte> content) {
  auto out = BufferedOutput::create(gltf.path, gltf.name);
  if (!out) return Unexpected(std::move(out.error()));
  out->text(json);
  if (bin.empty()) return out->commit();
  std::error_code ignored;
  const bool was_there = fs::exists(fs::symlink_status(bin, ignored));
  auto beside = BufferedOutput::create(bin, OutputName::made);
  if (!beside) return Unexpected(std::move(beside.error()));
  beside->bytes(content);
  if (auto done = beside->commit(); !done) return done;
  auto done = out->commit();
  if (!done && !was_there) fs::remove(bin, ignored);
  return done;
}

}  // namespace sinew::io

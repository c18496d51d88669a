// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "document/container/write_container.hpp"
#include "g4mf/schema/data/revision.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::g4mf {

struct RewriteOptions {
  document::Container container = document::Container::json;
  /// The format of all buffers: Chunk::uncompressed or Chunk::zstd. Nothing: unchanged.
  std::optional<std::uint32_t> format;
  /// The document's revision. Nothing: the newest one whose names occur.
  std::optional<Revision> revision;
};

/// Writes a G4MF document in one of its containers. The JSON stays byte for byte, except the objects of buffers. Text files have buffers in
/// data URIs, G4B files in chunks; buffers on the web stay there. Unused chunks come last; a text file cannot store them, which is a loss.
/// Calls `out` after everything was read successfully.
[[nodiscard]] Result<> rewrite(const document::Document& document, const RewriteOptions& options, const document::ByteSink& out,
                               FindingSink& sink, FindingSink& losses);

}  // namespace sinew::g4mf

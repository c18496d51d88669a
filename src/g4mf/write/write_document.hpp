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
  /// Chunk::uncompressed or Chunk::zstd for the buffers; nothing: each as it is.
  std::optional<std::uint32_t> format;
  /// That the document is in; nothing: the newest whose names occur.
  std::optional<Revision> revision;
};

/// Writes a G4MF document again, in one of its containers. The JSON stays byte for byte but for the objects of buffers: text holds them in
/// data URIs, G4B in chunks; those at web addresses stay there. Chunks that no buffer uses follow; a text has no place for them, which is a
/// loss. `out` is called once everything is known to be readable.
[[nodiscard]] Result<> rewrite(const document::Document& document, const RewriteOptions& options, const document::ByteSink& out,
                               FindingSink& sink, FindingSink& losses);

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "operations/files/loss_watch.hpp"

#include "sinew/convert.hpp"
#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

struct WriteOptions {
  Compression compression = Compression::keep;  ///< G4MF
  std::optional<g4mf::Revision> revision{};     ///< G4MF: that the document is in; nothing: the newest whose names occur
  bool prune = false;                           ///< what nothing in the document refers to is left out
};

/// Writes a document to a file, in the container that the extension of `to` names; it appears whole or not at all. The JSON stays as it is
/// but for buffers, which move to where the container has them. `losses`: what has no place there, and relative URIs that mean something
/// else beside the new file; if they refuse, nothing is written. Failure::usage: an unknown extension; Failure::unsupported: one of the
/// other format.
[[nodiscard]] Result<Converted> write_file(const document::Document& document, const std::filesystem::path& to, const WriteOptions& options,
                                           FindingSink& sink, LossWatch& losses);

}  // namespace sinew::operations

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
  const EditOptions& edit;
  Compression compression = Compression::keep;  ///< G4MF
  std::optional<g4mf::Revision> revision{};     ///< G4MF: that the document is in; nothing: the newest whose names occur
  const Model* before = nullptr;                ///< what the document was made of; null: nothing is measured
};

/// Writes a document to a file, in the container that the extension of `to` names; it appears whole or not at all. The JSON stays as it is
/// but for buffers, which move to where the container has them. `losses`: what has no place there, and relative URIs that mean something
/// else beside the new file; if they refuse, or if a
/// vertex has moved too far, nothing is written. Failure::usage: an unknown extension; Failure::unsupported: one of the
/// other format.
[[nodiscard]] Result<Written> write_file(const std::shared_ptr<const document::Document>& document, const std::filesystem::path& to,
                                         const WriteOptions& options, FindingSink& sink, LossWatch& losses);

/// Written without a file: only how far vertices moved.
[[nodiscard]] Result<Written> measure_only(const std::shared_ptr<const document::Document>& document, const WriteOptions& options);

}  // namespace sinew::operations

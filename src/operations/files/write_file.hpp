// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "io/save/carry_files.hpp"
#include "operations/compare/known_rows.hpp"
#include "operations/files/loss_watch.hpp"

#include "sinew/convert.hpp"
#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

struct WriteOptions {
  const EditOptions& edit;
  Compression compression = Compression::keep;  ///< G4MF
  std::optional<g4mf::Revision> revision{};     ///< G4MF: the revision of the document; empty: the newest whose names occur
  const Model* before = nullptr;                ///< the source of the document; null: nothing is measured
  bool stored_amounts = false;                  ///< as CompareOptions, for measuring
  bool surfaces = false;                        ///< as CompareOptions, for measuring
  MadeFrom made_from{};                         ///< of the document's meshes, for measuring
  const Written* measured = nullptr;            ///< of the same document; null: it is measured
  const io::NewFiles* made = nullptr;           ///< glTF: files beside the new one that are not written yet; null: none
};

/// Writes a document to a file, in the container that the extension of `to` selects. The file appears whole or not at all. The JSON is
/// unchanged except for buffers, which are stored as the container requires. `losses` gets data without a place in the container, and
/// relative URIs that change their meaning beside the new file. Nothing is written if `losses` refuses or if a vertex has moved too far.
/// Failure::usage: an unknown extension. Failure::unsupported: an extension of the other format.
[[nodiscard]] Result<Written> write_file(const std::shared_ptr<const document::Document>& document, const std::filesystem::path& to,
                                         const WriteOptions& options, FindingSink& sink, LossWatch& losses);

/// Failure::usage if no format has the extension of the file.
[[nodiscard]] Result<> check_extension(const std::filesystem::path& to);

/// Fails for a file whose container is cut short: a changed file would lack the same bytes without saying so.
[[nodiscard]] Result<> check_whole(const document::Document& document);

/// Measures only how far vertices moved; no file is written.
[[nodiscard]] Result<Written> measure_only(const std::shared_ptr<const document::Document>& document, const WriteOptions& options);

}  // namespace sinew::operations

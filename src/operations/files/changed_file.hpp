// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "operations/files/loss_watch.hpp"
#include "operations/files/write_file.hpp"

#include "sinew/compare.hpp"
#include "sinew/convert.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// A file to change: its document, and the model read from it.
struct OpenFile {
  std::shared_ptr<const document::Document> document;
  Model model;
};

/// Opens a file to make a changed file of the same format. Checks `to` first (empty: nothing is written): Failure::usage if its extension
/// is unknown, Failure::unsupported if it belongs to the other format. Failure::input if the file's container is cut short.
[[nodiscard]] Result<OpenFile> open_file(const std::filesystem::path& from, const std::filesystem::path& to, const io::LoadOptions& options,
                                         FindingSink& sink);

struct ChangedFile {
  Compression compression = Compression::keep;  ///< of G4MF buffers
  bool stored_amounts = false;                  ///< as CompareOptions, for measuring
  const io::NewFiles* made = nullptr;           ///< as WriteOptions
  const Written* measured = nullptr;            ///< of the same document; null: it is measured
};

/// Writes a changed document in the format and revision of `file`; `to` empty: only measures. `changes`: the number of changes, already
/// reported to `losses`.
[[nodiscard]] Result<Written> write_changed(const OpenFile& file, const std::shared_ptr<const document::Document>& document,
                                            const std::filesystem::path& to, const EditOptions& options, std::size_t changes,
                                            FindingSink& sink, LossWatch& losses, const ChangedFile& how = {});

}  // namespace sinew::operations

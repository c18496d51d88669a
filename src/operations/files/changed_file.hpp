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

/// A file that is to be changed: its document, and the model that was read from it.
struct OpenFile {
  std::shared_ptr<const document::Document> document;
  Model model;
};

/// Opens a file that another one of its format is to be made of. `to` (empty: nothing will be written) is looked at first: Failure::usage
/// where its extension is unknown, Failure::unsupported where it promises the other format; Failure::input where the file's
/// container is cut short.
[[nodiscard]] Result<OpenFile> open_file(const std::filesystem::path& from, const std::filesystem::path& to, const io::LoadOptions& options,
                                         FindingSink& sink);

/// How far the vertices of the file went in the document: of what is written, not of what was meant. Nothing where one cannot be deformed.
[[nodiscard]] std::optional<Comparison> movement_of(const OpenFile& file, const std::shared_ptr<const document::Document>& document,
                                                    const io::LoadOptions& options, unsigned threads);

/// Writes a document of the file's format and revision, as write_file does; `options` without the revision.
[[nodiscard]] Result<Converted> write_changed(const OpenFile& file, const document::Document& document, const std::filesystem::path& to,
                                              WriteOptions options, FindingSink& sink, LossWatch& losses);

}  // namespace sinew::operations

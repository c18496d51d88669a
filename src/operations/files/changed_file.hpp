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

/// Writes an edit of the file, in its format and revision; `to` empty: only measures it. `changes`: how many there are, already in
/// `losses`.
[[nodiscard]] Result<Written> write_changed(const OpenFile& file, const std::shared_ptr<const document::Document>& document,
                                            const std::filesystem::path& to, const EditOptions& options, std::size_t changes,
                                            FindingSink& sink, LossWatch& losses);

}  // namespace sinew::operations

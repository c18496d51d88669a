// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "document/json/json_edit.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The glTF document with its image files in the first buffer; `document` itself where it has none. An image that cannot be read keeps its
/// URI: one finding each. The result must not outlive `document`.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_embedded_images(const document::Document& document,
                                                                                     FindingSink& losses);

/// Files of buffers and images of a glTF document, written beside a new file in another folder. They and the folders made for them are
/// removed again unless `keep` is called.
class CopiedFiles {
 public:
  CopiedFiles() = default;
  CopiedFiles(const CopiedFiles&) = delete;
  CopiedFiles& operator=(const CopiedFiles&) = delete;
  ~CopiedFiles();

  /// Writes the files at the same relative paths below the folder of `to`. One that lies outside of the document's folder, or whose place
  /// has another content already, gets a name of its own, and `root` its URI. A file that cannot be read is a finding.
  [[nodiscard]] Result<> copy(const document::Document& document, const std::filesystem::path& to, document::JsonEdit& root,
                              FindingSink& losses);
  void keep() { written_.clear(); }

 private:
  [[nodiscard]] Result<std::string> copy_one(const document::Document& document, const std::filesystem::path& folder,
                                             document::JsonValue element, FindingSink& losses);

  std::vector<std::filesystem::path> written_;  ///< in the order of making
};

}  // namespace sinew::operations

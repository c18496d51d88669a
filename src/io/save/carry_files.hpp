// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "document/json/json_edit.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::io {

/// Returns the glTF document with its image files in the first buffer, or `document` itself if it has none. An image that cannot be read
/// keeps its URI and causes a finding. The result must not outlive `document`.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_embedded_images(const document::Document& document,
                                                                                     FindingSink& losses);

/// Files that an operation made and that are not written yet, by their URIs in the JSON text: relative, percent-encoded.
using NewFiles = std::map<std::string, document::Bytes, std::less<>>;

/// Copies the buffer and image files of a glTF document to the folder of a new file. Removes the copies and the folders made for them
/// unless `keep` is called.
class CopiedFiles {
 public:
  CopiedFiles() = default;
  /// `made`: new files, which count in place of those of the document's folder. They must outlive this object.
  explicit CopiedFiles(const NewFiles* made) : made_(made) {}
  CopiedFiles(const CopiedFiles&) = delete;
  CopiedFiles& operator=(const CopiedFiles&) = delete;
  ~CopiedFiles();

  /// Writes the files at the same relative paths below the folder of `to`; in the document's own folder, only new ones. A file outside the
  /// document's folder, or whose path already has other content, gets a new name, and `root` its URI. A file that cannot be read causes a
  /// finding.
  [[nodiscard]] Result<> copy(const document::Document& document, const std::filesystem::path& to, document::JsonEdit& root,
                              FindingSink& losses);
  void keep() { written_.clear(); }

  /// Does this for one buffer or image. Returns its new URI; empty: the old one stays valid.
  [[nodiscard]] Result<std::string> copy_one(const document::Document& document, const std::filesystem::path& folder,
                                             document::JsonValue element, FindingSink& losses);

 private:
  [[nodiscard]] const document::Bytes* new_file(std::string_view uri) const;

  const NewFiles* made_ = nullptr;
  std::vector<std::filesystem::path> written_;  ///< in order of creation
  std::map<std::string, std::string> known_;    ///< results of copy_one, by URI
};

}  // namespace sinew::io

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "document/json/json.hpp"

#include "sinew/document.hpp"

namespace sinew::g4mf {

/// The bytes of the images and other files that a document names or holds. Fetches a URI once, and decompresses a buffer once, however
/// many objects name it. For several threads. The document must stay alive.
class FileBytes {
 public:
  explicit FileBytes(const document::Document& document);
  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  FileBytes(FileBytes&&) = delete;
  FileBytes& operator=(FileBytes&&) = delete;

  [[nodiscard]] Result<document::Bytes> of(document::JsonValue file);

 private:
  struct Parts;

  [[nodiscard]] Result<document::Bytes> fetch(document::JsonValue file);

  const document::Document& document_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sinew::g4mf

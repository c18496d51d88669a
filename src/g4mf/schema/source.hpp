// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "document/schema/source.hpp"
#include "g4mf/schema/data/file_bytes.hpp"

#include "sinew/model.hpp"

namespace sinew::g4mf {

class Source final : public document::SourceOf<sinew::Source, SourceId> {
 public:
  static constexpr std::string_view name = "G4MF";

  explicit Source(std::shared_ptr<const document::Document> document)
      : SourceOf(std::move(document)), files_(std::make_unique<FileBytes>(this->document())) {}
  [[nodiscard]] std::string_view format() const noexcept override { return name; }
  [[nodiscard]] Result<document::Bytes> bytes_of(document::JsonValue file) const { return files_->of(file); }

 private:
  std::unique_ptr<FileBytes> files_;
};

[[nodiscard]] inline SourceId source_of(document::JsonValue value) { return Source::id_of(value); }

}  // namespace sinew::g4mf

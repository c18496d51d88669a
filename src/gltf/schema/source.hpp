// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "document/json/json.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::gltf {

/// The glTF document behind a model. A SourceId is the id of the entity's JsonValue.
class Source final : public sinew::Source {
 public:
  explicit Source(std::shared_ptr<const document::Document> document) : document_(std::move(document)) {}

  [[nodiscard]] std::string file() const override { return document_->path().string(); }
  [[nodiscard]] std::string pointer(SourceId id) const override { return value(id).pointer(); }

  [[nodiscard]] const document::Document& document() const { return *document_; }
  /// The JSON that an entity was read from; missing for SourceId::nowhere.
  [[nodiscard]] document::JsonValue value(SourceId id) const {
    if (id == SourceId::nowhere) return {};
    return {document_->json(), static_cast<std::uint32_t>(id)};
  }

 private:
  std::shared_ptr<const document::Document> document_;
};

[[nodiscard]] inline SourceId source_of(document::JsonValue value) { return value ? static_cast<SourceId>(value.id()) : SourceId::nowhere; }

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/budget.hpp"
#include "base/path_text.hpp"
#include "document/json/json.hpp"

#include "sinew/document.hpp"

namespace sinew::document {

/// The document behind a model. Base and Id are the model's types, which this module does not know. An Id is the id of the entity's
/// JsonValue, or `nowhere`.
template <class Base, class Id>
class SourceOf : public Base {
 public:
  explicit SourceOf(std::shared_ptr<const Document> document) : document_(std::move(document)) {}

  [[nodiscard]] std::string file() const override { return path_text(document_->path()); }
  [[nodiscard]] std::string pointer(Id id) const override { return value(id).pointer(); }
  [[nodiscard]] std::uint64_t most_work() const override { return sinew::most_work(document_->size(), document_->options().limits); }

  [[nodiscard]] const Document& document() const { return *document_; }
  /// Returns the JSON from which an entity was read; missing for `nowhere`.
  [[nodiscard]] JsonValue value(Id id) const {
    return id == Id::nowhere ? JsonValue() : JsonValue(document_->json(), static_cast<std::uint32_t>(id));
  }
  [[nodiscard]] static Id id_of(JsonValue value) { return value ? static_cast<Id>(value.id()) : Id::nowhere; }

 private:
  std::shared_ptr<const Document> document_;
};

}  // namespace sinew::document

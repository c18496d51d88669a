// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/budget.hpp"
#include "base/path_text.hpp"
#include "document/json/json.hpp"

#include "sinew/document.hpp"

namespace sinew::document {

/// What was fetched for the objects of a document: many that name the same bytes read, decode or decompress them once. For several threads.
class FetchedOnce {
 public:
  /// Returns the bytes, or the error, of `fetch()`; only the first call for an object makes it.
  template <class Fetch>
  Result<Bytes> of(JsonValue object, const Fetch& fetch) {
    const std::lock_guard lock(mutex_);
    const auto known = fetched_.find(object.id());
    return known != fetched_.end() ? known->second : fetched_.emplace(object.id(), fetch()).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::uint32_t, Result<Bytes>> fetched_;
};

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

/// Returns the source as that of a format, gltf::Source or g4mf::Source, or null; a dynamic_cast without run-time type information.
template <class Of, class Base>
[[nodiscard]] const Of* source_as(const Base* source) {
  return source != nullptr && source->format() == Of::name ? static_cast<const Of*>(source) : nullptr;
}

}  // namespace sinew::document

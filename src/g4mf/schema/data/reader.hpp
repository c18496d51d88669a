// SPDX-License-Identifier: MIT
#pragma once

#include "base/catalogue_g4mf.hpp"
#include "document/schema/reader.hpp"
#include "g4mf/schema/data/revision.hpp"
#include "g4mf/schema/source.hpp"
#include "g4mf/schema/tables.hpp"

namespace sinew::g4mf {

/// The state that all parts of a reading share: the document, the findings, the memory left, the unfinished model.
class Reader : public document::Reader {
 public:
  Reader(const Document& document, FindingSink& sink, Model& model, const ReadOptions& options);

  [[nodiscard]] const RootObject& root() const { return root_; }
  [[nodiscard]] Model& model() { return model_; }
  [[nodiscard]] std::size_t dimension() const { return model_.dimension; }
  [[nodiscard]] Revision revision() const { return revision_; }
  [[nodiscard]] bool forced() const { return forced_; }

  /// Returns the JSON of an entity of the model.
  [[nodiscard]] JsonValue value(const Entity& entity) const { return {document().json(), static_cast<std::uint32_t>(entity.source)}; }
  /// Returns the number of elements of the array that a reference points into.
  [[nodiscard]] std::size_t count(Reference reference) const;

  using document::Reader::resolve;
  /// Returns the index in a row of an object; `none` if it is absent. Refuses with the row's code if no such element exists.
  template <const auto& table>
  [[nodiscard]] Checked<Index> resolve(const Item<table>& object, typename Item<table>::Row row) {
    return resolve(object[row], object.property(row));
  }
  /// Does the same for an element of a list of indices.
  [[nodiscard]] Checked<Index> resolve(JsonValue value, const Property& property) {
    const auto reference = static_cast<Reference>(property.reference);
    return resolve(value, count(reference), array_name(reference), *property.unresolved);
  }
  /// Does the same for an optional reference: `none`, with a finding, if no such element exists.
  [[nodiscard]] Index resolve_or_none(JsonValue value, const Property& property) {
    const auto reference = static_cast<Reference>(property.reference);
    return document::Reader::resolve_or_none(value, count(reference), array_name(reference), *property.unresolved);
  }
  template <const auto& table>
  [[nodiscard]] Index resolve_or_none(const Item<table>& object, typename Item<table>::Row row) {
    return resolve_or_none(object[row], object.property(row));
  }

 private:
  static_assert(absent == none);
  Model& model_;
  bool forced_;
  RootObject root_;
  Revision revision_;
};

void identify(Entity& entity, JsonValue value);

}  // namespace sinew::g4mf

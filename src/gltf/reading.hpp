// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <utility>

#include "base/catalogue_gltf.hpp"
#include "document/reading.hpp"
#include "gltf/read.hpp"
#include "gltf/source.hpp"
#include "gltf/tables.hpp"

namespace sinew::gltf {

using document::Checked;
using document::Defect;
using document::JsonKind;
using document::JsonValue;
using document::list_of;
using document::Refused;

/// What the parts of one reading share: the document, the findings, the memory left, the model in the making.
class Reading : public document::Reading {
 public:
  Reading(const document::Document& document, Checks checks, FindingSink& sink, Model& model);

  [[nodiscard]] const RootObject& root() const { return root_; }
  [[nodiscard]] Model& model() { return model_; }

  /// Marks an entity; the first defect stays.
  static void mark(Entity& entity, Defect defect) {
    if (entity.defect == none) entity.defect = defect.index;
  }

  /// Elements of the array that a reference points into.
  [[nodiscard]] std::size_t count(Reference reference) const;
  /// The index in `value` (`none` where that is no index); `code` at it where there is no such element.
  template <Code code = "UNRESOLVED_REFERENCE"_code>
  [[nodiscard]] Checked<Index> resolve(JsonValue value, Reference reference) {
    return document::Reading::resolve(value, count(reference), array_name(reference), code);
  }
  /// The same for a row of an object; `none` where it is absent.
  template <Code code = "UNRESOLVED_REFERENCE"_code, class Row, const auto& rows, const auto& codes>
  [[nodiscard]] Checked<Index> resolve(const document::ObjectOf<Row, rows, codes>& object, Row row) {
    return resolve<code>(object[row], static_cast<Reference>(object.property(row).reference));
  }

  /// The same for what is not needed: `none` with a finding where there is no such element.
  template <class Row, const auto& rows>
  [[nodiscard]] Index resolve_or_none(const document::ObjectOf<Row, rows>& object, Row row) {
    return resolve_or_none(object[row], static_cast<Reference>(object.property(row).reference));
  }
  [[nodiscard]] Index resolve_or_none(JsonValue value, Reference reference);

  void set_skeletons(std::size_t count) { skeletons_ = count; }

 private:
  static_assert(absent == none);
  Model& model_;
  RootObject root_;
  std::size_t skeletons_ = 0;
};

/// The name and the source of an entity.
void identify(Entity& entity, JsonValue value);
/// An extension object of an object that has an `extensions` row.
template <class Row, const auto& rows>
[[nodiscard]] JsonValue extension_of(const document::ObjectOf<Row, rows>& object, std::string_view name) {
  return object[Row::extensions][name];
}

}  // namespace sinew::gltf

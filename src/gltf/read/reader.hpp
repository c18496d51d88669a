// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "base/catalogue_gltf.hpp"
#include "document/schema/reader.hpp"
#include "gltf/read/read.hpp"
#include "gltf/read/root.hpp"
#include "gltf/schema/source.hpp"

namespace sinew::gltf {

using document::Checked;
using document::Defect;
using document::JsonKind;
using document::JsonValue;
using document::list_of;
using document::Refused;

/// What the parts of one reading share: the document, the findings, the memory left, the model in the making.
class Reader : public document::Reader {
 public:
  Reader(const document::Document& document, FindingSink& sink, Model& model);

  [[nodiscard]] const Root& root() const { return root_; }
  [[nodiscard]] Model& model() { return model_; }

  /// Marks an entity; the first defect stays.
  static void mark(Entity& entity, Defect defect) {
    if (entity.defect == none) entity.defect = defect.index;
  }

  [[nodiscard]] std::size_t count(Reference reference) const { return root_.count(reference); }
  /// The index in `value` (`none` where that is no index); `code` at it where there is no such element.
  template <Code code = "UNRESOLVED_REFERENCE"_code>
  [[nodiscard]] Checked<Index> resolve(JsonValue value, Reference reference) {
    return document::Reader::resolve(value, count(reference), array_name(reference), code);
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
  /// The same without a finding.
  [[nodiscard]] Index plain_index(JsonValue value, Reference reference) const;

 private:
  static_assert(absent == none);
  Model& model_;
  Root root_;
};

/// The name and the source of an entity that is read from `value`.
void identify(Entity& entity, JsonValue value, JsonValue name);
}  // namespace sinew::gltf

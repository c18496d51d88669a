// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "base/catalogue_gltf.hpp"
#include "document/schema/reader.hpp"
#include "gltf/read/read.hpp"
#include "gltf/schema/root_table.hpp"
#include "gltf/schema/source.hpp"

namespace sinew::gltf {

/// The root object of a document, and the arrays in it that references point into.
class Root : public RootObject {
 public:
  Root(document::JsonValue value, document::CappedSink& sink);

  /// The array that a reference points into; missing for samplers of an animation.
  [[nodiscard]] document::JsonValue array_of(Reference reference) const;
  [[nodiscard]] std::size_t count(Reference reference) const { return array_of(reference).size(); }
  /// Whether a value is the index of an element.
  [[nodiscard]] bool has(document::JsonValue index, Reference reference) const;
  /// Whether extensionsUsed lists the extension.
  [[nodiscard]] bool uses_extension(std::string_view name) const;
  /// The root's own object of an extension that the file uses; missing otherwise.
  [[nodiscard]] document::JsonValue file_extension(std::string_view name) const;

 private:
  document::JsonValue skeletons_;
};

/// An extension object of an object that has an `extensions` row.
template <const auto& table>
[[nodiscard]] document::JsonValue extension_of(const document::ObjectOf<table>& object, std::string_view name) {
  return object["extensions"][name];
}

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

  [[nodiscard]] std::size_t count(Reference reference) const { return root_.count(reference); }
  /// The index in `value` (`none` where that is no index); `code` at it where there is no such element.
  template <Code code = "UNRESOLVED_REFERENCE"_code>
  [[nodiscard]] Checked<Index> resolve(JsonValue value, Reference reference) {
    return document::Reader::resolve(value, count(reference), array_name(reference), code);
  }
  /// The same for a row of an object; `none` where it is absent.
  template <Code code = "UNRESOLVED_REFERENCE"_code, const auto& table, const auto& codes>
  [[nodiscard]] Checked<Index> resolve(const document::ObjectOf<table, codes>& object, typename document::ObjectOf<table, codes>::Row row) {
    return resolve<code>(object[row], static_cast<Reference>(object.property(row).reference));
  }
  /// The same for what is not needed: `none` with a finding where there is no such element.
  template <const auto& table>
  [[nodiscard]] Index resolve_or_none(const document::ObjectOf<table>& object, typename document::ObjectOf<table>::Row row) {
    const auto reference = static_cast<Reference>(object.property(row).reference);
    return document::Reader::resolve_or_none(object[row], count(reference), array_name(reference), "UNRESOLVED_REFERENCE"_code);
  }
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

// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/catalogue_gltf.hpp"
#include "document/schema/reader.hpp"
#include "gltf/read/read.hpp"
#include "gltf/schema/root_table.hpp"
#include "gltf/schema/source.hpp"

namespace sinew::gltf {

/// The root object of a document, with the arrays that references point into.
class Root : public RootObject {
 public:
  Root(JsonValue value, CappedSink& sink);

  /// Returns the array that a reference points into; missing for samplers of an animation, and for lists of extensions.
  [[nodiscard]] JsonValue array_of(Reference reference) const;
  [[nodiscard]] std::size_t count(Reference reference) const { return array_of(reference).size(); }
  /// Returns the index in `value`; `none` if it is no index or no such element exists.
  [[nodiscard]] Index plain_index(JsonValue value, Reference reference) const;
  /// Returns whether a value is the index of an element.
  [[nodiscard]] bool has(JsonValue value, Reference reference) const { return plain_index(value, reference) != none; }
  [[nodiscard]] bool uses_extension(std::string_view name) const { return extensions_used_.contains(name); }
  /// Returns the root's object of an extension that the file uses, or a missing value.
  [[nodiscard]] JsonValue file_extension(std::string_view name) const;

 private:
  std::set<std::string, std::less<>> extensions_used_;
};

/// Returns an extension object of an object whose table has an `extensions` row.
template <const auto& table>
[[nodiscard]] JsonValue extension_of(const ObjectOf<table>& object, std::string_view name) {
  return object["extensions"][name];
}

/// The state that all parts of a reading share: the document, the findings, the memory left, the unfinished model.
class Reader : public document::Reader {
 public:
  Reader(const Document& document, FindingSink& sink, Model& model);

  [[nodiscard]] const Root& root() const { return root_; }
  [[nodiscard]] Model& model() { return model_; }

  [[nodiscard]] std::size_t count(Reference reference) const { return root_.count(reference); }
  /// Returns the index in `value`; `none` if it is no index. Refuses with `code` if no such element exists.
  [[nodiscard]] Checked<Index> resolve(JsonValue value, Reference reference, Code code = "UNRESOLVED_REFERENCE"_code) {
    return document::Reader::resolve(value, count(reference), array_name(reference), code);
  }
  /// Does the same for a row of an object. `none` if the row is absent.
  template <const auto& table, const auto& codes>
  [[nodiscard]] Checked<Index> resolve(const ObjectOf<table, codes>& object, typename ObjectOf<table, codes>::Row row,
                                       Code code = "UNRESOLVED_REFERENCE"_code) {
    return resolve(object[row], static_cast<Reference>(object.property(row).reference), code);
  }
  /// Does the same for an optional reference: `none`, with a finding, if no such element exists.
  template <const auto& table>
  [[nodiscard]] Index resolve_or_none(const ObjectOf<table>& object, typename ObjectOf<table>::Row row) {
    const auto reference = static_cast<Reference>(object.property(row).reference);
    return document::Reader::resolve_or_none(object[row], count(reference), array_name(reference), "UNRESOLVED_REFERENCE"_code);
  }

 private:
  static_assert(absent == none);
  Model& model_;
  Root root_;
};

/// Sets the name and the source of an entity that is read from `value`.
void identify(Entity& entity, JsonValue value, JsonValue name);

}  // namespace sinew::gltf

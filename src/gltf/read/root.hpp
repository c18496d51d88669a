// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "gltf/schema/root_table.hpp"

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
template <class Row, const auto& rows>
[[nodiscard]] document::JsonValue extension_of(const document::ObjectOf<Row, rows>& object, std::string_view name) {
  return object[Row::extensions][name];
}

}  // namespace sinew::gltf

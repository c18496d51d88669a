// SPDX-License-Identifier: MIT
#include "gltf/read/reader.hpp"

namespace sinew::gltf {

Reader::Reader(const document::Document& document, FindingSink& sink, Model& model)
    : document::Reader(document, sink, model.defects), model_(model), root_(document.json().root(), this->sink()) {}

Index Reader::resolve_or_none(JsonValue value, Reference reference) {
  const auto index = document::whole_number(value);
  if (!index) return none;
  if (*index < count(reference)) return static_cast<Index>(*index);
  report<"UNRESOLVED_REFERENCE"_code>(value, *index, count(reference), array_name(reference));
  return none;
}

Index Reader::plain_index(JsonValue value, Reference reference) const {
  const auto index = document::whole_number(value);
  return index && *index < count(reference) ? static_cast<Index>(*index) : none;
}

void identify(Entity& entity, JsonValue value, JsonValue name) {
  entity.name = name.string();
  entity.source = source_of(value);
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include "gltf/read/reader.hpp"

namespace sinew::gltf {

Root::Root(JsonValue value, CappedSink& sink) : RootObject(value, sink) {
  for (const JsonValue used : (*this)["extensionsUsed"].elements()) extensions_used_.insert(used.string());
}

JsonValue Root::array_of(Reference reference) const {
  static constexpr auto rows = rows_of_arrays<RootObject>(array_name);
  // The samplers of an animation have the name of an array of the root.
  return reference == Reference::animation_sampler ? JsonValue() : (*this)[rows[static_cast<std::size_t>(reference)]];
}

Index Root::plain_index(JsonValue value, Reference reference) const {
  const auto index = whole_number(value);
  return index && *index < count(reference) ? static_cast<Index>(*index) : none;
}

JsonValue Root::file_extension(std::string_view name) const {
  const JsonValue value = extension_of(*this, name);
  return value.is(JsonKind::object) && uses_extension(name) ? value : JsonValue();
}

Reader::Reader(const Document& document, FindingSink& sink, Model& model)
    : document::Reader(document, sink, model.defects), model_(model), root_(document.json().root(), this->sink()) {}

void identify(Entity& entity, JsonValue value, JsonValue name) {
  entity.name = name.string();
  entity.source = source_of(value);
}

}  // namespace sinew::gltf

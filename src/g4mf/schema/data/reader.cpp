// SPDX-License-Identifier: MIT
#include "g4mf/schema/data/reader.hpp"

#include "g4mf/schema/data/revision.hpp"

namespace sinew::g4mf {

Reader::Reader(const document::Document& document, FindingSink& sink, Model& model, const ReadOptions& options)
    : document::Reader(document, sink, model.defects),
      model_(model),
      forced_(options.force),
      root_(object<RootObject>(document.json().root())),
      revision_(find_revision(*this, options.revision)) {}

std::size_t Reader::count(Reference reference) const {
  static constexpr auto rows = document::rows_of_arrays<RootObject>(array_name);
  return reference == Reference::nothing ? 0 : root_[rows[static_cast<std::size_t>(reference)]].size();
}

Index Reader::resolve_or_none(JsonValue value, const document::Property& property) {
  const auto index = document::whole_number(value);
  if (!index) return none;
  const auto reference = static_cast<Reference>(property.reference);
  if (*index < count(reference)) return static_cast<Index>(*index);
  report(*property.unresolved, value, *index, count(reference), array_name(reference));
  return none;
}

void identify(Entity& entity, JsonValue value) {
  entity.name = value["name"].string();
  entity.source = source_of(value);
}

}  // namespace sinew::g4mf

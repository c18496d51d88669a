// SPDX-License-Identifier: MIT
#include "g4mf/schema/data/reader.hpp"

#include "g4mf/schema/data/revision.hpp"

namespace sinew::g4mf {

Reader::Reader(const Document& document, FindingSink& sink, Model& model, const ReadOptions& options)
    : document::Reader(document, sink, model.defects),
      model_(model),
      forced_(options.force),
      root_(object<RootObject>(document.json().root())),
      revision_(find_revision(*this, options.revision)) {}

std::size_t Reader::count(Reference reference) const {
  static constexpr auto rows = rows_of_arrays<RootObject>(array_name);
  return reference == Reference::nothing ? 0 : root_[rows[static_cast<std::size_t>(reference)]].size();
}

void identify(Entity& entity, JsonValue value) {
  entity.name = value["name"].string();
  entity.source = source_of(value);
}

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#include "model/place.hpp"

namespace sinew {

std::string pointer_of(const Model& model, SourceId source) {
  return model.source && source != SourceId::nowhere ? model.source->pointer(source) : std::string();
}

FindingPlace place_in(const Model& model, SourceId source) {
  return {pointer_of(model, source), model.source && source != SourceId::nowhere ? static_cast<std::uint32_t>(source) : 0};
}

Place place_of(const Model& model, SourceId source) {
  Place place;
  if (!model.source) return place;
  place.file = model.source->file();
  if (source != SourceId::nowhere) place.pointer = model.source->pointer(source);
  return place;
}

}  // namespace sinew

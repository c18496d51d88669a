// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/catalogue.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew {

/// Returns the JSON pointer of an entity; empty if it was made in memory.
[[nodiscard]] std::string pointer_of(const Model& model, SourceId source);
[[nodiscard]] inline std::string pointer_of(const Model& model, const Entity& entity) { return pointer_of(model, entity.source); }

/// Returns the place of a finding about an entity.
[[nodiscard]] FindingPlace place_in(const Model& model, SourceId source);

/// Returns the file and the JSON pointer of an entity for an error; empty if the model has no source.
[[nodiscard]] Place place_of(const Model& model, SourceId source = SourceId::nowhere);
[[nodiscard]] inline Place place_of(const Model& model, const Entity& entity) { return place_of(model, entity.source); }

}  // namespace sinew

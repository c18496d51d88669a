// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew {

/// The JSON pointer of what was read from there; empty for what was made in memory.
[[nodiscard]] std::string pointer_of(const Model& model, SourceId source);
[[nodiscard]] inline std::string pointer_of(const Model& model, const Entity& entity) { return pointer_of(model, entity.source); }

/// For errors: the model's file, and the pointer of what was read from there; neither where there is none.
[[nodiscard]] Place place_of(const Model& model, SourceId source = SourceId::nowhere);
[[nodiscard]] inline Place place_of(const Model& model, const Entity& entity) { return place_of(model, entity.source); }

}  // namespace sinew

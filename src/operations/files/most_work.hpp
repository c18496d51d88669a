// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

#include "base/work.hpp"
#include "model/place.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns how many steps one operation may take for a model (Limits::work); a model that was made in memory has no limit.
[[nodiscard]] inline std::uint64_t most_work(const Model& model) {
  return model.source ? model.source->most_work() : std::numeric_limits<std::uint64_t>::max();
}

/// Returns what counts the steps of one operation with a model.
[[nodiscard]] inline WorkMeter meter_of(const Model& model) { return WorkMeter(most_work(model), place_of(model)); }

}  // namespace sinew::operations

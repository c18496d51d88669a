// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

#include "sinew/model.hpp"

namespace sinew::operations {

/// Returns how many steps one operation may take for a model (Limits::work); a model that was made in memory has no limit.
[[nodiscard]] inline std::uint64_t most_work(const Model& model) {
  return model.source ? model.source->most_work() : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace sinew::operations

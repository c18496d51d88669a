// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/result.hpp"

namespace sinew {

/// Ends a public function whose body threw an exception, the one that is being handled. Returns Failure::deadline or Failure::cancelled for
/// Interrupted, and Failure::limit SINEW_NO_MEMORY for std::bad_alloc and std::length_error. Throws any other exception again: a bug.
///
///     Result<Model> load(const std::filesystem::path& path) try {
///       …
///     } catch (...) {
///       return ended_by_exception({path.string(), {}, {}});
///     }
[[nodiscard]] Unexpected ended_by_exception(Place place = {});

}  // namespace sinew

// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include "sinew/result.hpp"

namespace app {

/// Returns the value of a result, or throws its error, with which the command ends: for functions that fail only where memory or time runs
/// out.
template <class T>
T need(sinew::Result<T> result) {
  if (!result) throw tl::bad_expected_access<sinew::Error>(std::move(result.error()));
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace app

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace sinew::test {

/// Returns the number of calls of operator new by this thread; this program counts every allocation.
[[nodiscard]] std::size_t allocations();

}  // namespace sinew::test

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace sinew::test {

/// How often this thread has asked operator new for memory: in this program every allocation is counted.
[[nodiscard]] std::size_t allocations();

}  // namespace sinew::test

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace sinew::test {

/// From now on the `next`th operator new of this thread fails (0: the first one), once.
void fail_allocation(std::size_t next);
/// Stops that; whether one has failed.
[[nodiscard]] bool allocation_failed();

}  // namespace sinew::test

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace sinew::test {

/// Makes the `next`th call of operator new by this thread fail once (0: the first one).
void fail_allocation(std::size_t next);
/// Stops the failures. Returns whether an allocation has failed.
[[nodiscard]] bool allocation_failed();

}  // namespace sinew::test

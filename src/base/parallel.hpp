// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

namespace sinew {

/// Returns the number of cores that this process may use; at least 1.
[[nodiscard]] unsigned available_threads();

/// Calls body(first, last) for consecutive pieces of [0, count) on up to `threads` threads (0: available_threads()), and waits for all. All
/// pieces except the last are multiples of `grain` long. With one thread, or at most one grain, makes one call on this thread. `body` must
/// not throw. Results must not depend on the pieces.
void parallel_for(std::size_t count, std::size_t grain, unsigned threads, const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace sinew

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

namespace sinew {

/// Returns the number of cores that this process may use; at least 1.
[[nodiscard]] unsigned available_threads();

/// Calls body(first, last) for consecutive pieces of [0, count) on up to `threads` threads (0: available_threads()), and waits for all. All
/// pieces except the last are multiples of `grain` long. With one thread, or at most one grain, makes all calls on this thread. `body` must
/// not throw anything but std::bad_alloc. Results must not depend on the pieces. Throws std::bad_alloc for `body` and at the deadline of
/// this thread.
void parallel_for(std::size_t count, std::size_t grain, unsigned threads, const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace sinew

// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ctime>

namespace bench {

/// Returns seconds: processor time of this thread, or wall-clock time for work on several threads.
inline double now(bool wall) {
  if (wall) return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace bench

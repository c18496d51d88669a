// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/parallel.hpp"

#include "sinew/batch.hpp"

namespace sinew::batch {

Result<> in_order(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& emit) SINEW_TRY {
  std::atomic<std::size_t> next = 0;
  std::mutex emitting;
  std::vector<bool> done(count);
  std::size_t emitted = 0;
  const EachDeadline deadlines;
  // Files differ in size, so each free thread takes the next one.
  const auto take = [&](std::size_t, std::size_t) {
    for (std::size_t i = next++; i < count; i = next++) {
      {
        const Deadline deadline = deadlines.item();
        work(i);
      }
      const std::scoped_lock lock(emitting);
      done[i] = true;
      for (; emitted < count && done[emitted]; ++emitted) emit(emitted);
    }
  };
  const std::size_t workers = std::min<std::size_t>(threads == 0 ? available_threads() : threads, count);
  parallel_for(workers, 1, threads, take);
  return {};
}
SINEW_CATCH()

}  // namespace sinew::batch

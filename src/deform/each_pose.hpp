// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "base/parallel.hpp"
#include "deform/packed.hpp"

#include "sinew/result.hpp"

namespace sinew::deform {

/// Calls work(i, memory, threads of this call) for 0 … count − 1, on up to `threads` threads (0: all cores). The memory belongs to the
/// calling thread: it comes from make(), then from an earlier call. `vertices`: of one pose. Fails for the first pose that fails.
template <class Make, class Work>
[[nodiscard]] Result<> each_pose(std::size_t count, std::size_t vertices, unsigned threads, const Make& make, const Work& work) {
  using Memory = decltype(make());
  threads = threads == 0 ? available_threads() : threads;
  const bool one_by_one = count < threads;  // few poses: each one uses all threads
  std::mutex mutex;
  std::optional<std::pair<std::size_t, Error>> failed;  // the first one
  std::vector<Memory> idle;                             // of threads that wait for their next range
  const auto fail = [&](std::size_t i, Error failure) {
    const std::scoped_lock lock(mutex);
    if (!failed || i < failed->first) failed.emplace(i, std::move(failure));
  };
  const auto take = [&]() -> Memory {
    const std::scoped_lock lock(mutex);
    if (idle.empty()) return make();
    Memory own = std::move(idle.back());
    idle.pop_back();
    return own;
  };
  const auto run_range = [&](std::size_t first, std::size_t last) {
    Memory own = take();
    for (std::size_t i = first; i < last; ++i)
      if (Result<> done = work(i, own, one_by_one ? threads : 1); !done) return fail(i, std::move(done.error()));
    const std::scoped_lock lock(mutex);
    idle.push_back(std::move(own));
  };
  parallel_for(count, 1, one_by_one ? 1 : threads_for(count * vertices, threads), [&](std::size_t first, std::size_t last) {
    if (auto done = caught([&] { run_range(first, last); }); !done) fail(first, std::move(done.error()));
  });
  if (failed) return Unexpected(std::move(failed->second));
  return {};
}

}  // namespace sinew::deform

// SPDX-License-Identifier: MIT
#include "base/parallel.hpp"

#include <algorithm>

// SINEW_ONE_THREAD: for platforms without threads.
#ifdef SINEW_USE_TBB
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#elif !defined(SINEW_ONE_THREAD)
#include <thread>
#include <vector>
#endif

namespace sinew {

unsigned available_threads() {
#ifdef SINEW_USE_TBB
  return static_cast<unsigned>(std::max(1, tbb::this_task_arena::max_concurrency()));
#elif defined(SINEW_ONE_THREAD)
  return 1;
#else
  return std::max(1u, std::thread::hardware_concurrency());
#endif
}

void parallel_for(std::size_t count, std::size_t grain, unsigned threads, const std::function<void(std::size_t, std::size_t)>& body) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t pieces = count / grain + (count % grain != 0);
#ifdef SINEW_ONE_THREAD
  threads = 1;
#endif
  threads = static_cast<unsigned>(std::min<std::size_t>(threads == 0 ? available_threads() : threads, pieces));
  if (threads <= 1) {
    if (count != 0) body(0, count);
    return;
  }
#ifndef SINEW_ONE_THREAD
  // Each thread gets a run of whole grains, so that a piece never shares a cache line of results with its neighbour's middle.
  const auto run = [&](std::size_t first_piece, std::size_t last_piece) { body(first_piece * grain, std::min(count, last_piece * grain)); };
#ifdef SINEW_USE_TBB
  // More threads than cores gain nothing, and oneTBB complains about them on stderr.
  tbb::task_arena arena(static_cast<int>(std::min(threads, available_threads())));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, pieces, std::max<std::size_t>(1, pieces / (threads * 4))),
        [&](const tbb::blocked_range<std::size_t>& range) { run(range.begin(), range.end()); }, tbb::simple_partitioner{});
  });
#else
  std::vector<std::jthread> workers;
  for (unsigned t = 1; t < threads; ++t) workers.emplace_back(run, pieces * t / threads, pieces * (t + 1) / threads);
  run(0, pieces / threads);
#endif
#endif
}

}  // namespace sinew

// SPDX-License-Identifier: MIT
#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>

#include "base/deadline.hpp"

// SINEW_ONE_THREAD: for platforms without threads. Without exceptions, threads are those of POSIX, which return an error where none can
// start; on a system without them, too, all work is done by one thread.
#if defined(SINEW_NO_EXCEPTIONS) && !__has_include(<pthread.h>) && !defined(SINEW_ONE_THREAD)
#define SINEW_ONE_THREAD
#endif
#ifdef SINEW_USE_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#endif
#ifndef SINEW_ONE_THREAD
#include <future>
#include <system_error>
#include <thread>
#include <vector>
#ifdef SINEW_NO_EXCEPTIONS
#include <pthread.h>
#endif
#endif

namespace sinew {

#ifdef SINEW_USE_TBB
namespace {

/// Returns how many threads, this one included and up to `wanted`, the system lets this process have at once. It starts and ends them.
unsigned startable_threads(unsigned wanted) {
  std::vector<std::jthread> started;
  started.reserve(wanted);
  std::promise<void> end;  // its destructor, before that of `started`, ends the waiting
  const std::shared_future<void> ended = end.get_future().share();
  try {
    while (started.size() + 1 < wanted) started.emplace_back([ended] { ended.wait(); });
  } catch (const std::system_error&) {  // that many, then
  }
  return static_cast<unsigned>(started.size()) + 1;
}

/// TBB ends the process where it cannot start a thread, because of a limit of processes or memory. So this tries first, once: a limit that
/// is met later still ends it. Where not all start, TBB gets half of those that do, because other programs may start some, too.
void limit_to_startable_threads() {
  using Control = tbb::global_control;
  static const Control* const limit = [] {  // never deleted: that would start the threads
    const unsigned wanted = available_threads(), startable = startable_threads(wanted);
    return startable == wanted ? nullptr : new Control(Control::max_allowed_parallelism, startable / 2 + 1);
  }();
  static_cast<void>(limit);
}

}  // namespace
#elif !defined(SINEW_ONE_THREAD)
namespace {

/// Calls `work` on `threads` threads, this one included, or on fewer where the system has no more or there is no memory for them.
template <class Work>
void work_on_threads(unsigned threads, const Work& work) {
#ifndef SINEW_NO_EXCEPTIONS
  std::vector<std::jthread> workers;
  try {
    for (unsigned t = 1; t < threads; ++t) workers.emplace_back(work);
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  work();
#else
  const auto run = [](void* of) -> void* {
    (*static_cast<const Work*>(of))();
    return nullptr;
  };
  std::vector<pthread_t> workers;
  workers.reserve(threads);
  for (pthread_t worker{}; workers.size() + 1 < threads; workers.push_back(worker))
    if (::pthread_create(&worker, nullptr, run, const_cast<Work*>(&work)) != 0) break;
  work();
  for (const pthread_t worker : workers) ::pthread_join(worker, nullptr);
#endif
}

}  // namespace
#endif

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
  DeadlineState* const deadline = deadline_of_this_thread;
  if (threads <= 1 && !deadline) {
    if (count != 0) body(0, count);
    return;
  }
  // Each thread takes runs of whole grains until none is left, so a late or interrupted thread takes fewer. Between two of them, it asks
  // the deadline.
  const std::size_t runs = std::size_t{std::max(threads, 1U)} * (deadline ? 32 : 4);
  const std::size_t length = std::max<std::size_t>(1, pieces / runs);
  std::atomic<std::size_t> next = 0;
  [[maybe_unused]] std::atomic_flag ended;
  std::exception_ptr exception;  // the first one
  const auto take_runs = [&] {
    for (std::size_t first = next.fetch_add(length); first < pieces; first = next.fetch_add(length)) {
      ask_deadline();
      body(first * grain, std::min(count, (first + length) * grain));
    }
  };
  const auto work = [&] {
    const DeadlineScope scope(deadline);
#ifndef SINEW_NO_EXCEPTIONS
    try {
      take_runs();
    } catch (...) {  // for the caller's thread
      if (!ended.test_and_set()) exception = std::current_exception();
      next = pieces;
    }
#else
    take_runs();
#endif
  };
  if (threads <= 1) {
    work();
    if (exception) std::rethrow_exception(exception);
    return;
  }
#ifndef SINEW_ONE_THREAD
#ifdef SINEW_USE_TBB
  limit_to_startable_threads();
  // As many tasks as threads, in the arena of the process: creating another arena took longer than deforming 10,000 vertices.
  // Isolated, because a thread that waits here must not start a task of the outer loop.
  const auto start = [&] { tbb::parallel_for(0U, threads, [&](unsigned) { work(); }, tbb::simple_partitioner{}); };
  tbb::this_task_arena::isolate(start);
#else
  work_on_threads(threads, work);
#endif
  if (exception) std::rethrow_exception(exception);
#endif
}

}  // namespace sinew

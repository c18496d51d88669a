// SPDX-License-Identifier: MIT
#include "base/deadline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/guard.hpp"
#include "base/parallel.hpp"

namespace sinew {
namespace {

constexpr double soon = 1e-3;

void pass(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// Runs a function that throws, with a guard. Returns the error.
template <class Work>
Error error_of(const Work& work) {
  try {
    work();
  } catch (...) {
    return ended_by_exception([] { return Place{"a.glb", {}, {}}; }).value();
  }
  ADD_FAILURE() << "nothing ended the work";
  return {};
}

TEST(Deadline, EndsWorkAndNamesItself) {
  EXPECT_NO_THROW(ask_deadline());
  const Deadline deadline(soon);
  EXPECT_FALSE(Deadline::over());
  pass(2 * soon);
  const Error late = error_of(ask_deadline);
  EXPECT_EQ(late.failure, Failure::deadline);
  EXPECT_EQ(late.code, "SINEW_DEADLINE");
  EXPECT_EQ(late.place.file, "a.glb");
  EXPECT_NE(late.message.find("--max-seconds"), std::string::npos);
}

TEST(Deadline, IsNotMetWithoutALimit) {
  for (const double seconds : {0.0, 1e300, std::numeric_limits<double>::infinity()}) {
    const Deadline deadline(seconds);
    EXPECT_NO_THROW(ask_deadline());
  }
}

TEST(Deadline, AnInnerOneReplacesTheTime) {
  const Deadline outer(soon);
  {
    const Deadline inner(0);
    pass(2 * soon);
    EXPECT_NO_THROW(ask_deadline());
  }
  EXPECT_THROW(ask_deadline(), Interrupted);
}

TEST(Deadline, EachItemGetsTheWholeTime) {
  const double time = 1;  // long, as a busy machine wakes sleepers late
  const Deadline whole(time);
  const EachDeadline each;
  for (int i = 0; i < 12; ++i) {
    const Deadline deadline = each.item();
    pass(0.1 * time);
    EXPECT_NO_THROW(ask_deadline());
  }
  const Deadline late = each.item();
  pass(1.05 * time);
  EXPECT_THROW(ask_deadline(), Interrupted);
}

TEST(Deadline, HasNoTimeLeftToLimitAfterAListOfItems) {
  const Deadline deadline(soon);
  {
    const EachDeadline each;
    const Deadline item = each.item();
    pass(2 * soon);
    EXPECT_THROW(ask_deadline(), Interrupted);
  }
  EXPECT_NO_THROW(ask_deadline());
}

TEST(Deadline, StopsOnRequestOfItsOwnThread) {
  std::atomic<bool> stop = false;
  const std::thread::id own = std::this_thread::get_id();
  const Deadline deadline(0, [&] {
    EXPECT_EQ(std::this_thread::get_id(), own);
    return stop.load();
  });
  std::atomic<int> calls = 0;
  const auto work = [&](std::size_t, std::size_t) {
    if (++calls == 8) stop = true;
    pass(0.02);
  };
  const Error stopped = error_of([&] { parallel_for(1000, 1, 2, work); });
  EXPECT_LT(calls, 60);
  EXPECT_EQ(stopped.failure, Failure::cancelled);
  EXPECT_EQ(stopped.code, "SINEW_STOPPED");
  const Deadline inner(1000);  // the request holds for it as well
  EXPECT_EQ(error_of(ask_deadline).failure, Failure::cancelled);
}

TEST(Deadline, HoldsOnAllThreadsOfALoop) {
  for (const unsigned threads : {1U, 2U, 8U}) {
    const Deadline deadline(5 * soon);
    std::atomic<int> calls = 0;
    const auto work = [&](std::size_t, std::size_t) {
      ++calls;
      pass(soon);
    };
    EXPECT_EQ(error_of([&] { parallel_for(100000, 1, threads, work); }).failure, Failure::deadline);
    EXPECT_LT(calls, 32 * static_cast<int>(threads));
  }
}

TEST(Deadline, ALoopThatMeetsNoneCoversEveryIndexOnce) {
  for (const unsigned threads : {1U, 3U}) {
    const Deadline deadline(1000);
    std::vector<std::atomic<int>> hits(1003);
    parallel_for(hits.size(), 10, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) ++hits[i];
    });
    EXPECT_TRUE(std::ranges::all_of(hits, [](const auto& hit) { return hit == 1; }));
  }
}

TEST(Guard, TellsTheEndOfMemoryFromTheEndOfTime) {
  const Deadline deadline(soon);
  pass(2 * soon);
  EXPECT_TRUE(Deadline::over());
  for (const Error& ended :
       {error_of([] { throw std::bad_alloc(); }), error_of([] { throw std::length_error("more than a vector can hold"); })}) {
    EXPECT_EQ(ended.failure, Failure::limit);
    EXPECT_EQ(ended.code, "SINEW_NO_MEMORY") << "memory ended, although the time is over as well";
    EXPECT_EQ(ended.place.file, "a.glb");
  }
  EXPECT_THROW(static_cast<void>(error_of([] { throw std::logic_error("a bug"); })), std::logic_error);
}

TEST(ParallelFor, PassesTheEndOfMemoryOn) {
  for (const unsigned threads : {2U, 8U})
    EXPECT_THROW(parallel_for(100, 1, threads,
                              [](std::size_t first, std::size_t) {
                                if (first > 40) throw std::bad_alloc();
                              }),
                 std::bad_alloc);
}

TEST(MadeOrShort, CallsTwiceBeforeItGivesUp) {
  std::size_t calls = 0, failing = 1;
  const auto make = [&] {
    if (++calls <= failing) throw std::bad_alloc();
    return Error{Failure::deadline, "SINEW_DEADLINE", {}, "took longer"};
  };
  EXPECT_EQ(made_or_short(Failure::deadline, "SINEW_DEADLINE", make).message, "took longer");
  calls = 0;
  failing = 2;
  EXPECT_EQ(made_or_short(Failure::deadline, "SINEW_DEADLINE", make).message, "out of memory");
  EXPECT_EQ(calls, 2u);
}

}  // namespace
}  // namespace sinew

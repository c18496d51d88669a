// SPDX-License-Identifier: MIT
// What is left of a deadline where it throws nothing: this holds with exceptions and without.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/parallel.hpp"
#include "base/work.hpp"

namespace sinew {
namespace {

void wait_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

TEST(TimeLeft, IsAnErrorAfterTheDeadline) {
  EXPECT_TRUE(time_left());
  {
    const Deadline deadline(1e-3);
    wait_for(2e-3);
    const Result<> left = time_left();
    ASSERT_FALSE(left);
    EXPECT_EQ(left.error().failure, Failure::deadline);
    EXPECT_EQ(left.error().code, "SINEW_DEADLINE");
    EXPECT_NE(left.error().message.find("--max-seconds"), std::string::npos);
  }
  EXPECT_TRUE(time_left());
}

TEST(TimeLeft, NamesTheRequestToStop) {
  const Deadline deadline(0, [] { return true; });
  wait_for(0.12);
  const Result<> left = time_left();
  ASSERT_FALSE(left);
  EXPECT_EQ(left.error().failure, Failure::cancelled);
  EXPECT_EQ(left.error().code, "SINEW_STOPPED");
}

TEST(TimeLeft, IsThatOfTheCallerOnAllThreadsOfALoop) {
  const Deadline deadline(1000);
  std::atomic<int> calls = 0, without = 0;
  parallel_for(64, 1, 4, [&](std::size_t, std::size_t) {
    ++calls;
    if (deadline_of_this_thread == nullptr || !time_left()) ++without;
  });
  EXPECT_GT(calls, 0);
  EXPECT_EQ(without, 0);
}

TEST(WorkMeter, AllowsUpToTheLimit) {
  WorkMeter work(10, {"a.glb", {}, {}});
  EXPECT_TRUE(work.allow(10, "the things"));
  const Result<> more = work.allow(1, "the things");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, "SINEW_WORK_LIMIT");
  EXPECT_EQ(more.error().place.file, "a.glb");
}

TEST(Guard, CallsWorkThatThrowsNothing) {
  bool called = false;
  EXPECT_TRUE(caught([&] { called = true; }));
  EXPECT_TRUE(called);
}

}  // namespace
}  // namespace sinew

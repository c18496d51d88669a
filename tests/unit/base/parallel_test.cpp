// SPDX-License-Identifier: MIT
#include "base/parallel.hpp"

#include <gtest/gtest.h>
#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <vector>

namespace sinew {
namespace {

TEST(ParallelFor, CoversEveryIndexOnceInWholeGrains) {
  for (const unsigned threads : {0u, 1u, 2u, 3u, 8u}) {
    for (const std::size_t count : {0u, 1u, 9u, 10u, 11u, 1000u, 1003u}) {
      std::vector<std::atomic<int>> hits(count);
      std::atomic<int> crooked = 0;
      parallel_for(count, 10, threads, [&](std::size_t first, std::size_t last) {
        if (first % 10 != 0 || (last % 10 != 0 && last != count)) ++crooked;
        for (std::size_t i = first; i < last; ++i) ++hits[i];
      });
      EXPECT_TRUE(std::all_of(hits.begin(), hits.end(), [](const auto& hit) { return hit == 1; })) << threads << " " << count;
      EXPECT_EQ(crooked, 0);
    }
  }
}

TEST(ParallelFor, OneGrainStaysOnThisThread) {
  std::vector<std::thread::id> callers;
  parallel_for(10, 10, 8, [&](std::size_t, std::size_t) { callers.push_back(std::this_thread::get_id()); });
  EXPECT_EQ(callers, std::vector{std::this_thread::get_id()});
}

// Not with the sanitizers (debug builds): they need address space themselves.
#if defined(__linux__) && defined(NDEBUG)
TEST(ParallelFor, GoesOnWithoutAnotherThreadWhereNoneCanStart) {
  const auto sum_where_no_stack_fits = [] {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t bytes = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{6} << 20);
    const rlimit limit{bytes, bytes};
    if (pages == 0 || setrlimit(RLIMIT_AS, &limit) != 0) std::exit(2);
    std::atomic<std::size_t> sum = 0;
    for (int call = 0; call < 2; ++call)
      parallel_for(1000, 1, 2, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) sum += i;
      });
    std::exit(sum == 999'000 ? 0 : 1);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // no thread of another test has started there
  EXPECT_EXIT(sum_where_no_stack_fits(), testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace sinew

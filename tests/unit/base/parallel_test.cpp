// SPDX-License-Identifier: MIT
#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
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

}  // namespace
}  // namespace sinew

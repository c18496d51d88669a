// SPDX-License-Identifier: MIT
// Every allocation of reading, deforming and validating fails once: each failure becomes Failure::limit, never an exception.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "unit/validate/deformed.hpp"
#include "unit/validate/failing_allocations.hpp"

#include "sinew/validate.hpp"

namespace sinew::validate::test {
namespace {

namespace fs = std::filesystem;
using sinew::test::allocation_failed;
using sinew::test::fail_allocation;

const fs::path samples = fs::path(SINEW_SOURCE_DIR) / "samples";
const char* const files[] = {"gltf/simple_skin.gltf", "gltf/morph_cube.gltf", "g4mf/arm_4d.g4tf", "g4mf/arm_4d_2026_07.g4b",
                             "g4mf/arm_4d_zstd.g4b"};

/// Runs `work` on the result of `made` with its first allocation failing, then its second one, until none fails; returns the number of
/// failures.
template <class Made, class Work>
std::size_t with_each_failing(const fs::path& file, Made made, Work work) {
  EXPECT_TRUE(work(made())) << file;  // the first run lets other libraries make their one-time allocations
  for (std::size_t next = 0; !testing::Test::HasFailure(); ++next) {
    auto input = made();
    fail_allocation(next);
    try {
      const auto done = work(std::move(input));
      if (!allocation_failed()) {
        EXPECT_TRUE(done) << file << ": " << done.error().line();
        return next;
      }
      if (done) continue;  // some allocations are optional, such as a buffer for sorting
      EXPECT_EQ(done.error().failure, Failure::limit) << file << ", allocation " << next << ": " << done.error().line();
      EXPECT_EQ(done.error().code, "SINEW_NO_MEMORY") << file << ", allocation " << next;
    } catch (const std::exception& thrown) {
      EXPECT_TRUE(allocation_failed());
      ADD_FAILURE() << file << ", allocation " << next << ": " << thrown.what() << " left a public function";
    }
  }
  return 0;
}

struct Ignored final : FindingSink {
  void add(Finding) override {}
};

TEST(AllocationFailure, LoadingEndsInACleanError) {
  for (const char* name : files) {
    const fs::path file = samples / name;
    EXPECT_GT(with_each_failing(file, [] { return Ignored(); }, [&](Ignored ignored) { return io::load(file, {}, ignored); }), 50u);
  }
}

TEST(AllocationFailure, DeformingEndsInACleanError) {
  for (const char* name : files) {
    FindingList findings;
    const auto model = io::load(samples / name, {}, findings);
    ASSERT_TRUE(model);
    struct Input {
      std::vector<Instance> list;
      std::vector<float> rows;
    };
    const auto input = [&] { return Input{need(instances(*model)), room_for(*model)}; };
    const auto work = [&](Input given) { return deformed(*model, std::move(given.list), std::move(given.rows)); };
    EXPECT_GT(with_each_failing(samples / name, input, work), 5u);
  }
}

TEST(AllocationFailure, ValidatingEndsInACleanError) {
  const fs::path file = samples / files[0];
  EXPECT_GT(with_each_failing(file, [] { return Options(); }, [&](const Options& options) { return check_file(file, options); }), 100u);
}

}  // namespace
}  // namespace sinew::validate::test

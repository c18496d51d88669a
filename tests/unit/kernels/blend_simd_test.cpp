// SPDX-License-Identifier: MIT
// Blend shapes by every SIMD kernel of this processor against the plain twins in double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernels/morph.hpp"
#include "kernels/skin_simd.hpp"

namespace sinew::kernels {
namespace {

// One rounding for each of up to 20 shapes of numbers about 1 large.
constexpr double tolerance = 3e-6;

std::vector<float> numbers(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> list(count);
  for (float& value : list) value = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 1000;
  return list;
}

void expect_near(const std::vector<float>& found, const std::vector<double>& expected, const std::string& what) {
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], tolerance) << what << " " << i;
}

class SimdBlend : public testing::TestWithParam<SimdKernel> {};

TEST_P(SimdBlend, AddsDenseShapes) {
  for (const std::size_t size : {0U, 1U, 3U, 15U, 16U, 17U, 47U, 300U})
    for (const std::size_t shapes : {0U, 1U, 2U, 3U, 7U, 8U, 9U, 16U, 20U}) {
      const std::vector<float> base = numbers(size, 1), amounts = numbers(shapes, 2);
      std::vector<std::vector<float>> offsets;
      std::vector<const float*> rows;
      for (std::size_t s = 0; s < shapes; ++s) offsets.push_back(numbers(size, static_cast<std::uint32_t>(10 + s)));
      for (const auto& list : offsets) rows.push_back(list.data());
      std::vector<double> expected(base.begin(), base.end());
      for (std::size_t s = 0; s < shapes; ++s) plain::morph_dense<double>(expected, static_cast<double>(amounts[s]), offsets[s]);
      std::vector<float> found = base, pieces = base;
      GetParam().morph_dense(found.data(), base.data(), size, rows.data(), amounts.data(), shapes);
      expect_near(found, expected, std::to_string(size) + " numbers, " + std::to_string(shapes) + " shapes");
      for (std::size_t first = 0, count = 0; first < size; first += count) {
        count = std::min<std::size_t>(1 + first % 21, size - first);
        std::vector<const float*> part = rows;
        for (const float*& row : part) row += first;
        GetParam().morph_dense(pieces.data() + first, pieces.data() + first, count, part.data(), amounts.data(), shapes);
      }
      EXPECT_EQ(pieces, found) << size << " numbers, " << shapes << " shapes, in pieces";
    }
}

TEST_P(SimdBlend, AddsSparseRows) {
  const std::vector<std::uint32_t> rows{10, 12, 13, 13, 14, 40};  // one twice: it is moved twice
  for (std::size_t width = 1; width <= 8; ++width) {
    const std::vector<float> base = numbers(31 * width, 3), offsets = numbers(rows.size() * width, 4);
    std::vector<double> expected(base.begin(), base.end());
    plain::morph_sparse<double>(expected, width, 0.75, rows, 10, offsets);
    std::vector<float> found = base;
    GetParam().morph_rows(found.data(), width, 0.75F, rows.data(), rows.size(), 10, offsets.data());
    expect_near(found, expected, "width " + std::to_string(width));
    GetParam().morph_rows(found.data(), width, 0.75F, rows.data(), 0, 10, offsets.data());
    expect_near(found, expected, "nothing more");
  }
}

TEST_P(SimdBlend, FindsWhatIsNoNumberInAnyPlace) {
  for (const std::size_t size : {0u, 1u, 15u, 63u, 64u, 65u, 200u}) {
    std::vector<float> values = numbers(size, 5);
    EXPECT_TRUE(GetParam().all_finite(values.data(), size));
    for (std::size_t i = 0; i < size; ++i)
      for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), std::nanf("")}) {
        const float kept = std::exchange(values[i], bad);
        EXPECT_FALSE(GetParam().all_finite(values.data(), size)) << size << " " << i << " " << bad;
        values[i] = kept;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(OfThisProcessor, SimdBlend, testing::ValuesIn(simd_kernels().begin(), simd_kernels().end()),
                         [](const auto& kernel) { return std::string(kernel.param.name); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SimdBlend);

}  // namespace
}  // namespace sinew::kernels

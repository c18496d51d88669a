// SPDX-License-Identifier: MIT
#include "sinew/array.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace sinew {
namespace {

using testing::ElementsAre;

TEST(Array, OwnsPackedValues) {
  const Array array = Array::own(std::vector<float>{1, 2, 3, 4, 5, 6}, 3);
  EXPECT_EQ(array.size(), 2u);
  EXPECT_EQ(array.width(), 3u);
  EXPECT_TRUE(array.holds<float>());
  EXPECT_THAT(array.read<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(array.view<float>()[1][2], 6);
}

TEST(Array, BorrowsFromTheCallersMemory) {
  float memory[] = {1, 2, -1, 3, 4, -1};
  const Array array = Array::borrow(memory, 2, 2, 3 * sizeof(float), ComponentType::float32, false, nullptr);
  EXPECT_THAT(array.read<double>(), ElementsAre(1, 2, 3, 4));
  memory[3] = 7;
  EXPECT_THAT(array.read<double>(), ElementsAre(1, 2, 7, 4));
}

TEST(Array, CopiesShareTheOwner) {
  const auto bytes = std::make_shared<const std::array<std::uint8_t, 2>>(std::array<std::uint8_t, 2>{1, 2});
  const Array array = Array::borrow(bytes->data(), 2, 1, 1, ComponentType::uint8, false, bytes);
  const Array copy = array;  // NOLINT(performance-unnecessary-copy-initialization): the copy is what is tested
  EXPECT_EQ(bytes.use_count(), 3);
  EXPECT_EQ(copy.data(), array.data());
}

TEST(Array, ReadsRowsFromTheMiddle) {
  const Array array = Array::own(std::vector<std::int16_t>{0, 1, 2, 3, 4, 5}, 2);
  std::array<float, 2> row{};
  array.read(2, 1, row.data());
  EXPECT_THAT(row, ElementsAre(4, 5));
}

TEST(Array, NormalizedIntegersBecomeUnitRange) {
  EXPECT_THAT(Array::own(std::vector<std::uint8_t>{0, 51, 255}, 1, true).read<double>(), ElementsAre(0, 0.2, 1));
  EXPECT_THAT(Array::own(std::vector<std::int8_t>{-128, -127, 0, 127}, 1, true).read<double>(), ElementsAre(-1, -1, 0, 1));
  EXPECT_THAT(Array::own(std::vector<std::uint16_t>{0, 13107, 65535}, 1, true).read<double>(), ElementsAre(0, 0.2, 1));
  EXPECT_THAT(Array::own(std::vector<std::int16_t>{-32768, -32767, 32767}, 1, true).read<double>(), ElementsAre(-1, -1, 1));
}

TEST(Array, NormalizedIntegersReadAsIntegersStayAsStored) {
  EXPECT_THAT(Array::own(std::vector<std::uint8_t>{0, 51, 255}, 1, true).read<std::uint32_t>(), ElementsAre(0, 51, 255));
}

TEST(Array, IntegersThatDoNotFitBecomeTheLargestIndex) {
  constexpr std::uint32_t largest = 0xFFFFFFFF;
  EXPECT_THAT(Array::own(std::vector<std::int32_t>{-1, 5}, 1).read<std::uint32_t>(), ElementsAre(largest, 5));
  EXPECT_THAT(Array::own(std::vector<std::uint64_t>{7, 1ull << 40}, 1).read<std::uint32_t>(), ElementsAre(7, largest));
  EXPECT_THAT(Array::own(std::vector<float>{-1, 3, 1e20f, NAN}, 1).read<std::uint32_t>(), ElementsAre(largest, 3, largest, largest));
}

TEST(Array, SmallFloatsAreReadBitByBit) {
  const auto one = [](auto bits, ComponentType type) {
    double value = 0;
    Array::borrow(&bits, 1, 1, sizeof bits, type, false, nullptr).read(0, 1, &value);
    return value;
  };
  EXPECT_EQ(one(std::uint8_t{0x38}, ComponentType::float8), 1.0);
  EXPECT_EQ(one(std::uint8_t{0x01}, ComponentType::float8), std::ldexp(1, -9));
  EXPECT_EQ(one(std::uint8_t{0xF8}, ComponentType::float8), -HUGE_VAL);
  EXPECT_EQ(one(std::uint16_t{0x3C01}, ComponentType::float16), 1 + std::ldexp(1, -10));
  EXPECT_EQ(one(std::uint16_t{0x8001}, ComponentType::float16), -std::ldexp(1, -24));
  EXPECT_TRUE(std::isnan(one(std::uint16_t{0x7E00}, ComponentType::float16)));
  EXPECT_EQ(one(std::bit_cast<std::uint64_t>(0.1), ComponentType::float64), 0.1);
  EXPECT_EQ(one(static_cast<unsigned __int128>(0x4000800000000000ull) << 64, ComponentType::float128), 3.0);
}

TEST(StridedView, StepsOverWhatLiesBetweenRows) {
  std::array<float, 8> memory{0, 1, 2, 3, 4, 5, 6, 7};
  const strided_view<float> view(memory.data(), 2, 2, 4 * sizeof(float));
  EXPECT_FALSE(view.packed());
  EXPECT_EQ(view[1][1], 5);
  EXPECT_EQ(view.rows(1, 1)[0][0], 4);
  view[0][0] = 9;
  EXPECT_EQ(memory[0], 9);
}

}  // namespace
}  // namespace sinew

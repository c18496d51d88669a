// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/morph.hpp"
#include "kernels/skin.hpp"

namespace sinew {
namespace {

using testing::ElementsAre;

TEST(Morph, DenseAddsEveryOffset) {
  std::vector<float> values{1, 2, 3, 4};
  kernels::plain::morph_dense<float>(values, 0.5f, std::vector<float>{2, 4, 6, 8});
  EXPECT_THAT(values, ElementsAre(2, 4, 6, 8));
}

TEST(Morph, SparseAddsToTheRowsThatAreNamed) {
  std::vector<double> values(6, 1);  // rows 10, 11 and 12 of a longer list
  kernels::plain::morph_sparse<double>(values, 2, 2, std::vector<std::uint32_t>{10, 12, 12}, 10, std::vector<float>{1, 2, 3, 4, 5, 6});
  EXPECT_THAT(values, ElementsAre(3, 5, 1, 1, 17, 21));
}

TEST(Maps, OfThreeDimensionsFillOneLineOfFloats) {
  EXPECT_EQ(kernels::column_stride(3), 4u);
  EXPECT_EQ(kernels::map_stride(3) * sizeof(float), 64u);
  EXPECT_EQ(kernels::map_stride(2), 16u);
  EXPECT_EQ(kernels::map_size(4), 20u);
  EXPECT_EQ(kernels::map_stride(4), 32u);
}

/// Random vertices of N-space on three maps, moved by a dimension of the given kind.
template <class T, class D>
std::vector<float> moved(D n) {
  constexpr std::size_t count = 37, slots = 3;
  std::mt19937 engine(static_cast<unsigned>(n));
  const auto number = [&] { return static_cast<float>(static_cast<int>(engine() % 2001) - 1000) / 256; };
  std::vector<T> maps(slots * kernels::map_stride(n)), positions(count * n), normals(count * n);
  std::vector<float> base(count * n), out(2 * count * n), weights;
  std::vector<std::uint32_t> first{0}, slot;
  for (std::size_t m = 0; m < slots; ++m)
    for (std::size_t j = 0; j <= n; ++j)
      for (std::size_t i = 0; i < n; ++i) maps[m * kernels::map_stride(n) + j * kernels::column_stride(n) + i] = static_cast<T>(number());
  for (std::size_t i = 0; i < count * n; ++i) {
    positions[i] = static_cast<T>(number());
    base[i] = number();
    normals[i] = static_cast<T>(base[i]);
  }
  for (std::size_t v = 0; v < count; ++v) {
    for (std::size_t k = 0; k < v % 5; ++k) slot.push_back(static_cast<std::uint32_t>(engine() % slots)), weights.push_back(number());
    first.push_back(static_cast<std::uint32_t>(slot.size()));
  }
  kernels::Vertices<T> in{positions.data(), normals.data(), nullptr, base.data()};
  const kernels::Moved to{{out.data(), count, n}, {out.data() + count * n, count, n}, {}};
  kernels::plain::skin(n, {first.data(), slot.data(), weights.data()}, 0, count, maps.data(), in, to);
  return out;
}

template <class T>
class Skin : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Skin, Precisions);

TYPED_TEST(Skin, IsTheSameForDimensionsKnownAtCompileTimeAndNot) {
  EXPECT_EQ(moved<TypeParam>(FixedDimension<2>{}), moved<TypeParam>(std::size_t{2}));
  EXPECT_EQ(moved<TypeParam>(FixedDimension<3>{}), moved<TypeParam>(std::size_t{3}));
  EXPECT_EQ(moved<TypeParam>(FixedDimension<4>{}), moved<TypeParam>(std::size_t{4}));
  EXPECT_EQ(moved<TypeParam>(FixedDimension<5>{}), moved<TypeParam>(std::size_t{5}));
}

TEST(SkinPrecision, FloatAndDoubleAgree) {
  for (const std::size_t n : {1u, 2u, 3u, 4u, 7u}) {
    const std::vector<float> single = moved<float>(n), full = moved<double>(n);
    for (std::size_t i = 0; i < single.size() / 2; ++i) ASSERT_NEAR(single[i], full[i], 1e-3) << n;  // of up to 500
  }
}

TEST(WithDimension, HandsOverEveryDimension) {
  for (std::size_t n = 0; n <= max_dimension; ++n) EXPECT_EQ(with_dimension(n, [](auto dimension) { return std::size_t{dimension}; }), n);
}

}  // namespace
}  // namespace sinew

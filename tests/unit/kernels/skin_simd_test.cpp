// SPDX-License-Identifier: MIT
// Compares every SIMD kernel of this processor with its plain twin in double precision.
#include "kernels/skin_simd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "sinew/array.hpp"

namespace sinew::kernels::skin_simd_test {
namespace {

constexpr FixedDimension<3> three;
// Products and sums of numbers about 1 large, rounded to 2^-24 in another order than the twin's; directions are of length 1.
constexpr double tolerance = 2e-6;

struct Case {
  std::vector<std::uint32_t> first, slot;
  std::vector<float> weight, positions, normals, tangents;
  AlignedVector<float> maps;
  std::vector<double> exact_maps;

  [[nodiscard]] std::size_t vertices() const { return first.size() - 1; }
  [[nodiscard]] InfluenceTiles tiles() const { return InfluenceTiles::make(rows(), vertices(), 3, maps.size() / map_stride(3)); }
  [[nodiscard]] Vertices<float> channels(std::size_t from = 0) const {
    return {positions.data() + from * 3, normals.data() + from * 3, tangents.data() + from * 4, normals.data() + from * 3};
  }
  [[nodiscard]] InfluenceRows rows() const { return {first.data(), slot.data(), weight.data()}; }
};

template <class T>
std::vector<T> as(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

/// The number of influences of a vertex.
using Lengths = std::function<std::size_t(std::size_t vertex, std::mt19937&)>;
std::size_t up_to_nine(std::size_t /*vertex*/, std::mt19937& random) { return random() % 10; }

Case make_case(std::size_t vertices, std::uint32_t seed, const Lengths& length = up_to_nine) {
  std::mt19937 random(seed);
  const auto between = [&random](double low, double high) {
    return static_cast<float>(low + (high - low) * static_cast<double>(random()) / 4294967296.0);
  };
  Case made;
  constexpr std::uint32_t joints = 17;
  made.maps.resize(joints * map_stride(3));
  for (std::size_t joint = 0; joint < joints; ++joint)
    for (std::size_t column = 0; column < 4; ++column)
      for (std::size_t row = 0; row < 3; ++row) made.maps[joint * map_stride(3) + column * 4 + row] = between(-1, 1);
  made.exact_maps.assign(made.maps.begin(), made.maps.end());
  made.first.push_back(0);
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::size_t influences = length(v, random);
    for (std::size_t i = 0; i < influences; ++i) {
      made.slot.push_back(static_cast<std::uint32_t>(random() % joints));
      made.weight.push_back(between(0, 0.4));
    }
    made.first.push_back(static_cast<std::uint32_t>(made.slot.size()));
    for (int c = 0; c < 3; ++c) made.positions.push_back(between(-1, 1));
    for (int c = 0; c < 3; ++c) made.normals.push_back(between(-1, 1));
    for (int c = 0; c < 3; ++c) made.tangents.push_back(between(-1, 1));
    made.tangents.push_back(v % 2 == 0 ? 1.0f : -1.0f);
  }
  return made;
}

struct Output {
  std::vector<float> positions, normals, tangents;
  std::size_t pad;  ///< floats between rows

  Output(std::size_t vertices, std::size_t padding)
      : positions(vertices * (3 + padding), -7),
        normals(vertices * (3 + padding), -7),
        tangents(vertices * (4 + padding), -7),
        pad(padding) {}
  Moved moved(std::size_t vertices) {
    const auto view = [&](std::vector<float>& values, std::size_t width) {
      return strided_view<float>(values.data(), vertices, width, (width + pad) * sizeof(float));
    };
    return {view(positions, 3), view(normals, 3), view(tangents, 4)};
  }
};

void expect_near(const std::vector<float>& found, const std::vector<float>& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], tolerance) << what << " " << i;
}

/// A direction of nearly length 0 is imprecise in float; such cases are compared separately.
bool well_conditioned(const Case& made, std::size_t vertex) {
  std::array<double, 16> map{};
  std::array<double, 9> cofactors{};
  plain::blend_maps(three, made.rows(), vertex, made.exact_maps.data(), map.data());
  plain::direction_cofactor(three, map.data(), cofactors.data());
  double largest = 0;
  for (std::size_t row = 0; row < 3; ++row) {
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) sum += cofactors[c * 3 + row] * static_cast<double>(made.normals[vertex * 3 + c]);
    largest = std::max(largest, std::abs(sum));
  }
  return largest > 0.1 || made.first[vertex] == made.first[vertex + 1];
}

/// The kernel over vertices [first, last); row 0 of the output is vertex `first`.
void skin(const SimdKernel& kernel, const Case& made, const InfluenceTiles& tiles, std::size_t first, std::size_t last, const Moved& out) {
  kernel.skin(3, tiles, first, last - first, made.maps.data(), made.channels(first), out);
}

class SimdSkin : public testing::TestWithParam<SimdKernel> {};

void expect_twin(const SimdKernel& kernel, Case made, std::size_t padding, const std::string& what) {
  const std::size_t vertices = made.vertices();
  for (std::size_t v = 0; v < vertices; ++v)
    if (!well_conditioned(made, v)) std::copy_n(std::array{0.0f, 0.0f, 0.0f}.data(), 3, made.normals.data() + v * 3);
  const std::vector<double> positions = as<double>(made.positions), normals = as<double>(made.normals),
                            tangents = as<double>(made.tangents);
  Output expected(vertices, padding), found(vertices, padding);
  plain::skin(three, made.rows(), 0, vertices, made.exact_maps.data(),
              Vertices<double>{positions.data(), normals.data(), tangents.data(), made.normals.data()}, expected.moved(vertices));
  skin(kernel, made, made.tiles(), 0, vertices, found.moved(vertices));
  expect_near(found.positions, expected.positions, what + ", position");
  expect_near(found.normals, expected.normals, what + ", normal");
  expect_near(found.tangents, expected.tangents, what + ", tangent");
}

TEST_P(SimdSkin, DoesWhatItsPlainTwinDoes) {
  for (const std::size_t vertices : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 15U, 16U, 17U, 31U, 33U, 250U, 511U, 512U, 1100U})
    for (const std::size_t padding : {0U, 1U, 5U})
      expect_twin(GetParam(), make_case(vertices, static_cast<std::uint32_t>(vertices)), padding,
                  std::to_string(vertices) + " vertices, padding " + std::to_string(padding));
}

TEST_P(SimdSkin, TakesAnyNumberOfInfluences) {
  for (std::size_t influences = 0; influences <= 20; ++influences)
    expect_twin(GetParam(), make_case(37, 1, [&](std::size_t, std::mt19937&) { return influences; }), 0,
                std::to_string(influences) + " influences");
  const auto one_long_row = [](std::size_t v, std::mt19937&) -> std::size_t { return v == 300 ? 2000 : v % 3; };
  Case made = make_case(600, 2, one_long_row);
  for (std::size_t i = made.first[300]; i < made.first[301]; ++i) made.weight[i] /= 2000;
  expect_twin(GetParam(), made, 0, "one long row");
  EXPECT_LT(made.tiles().weights.size(), 600 * 3 + 2 * 2000);
}

TEST_P(SimdSkin, TakesTablesThatAreLarge) {
  Case made = make_case(100, 4);
  constexpr std::size_t apart = 1000;
  AlignedVector<float> spread(made.maps.size() * apart);
  for (std::size_t i = 0; i < made.maps.size(); ++i) spread[i / map_stride(3) * map_stride(3) * apart + i % map_stride(3)] = made.maps[i];
  Case far = made;
  far.maps = spread;
  for (std::uint32_t& slot : far.slot) slot *= apart;
  ASSERT_TRUE(made.tiles().wide.empty());
  ASSERT_TRUE(far.tiles().narrow.empty());
  Output near_found(100, 0), far_found(100, 0);
  skin(GetParam(), made, made.tiles(), 0, 100, near_found.moved(100));
  skin(GetParam(), far, far.tiles(), 0, 100, far_found.moved(100));
  EXPECT_EQ(near_found.positions, far_found.positions);
  EXPECT_EQ(near_found.normals, far_found.normals);
}

TEST_P(SimdSkin, WritesWhatIsWantedAlone) {
  const Case made = make_case(37, 5);
  Output all(37, 0), some(37, 0);
  skin(GetParam(), made, made.tiles(), 0, 37, all.moved(37));
  Moved only;
  only.positions = some.moved(37).positions;
  GetParam().skin(3, made.tiles(), 0, 37, made.maps.data(), {made.positions.data(), nullptr, nullptr, nullptr}, only);
  EXPECT_EQ(some.positions, all.positions);
  EXPECT_EQ(some.normals, std::vector<float>(37 * 3, -7));
  GetParam().skin(3, made.tiles(), 0, 37, made.maps.data(), {}, {});  // nothing
  only = {};
  only.normals = some.moved(37).normals;
  GetParam().skin(3, made.tiles(), 0, 37, made.maps.data(), {nullptr, made.normals.data(), nullptr, made.normals.data()}, only);
  EXPECT_EQ(some.normals, all.normals);
}

TEST_P(SimdSkin, GivesTheSameHoweverTheVerticesAreSplit) {
  const std::size_t vertices = 1200;
  const auto about_four = [](std::size_t v, std::mt19937&) -> std::size_t { return v % 50 == 0 ? 3 : 4; };
  for (const bool in_order : {false, true}) {
    const Lengths lengths = in_order ? Lengths(about_four) : Lengths(up_to_nine);
    const Case made = make_case(vertices, 9, lengths);
    const InfluenceTiles tiles = made.tiles();
    EXPECT_EQ(tiles.order.empty(), in_order);
    Output whole(vertices, 0);
    skin(GetParam(), made, tiles, 0, vertices, whole.moved(vertices));
    for (const std::size_t cut : {1U, 13U, 16U, 50U, 511U, 512U, 530U, 1199U}) {
      Output parts(vertices, 0);
      const Moved all = parts.moved(vertices);
      const auto piece = [&](std::size_t first, std::size_t count) -> Moved {
        return {all.positions.rows(first, count), all.normals.rows(first, count), all.tangents.rows(first, count)};
      };
      skin(GetParam(), made, tiles, 0, cut, piece(0, cut));
      skin(GetParam(), made, tiles, cut, vertices, piece(cut, vertices - cut));
      EXPECT_EQ(parts.positions, whole.positions) << cut;
      EXPECT_EQ(parts.normals, whole.normals) << cut;
      EXPECT_EQ(parts.tangents, whole.tangents) << cut;
    }
  }
}

// Steps of `optimize` that may move nothing cut meshes into parts, and all vertices of a part may have the same map.
TEST_P(SimdSkin, GivesTheSameWhetherAllVerticesHaveOneMapOrNot) {
  const std::size_t vertices = 100;
  Case made = make_case(vertices, 12, [](std::size_t, std::mt19937&) -> std::size_t { return 3; });
  for (std::size_t i = 3; i < made.slot.size(); ++i) {
    made.slot[i] = made.slot[i % 3];
    made.weight[i] = made.weight[i % 3];
  }
  EXPECT_TRUE(made.tiles().one_map);
  Output together(vertices, 0), apart(vertices, 0);
  skin(GetParam(), made, made.tiles(), 0, vertices, together.moved(vertices));
  Case other = made;
  other.weight.back() = 0.5F;  // of the last vertex
  EXPECT_FALSE(other.tiles().one_map);
  skin(GetParam(), other, other.tiles(), 0, vertices, apart.moved(vertices));
  for (Output* output : {&together, &apart}) {
    output->positions.resize(3 * (vertices - 1));
    output->normals.resize(3 * (vertices - 1));
    output->tangents.resize(4 * (vertices - 1));
  }
  EXPECT_EQ(together.positions, apart.positions);
  EXPECT_EQ(together.normals, apart.normals);
  EXPECT_EQ(together.tangents, apart.tangents);
}

TEST_P(SimdSkin, TakesRowsInTheOrderOfTheTiles) {
  const std::size_t vertices = 1205;
  const Case made = make_case(vertices, 11);
  const InfluenceTiles tiles = made.tiles();
  const List<float> positions = tiles.in_order(made.positions, 3), normals = tiles.in_order(made.normals, 3),
                    tangents = tiles.in_order(made.tangents, 4);
  for (const std::size_t padding : {0U, 2U}) {
    Output as_stored(vertices, padding), in_tiles(vertices, padding);
    skin(GetParam(), made, tiles, 0, vertices, as_stored.moved(vertices));
    const Vertices<float> rows{positions.data(), normals.data(), tangents.data(), normals.data()};
    Vertices<float> in;
    in.in_tiles = &rows;
    GetParam().skin(3, tiles, 0, vertices, made.maps.data(), in, in_tiles.moved(vertices));
    EXPECT_EQ(in_tiles.positions, as_stored.positions);
    EXPECT_EQ(in_tiles.normals, as_stored.normals);
    EXPECT_EQ(in_tiles.tangents, as_stored.tangents);
  }
}

// A run behind a row on its own starts between two tiles, so its last tile ends behind the last whole tile of the block.
TEST(Tiles, RowsInTheirOrderReachTheEndOfTheLastRun) {
  const Case made = make_case(2, 5, [](std::size_t v, std::mt19937&) -> std::size_t { return v == 0 ? 40 : 1; });
  const InfluenceTiles tiles = made.tiles();
  ASSERT_EQ(tiles.runs.size(), 2);
  EXPECT_EQ(tiles.runs[0].rows, 1);
  EXPECT_EQ(tiles.runs[1].first, 1);
  EXPECT_GE(tiles.in_order(made.positions, 3).size(), 3 * (tiles.runs[1].first + tiles.runs[1].rows));
}

TEST_P(SimdSkin, WritesToRowsThatBeginAnywhere) {
  const Case made = make_case(100, 6, [](std::size_t, std::mt19937&) -> std::size_t { return 4; });
  Output aligned(100, 0), shifted(101, 0);
  skin(GetParam(), made, made.tiles(), 0, 100, aligned.moved(100));
  Moved out;
  out.positions = {shifted.positions.data() + 1, 100, 3};
  GetParam().skin(3, made.tiles(), 0, 100, made.maps.data(), made.channels(), out);
  EXPECT_EQ(std::vector<float>(shifted.positions.begin() + 1, shifted.positions.begin() + 301), aligned.positions);
  EXPECT_EQ(shifted.positions[0], -7);
  EXPECT_EQ(shifted.positions[301], -7);
}

// A tiny rig: squares of the remaining direction would underflow in float.
TEST_P(SimdSkin, KeepsDirectionsOfTinyMaps) {
  Case made = make_case(16, 3);
  for (float& value : made.maps) value *= 1e-30f;
  Output out(16, 0);
  skin(GetParam(), made, made.tiles(), 0, 16, out.moved(16));
  for (std::size_t v = 0; v < 16; ++v) {
    const float* n = out.normals.data() + v * 3;
    EXPECT_NEAR(std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1, 1e-6) << v;
  }
}

/// `length`: influences of a vertex; 7: from 0 to 6, by turns.
template <std::size_t N>
void expect_positions_of_the_twin(const SimdKernel& kernel, std::size_t length) {
  std::mt19937 random(N);
  const auto number = [&random] { return static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 1000; };
  constexpr std::size_t vertices = 41, joints = 5;
  AlignedVector<float> maps(joints * map_stride(N));
  for (std::size_t joint = 0; joint < joints; ++joint)
    for (std::size_t column = 0; column <= N; ++column)
      for (std::size_t row = 0; row < N; ++row) maps[joint * map_stride(N) + column * column_stride(N) + row] = number();
  std::vector<std::uint32_t> first{0}, slot;
  std::vector<float> weight, in(vertices * N);
  for (float& value : in) value = number();
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::size_t i = 0; i < (length == 7 ? v % 7 : length); ++i)
      slot.push_back(static_cast<std::uint32_t>(random() % joints)), weight.push_back(0.25f * number());
    first.push_back(static_cast<std::uint32_t>(slot.size()));
  }
  const std::vector<double> exact_maps(maps.begin(), maps.end()), exact(in.begin(), in.end());
  const InfluenceRows rows{first.data(), slot.data(), weight.data()};
  const InfluenceTiles tiles = InfluenceTiles::make(rows, vertices, N, joints);
  for (const std::size_t padding : {0U, 3U}) {
    std::vector<float> expected(vertices * (N + padding), -7), found = expected, pieces = expected;
    const auto view = [&](std::vector<float>& values) {
      return strided_view<float>(values.data(), vertices, N, (N + padding) * sizeof(float));
    };
    plain::skin(FixedDimension<N>{}, rows, 0, vertices, exact_maps.data(), Vertices<double>{exact.data(), nullptr, nullptr, nullptr},
                Moved{view(expected), {}, {}});
    kernel.skin(N, tiles, 0, vertices, maps.data(), {in.data(), nullptr, nullptr, nullptr}, {view(found), {}, {}});
    expect_near(found, expected, std::to_string(N) + " dimensions");
    for (std::size_t begin = 0, count = 0; begin < vertices; begin += count) {
      count = std::min<std::size_t>(1 + begin % 11, vertices - begin);
      kernel.skin(N, tiles, begin, count, maps.data(), {in.data() + begin * N, nullptr, nullptr, nullptr},
                  {view(pieces).rows(begin, count), {}, {}});
    }
    EXPECT_EQ(pieces, found) << N << " dimensions, in pieces";
  }
}

TEST_P(SimdSkin, MovesPositionsOfOtherDimensions) {
  static_assert(!moves(1) && moves(2) && moves(8) && !moves(9));
  for (const std::size_t length : {0U, 1U, 4U, 5U, 7U}) {
    expect_positions_of_the_twin<2>(GetParam(), length);
    expect_positions_of_the_twin<3>(GetParam(), length);
    expect_positions_of_the_twin<4>(GetParam(), length);
    expect_positions_of_the_twin<5>(GetParam(), length);
    expect_positions_of_the_twin<6>(GetParam(), length);
    expect_positions_of_the_twin<7>(GetParam(), length);
    expect_positions_of_the_twin<8>(GetParam(), length);
  }
}

/// `length`: influences of a vertex; 7: from 0 to 6, by turns; 8: all vertices have the same one.
template <std::size_t N>
void expect_normals_of_the_twin(const SimdKernel& kernel, std::size_t length) {
  std::mt19937 random(N);
  const auto number = [&random] { return static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 1000; };
  constexpr std::size_t vertices = 41, joints = 6, stride = column_stride(N);
  AlignedVector<float> maps(joints * map_stride(N));
  for (std::size_t joint = 0; joint < joints; ++joint) {
    float* map = &maps[joint * map_stride(N)];
    for (std::size_t column = 0; column <= N; ++column)
      for (std::size_t row = 0; row < N; ++row) map[column * stride + row] = 0.2F * number() + (row == column ? 1.0F : 0.0F);
    if (joint == 1) std::swap_ranges(map, map + N, map + stride);  // mirrors, and its pivots need a change of rows
    if (joint == 2) std::fill_n(map + (N - 1) * stride, N, 0.0F);  // flat
    if (joint == 3) std::transform(map, map + N * stride, map, [](float x) { return 1e-20F * x; });  // all but vanishes
    if (joint == 4) std::rotate(map, map + stride, map + N * stride);
    if (joint == 5) std::fill_n(map, N * stride, 0.0F);  // nothing is left: the base normal
  }
  std::vector<std::uint32_t> first{0}, slot;
  std::vector<float> weight, positions(vertices * N), normals(vertices * N);
  for (float& value : positions) value = number();
  for (float& value : normals) value = number();
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::size_t count = length == 7 ? v % 7 : length == 8 ? 1 : length;
    for (std::size_t i = 0; i < count; ++i) {
      slot.push_back(static_cast<std::uint32_t>(length == 8 ? 1 : i == 0 ? v % joints : 0));
      weight.push_back(i == 0 ? 1.0F : 0.05F);
    }
    first.push_back(static_cast<std::uint32_t>(slot.size()));
  }
  const std::vector<double> exact_maps(maps.begin(), maps.end()), exact(normals.begin(), normals.end());
  const std::vector<double> exact_positions(positions.begin(), positions.end());
  const InfluenceRows rows{first.data(), slot.data(), weight.data()};
  const InfluenceTiles tiles = InfluenceTiles::make(rows, vertices, N, joints);
  for (const std::size_t padding : {0U, 3U}) {
    std::vector<float> expected(vertices * (N + padding), -7), found = expected, pieces = expected, moved = expected, alone = expected;
    const auto view = [&](std::vector<float>& values) {
      return strided_view<float>(values.data(), vertices, N, (N + padding) * sizeof(float));
    };
    const auto at = [&](std::size_t v) { return Vertices<float>{&positions[v * N], &normals[v * N], nullptr, &normals[v * N]}; };
    plain::skin(FixedDimension<N>{}, rows, 0, vertices, exact_maps.data(),
                Vertices<double>{exact_positions.data(), exact.data(), nullptr, normals.data()}, Moved{{}, view(expected), {}});
    kernel.skin(N, tiles, 0, vertices, maps.data(), at(0), {view(moved), view(found), {}});
    const std::string what = std::to_string(N) + " dimensions, length " + std::to_string(length);
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 2e-5) << what << " " << i;
    kernel.skin(N, tiles, 0, vertices, maps.data(), at(0), {view(alone), {}, {}});
    EXPECT_EQ(alone, moved) << "positions do not depend on normals";
    for (std::size_t begin = 0, count = 0; begin < vertices; begin += count) {
      count = std::min<std::size_t>(1 + begin % 11, vertices - begin);
      kernel.skin(N, tiles, begin, count, maps.data(), at(begin), {{}, view(pieces).rows(begin, count), {}});
    }
    EXPECT_EQ(pieces, found) << what << ", in pieces";
  }
}

TEST_P(SimdSkin, MovesNormalsOfOtherDimensions) {
  for (const std::size_t length : {0U, 1U, 4U, 5U, 7U, 8U}) {
    expect_normals_of_the_twin<2>(GetParam(), length);
    expect_normals_of_the_twin<4>(GetParam(), length);
    expect_normals_of_the_twin<5>(GetParam(), length);
    expect_normals_of_the_twin<6>(GetParam(), length);
    expect_normals_of_the_twin<7>(GetParam(), length);
    expect_normals_of_the_twin<8>(GetParam(), length);
  }
}

INSTANTIATE_TEST_SUITE_P(OfThisProcessor, SimdSkin, testing::ValuesIn(simd_kernels().begin(), simd_kernels().end()),
                         [](const auto& kernel) { return std::string(kernel.param.name); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SimdSkin);

}  // namespace
}  // namespace sinew::kernels::skin_simd_test

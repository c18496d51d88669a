// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "unit/deform/allocations.hpp"
#include "unit/deform/rig.hpp"

namespace sinew {
namespace {

using namespace test;

/// Bulk numbers from one seed that rapidcheck chose; eighths, so that sums of a few are exact in float.
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : engine_(seed) {}
  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(engine_); }
  float eighths(int limit = 64) { return static_cast<float>(std::uniform_int_distribution<int>(-limit, limit)(engine_)) / 8; }
  std::vector<float> list(std::size_t count) {
    std::vector<float> out(count);
    for (float& x : out) x = eighths();
    return out;
  }
  Affine map(std::size_t n) {
    Affine out(n);
    for (std::size_t j = 0; j <= n; ++j)
      for (std::size_t i = 0; i < n; ++i) out(i, j) = static_cast<double>(eighths(16));
    return out;
  }
  std::vector<Affine> maps(std::size_t n, std::size_t count) {
    std::vector<Affine> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(map(n));
    return out;
  }
  /// A rotation about a random axis and a translation, and the same rotation as 9 numbers by columns.
  Affine rigid() {
    LocalTransform local;
    double squares = 0;
    local.rotor = {1, static_cast<double>(eighths()), static_cast<double>(eighths()), static_cast<double>(eighths())};
    for (const double x : local.rotor) squares += x * x;
    for (double& x : local.rotor) x /= std::sqrt(squares);
    local.translation = {static_cast<double>(eighths()), static_cast<double>(eighths()), static_cast<double>(eighths())};
    return affine_of(3, local);
  }

 private:
  std::mt19937 engine_;
};

constexpr std::size_t slots = 5;

/// Four influences per vertex in eighths that sum to 1.
Influences::Set random_influences(Numbers& numbers, std::size_t vertices) {
  std::vector<std::uint8_t> joints(vertices * 4);
  std::vector<float> weights(vertices * 4);
  for (std::uint8_t& joint : joints) joint = static_cast<std::uint8_t>(numbers.below(slots));
  for (std::size_t v = 0; v < vertices; ++v)
    for (int eighth = 0; eighth < 8; ++eighth) weights[v * 4 + numbers.below(4)] += 0.125f;
  return influence_set(std::move(joints), std::move(weights));
}

Offsets random_offsets(Numbers& numbers, Index shape, std::size_t rows, std::size_t width, bool sparse) {
  Offsets out;
  out.shape = shape;
  out.sparse_ = sparse;
  std::vector<std::uint32_t> indices(sparse ? numbers.below(2 * rows) : 0);  // unordered, some of them twice
  for (std::uint32_t& index : indices) index = static_cast<std::uint32_t>(numbers.below(rows));
  out.values = Array::own(numbers.list((sparse ? indices.size() : rows) * width), width);
  if (sparse) out.indices = Array::own(std::move(indices), 1);
  return out;
}

/// Blocks with and without influences, normals and tangents (3D), dense and sparse offsets.
Mesh random_mesh(Numbers& numbers, std::size_t n) {
  Mesh mesh;
  mesh.shapes.resize(3);
  mesh.blocks.resize(1 + numbers.below(3));
  for (VertexBlock& block : mesh.blocks) {
    block.vertices = 1 + numbers.below(700);  // more than the kernels process at a time
    block.attributes = {attribute(Semantic::position, numbers.list(block.vertices * n), n)};
    if (numbers.below(4) != 0) block.attributes.push_back(attribute(Semantic::normal, numbers.list(block.vertices * n), n));
    if (n == 3 && numbers.below(2) != 0) block.attributes.push_back(attribute(Semantic::tangent, numbers.list(block.vertices * 4), 4));
    for (Attribute& moved : block.attributes)
      for (Index shape = 0; shape < 3; ++shape)
        if (numbers.below(3) != 0)
          moved.offsets.push_back(
              random_offsets(numbers, shape, block.vertices, std::min<std::size_t>(n, moved.values.width()), numbers.below(2) != 0));
    if (numbers.below(3) != 0) block.influences.sets = {random_influences(numbers, block.vertices)};
  }
  return mesh;
}

deform::PrepareOptions everything() {
  deform::PrepareOptions options;
  options.normals = options.tangents = true;
  options.slots = slots;
  return options;
}

Numbers any_numbers() { return Numbers(*rc::gen::arbitrary<std::uint32_t>()); }

RC_GTEST_PROP(Run, RestPoseReturnsTheInput, ()) {
  Numbers numbers = any_numbers();
  const auto n = *rc::gen::inRange<std::size_t>(2, 7);
  const Mesh mesh = random_mesh(numbers, n);
  const Deformed out = deformed(mesh, std::vector<Affine>(slots + 1, Affine(n)));
  std::size_t row = 0;
  for (const VertexBlock& block : mesh.blocks)
    for (const float x : block.attributes[0].values.read<float>()) RC_ASSERT(out.positions[row++] == x);
}

RC_GTEST_PROP(Run, IsLinearInTheWeights, ()) {
  Numbers numbers = any_numbers();
  const std::size_t vertices = 40;
  Mesh mesh = mesh_of(numbers.list(vertices * 3));
  const std::vector<Affine> maps = numbers.maps(3, slots + 1);
  const auto joints = random_influences(numbers, vertices).joints;
  const std::vector<float> a = numbers.list(vertices * 4), b = numbers.list(vertices * 4);
  std::vector<float> mixed(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) mixed[i] = 0.25f * a[i] - 2 * b[i];
  const auto with = [&](const std::vector<float>& weights) {
    mesh.blocks[0].influences.sets = {{joints, Array::own(std::vector<float>(weights), 4)}};
    return deformed(mesh, maps).positions;
  };
  const std::vector<float> from_a = with(a), from_b = with(b), from_mixed = with(mixed);
  for (std::size_t i = 0; i < from_mixed.size(); ++i)
    RC_ASSERT(std::abs(from_mixed[i] - (0.25f * from_a[i] - 2 * from_b[i])) < 0.02f);  // of ~1e4
}

RC_GTEST_PROP(Run, ARigidMotionOfAllJointsMovesAllRigidly, ()) {
  Numbers numbers = any_numbers();
  Mesh mesh = random_mesh(numbers, 3);
  for (VertexBlock& block : mesh.blocks)
    for (Attribute& moved : block.attributes) moved.offsets.clear();
  const Affine motion = numbers.rigid();
  const Deformed rest = deformed(mesh, std::vector<Affine>(slots + 1, Affine(3)), {}, everything());
  const Deformed moved = deformed(mesh, std::vector<Affine>(slots + 1, motion), {}, everything());
  const auto check = [&](const std::vector<float>& from, const std::vector<float>& to, std::size_t width, double point) {
    for (std::size_t row = 0; row + width <= from.size(); row += width)
      for (std::size_t i = 0; i < width; ++i) {
        double want = i == 3 ? static_cast<double>(from[row + 3]) : point * motion.translation(i);
        for (std::size_t j = 0; i < 3 && j < 3; ++j) want += motion(i, j) * static_cast<double>(from[row + j]);
        RC_ASSERT(std::abs(want - static_cast<double>(to[row + i])) < (point == 1 ? 2e-5 : 2e-6));
      }
  };
  check(rest.positions, moved.positions, 3, 1);
  check(rest.normals, moved.normals, 3, 0);
  check(rest.tangents, moved.tangents, 4, 0);
}

RC_GTEST_PROP(Run, SplittingAndThreadsChangeNothing, ()) {
  Numbers numbers = any_numbers();
  const auto n = *rc::gen::inRange<std::size_t>(2, 7);
  const auto away = *rc::gen::element(0.0, 1e5);  // the second is so far away that the kernels use double
  const Mesh mesh = random_mesh(numbers, n);
  std::vector<Affine> maps = numbers.maps(n, slots + 1);
  for (Affine& map : maps) map.translation(0) += away;
  const auto packed = prepared(mesh, n, everything());
  const deform::Palette palette = palette_of(maps);
  const std::vector<double> amounts{0.5, 0, -1.25};
  const Deformed whole = deformed(packed, palette, amounts);

  const std::size_t count = packed.vertices();
  const auto again = [&](auto&& fill) {
    Deformed out;
    out.positions.resize(whole.positions.size());
    out.normals.resize(whole.normals.size());
    out.tangents.resize(whole.tangents.size());
    deform::Output views{{out.positions.data(), count, n}, {}, {}};
    if (!out.normals.empty()) views.normals = {out.normals.data(), count, n};
    if (!out.tangents.empty()) views.tangents = {out.tangents.data(), count, 4};
    fill(views);
    RC_ASSERT(out.positions == whole.positions);
    RC_ASSERT(out.normals == whole.normals);
    RC_ASSERT(out.tangents == whole.tangents);
  };
  again([&](const deform::Output& out) {
    for (std::size_t first = 0; first < count;) {
      const std::size_t last = std::min(count, first + numbers.below(300));
      const auto rows = [&](const strided_view<float>& view) { return view.empty() ? view : view.rows(first, last - first); };
      deform::run(packed, palette, amounts, {first, last}, {rows(out.positions), rows(out.normals), rows(out.tangents)});
      first = last;
    }
  });
  for (const unsigned threads : {1u, 2u, 5u})
    again([&](const deform::Output& out) { deform::run_parallel(packed, palette, amounts, out, threads); });
}

TEST(RunParallel, SplitsLargeMeshesWithTheSameResult) {
  Numbers numbers(1);
  const std::size_t count = 20'011;
  Mesh mesh = mesh_of(numbers.list(count * 3));
  mesh.blocks[0].influences.sets = {random_influences(numbers, count)};
  const auto packed = prepared(mesh, 3, everything());
  const deform::Palette palette = palette_of(numbers.maps(3, slots + 1));
  const std::vector<float> whole = deformed(packed, palette).positions;
  for (const unsigned threads : {1u, 2u, 3u, 0u}) {
    std::vector<float> positions(whole.size());
    deform::run_parallel(packed, palette, {}, {{positions.data(), count, 3}, {}, {}}, threads);
    EXPECT_EQ(positions, whole) << threads;
  }
}

RC_GTEST_PROP(Run, SparseAndDenseOffsetsAgree, ()) {
  Numbers numbers = any_numbers();
  const std::size_t vertices = 1 + numbers.below(600);
  Mesh sparse = mesh_of(numbers.list(vertices * 3));
  sparse.shapes.resize(2);
  Mesh dense = sparse;
  for (Index shape = 0; shape < 2; ++shape) {
    const Offsets offsets = random_offsets(numbers, shape, vertices, 3, true);
    const auto rows = offsets.indices.read<std::uint32_t>();
    const auto values = offsets.values.read<float>();
    std::vector<float> spread(vertices * 3);
    for (std::size_t i = 0; i < values.size(); ++i) spread[rows[i / 3] * 3 + i % 3] += values[i];
    sparse.blocks[0].attributes[0].offsets.push_back(offsets);
    dense.blocks[0].attributes[0].offsets.push_back(offsets);
    dense.blocks[0].attributes[0].offsets.back().sparse_ = false;
    dense.blocks[0].attributes[0].offsets.back().values = Array::own(std::move(spread), 3);
  }
  const std::vector<double> amounts{0.5, -0.75};
  RC_ASSERT(deformed(sparse, {Affine(3)}, amounts).positions == deformed(dense, {Affine(3)}, amounts).positions);
}

// Runs of neighbouring rows are blended by other code than single rows, and end at the kernels' block boundaries.
TEST(Run, SparseOffsetsOfNeighbouringRowsAgreeWithDenseOnes) {
  constexpr std::size_t vertices = 1100;
  Numbers numbers(5);
  for (const std::uint32_t step : {1U, 3U}) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 490; row < 1090; row += step) rows.push_back(row);
    const std::vector<float> values = numbers.list(rows.size() * 3);
    std::vector<float> spread(vertices * 3);
    for (std::size_t i = 0; i < values.size(); ++i) spread[rows[i / 3] * 3 + i % 3] = values[i];
    Mesh sparse = mesh_of(numbers.list(vertices * 3));
    sparse.shapes.resize(1);
    Mesh dense = sparse;
    Offsets offsets;
    offsets.values = Array::own(std::move(spread), 3);
    dense.blocks[0].attributes[0].offsets = {offsets};
    offsets.sparse_ = true;
    offsets.values = Array::own(std::vector<float>(values), 3);
    offsets.indices = Array::own(std::move(rows), 1);
    sparse.blocks[0].attributes[0].offsets = {offsets};
    const std::vector<float> whole = deformed(sparse, {Affine(3)}, {0.5}).positions;
    EXPECT_EQ(whole, deformed(dense, {Affine(3)}, {0.5}).positions) << step;
    const auto packed = prepared(sparse, 3, {});
    std::vector<float> pieces(whole.size());
    for (std::size_t first = 0; first < vertices; first += 100)
      deform::run(packed, palette_of({Affine(3)}), std::vector<double>{0.5}, {first, first + 100},
                  {{pieces.data() + first * 3, 100, 3}, {}, {}});
    EXPECT_EQ(pieces, whole) << step;
  }
}

TEST(Run, AddsAmountsOfAnySignMissingOnesBeingZeroAndFurtherOnesIgnored) {
  Mesh mesh = mesh_of({1, 1, 1});
  mesh.shapes.resize(2);
  for (Index shape = 0; shape < 2; ++shape) {
    Offsets offsets;
    offsets.shape = shape;
    offsets.values = Array::own(std::vector<float>{1, 10, 100}, 3);
    mesh.blocks[0].attributes[0].offsets.push_back(offsets);
  }
  using testing::ElementsAre;
  EXPECT_THAT(deformed(mesh, {Affine(3)}, {}).positions, ElementsAre(1, 1, 1));
  EXPECT_THAT(deformed(mesh, {Affine(3)}, {2}).positions, ElementsAre(3, 21, 201));
  EXPECT_THAT(deformed(mesh, {Affine(3)}, {2, 1, 50}).positions, ElementsAre(4, 31, 301));
  EXPECT_THAT(deformed(mesh, {Affine(3)}, {-1, 0}).positions, ElementsAre(0, -9, -99));
}

TEST(Run, BlendsBeforeItSkins) {
  Mesh mesh = mesh_of({1, 0, 0});
  mesh.shapes.resize(1);
  Offsets offsets;
  offsets.values = Array::own(std::vector<float>{0, 1, 0}, 3);
  mesh.blocks[0].attributes[0].offsets = {offsets};
  mesh.blocks[0].influences.sets = {influence_set({0, 0, 0, 0}, {1, 0, 0, 0})};
  const Affine stretched = affine({2, 0, 0, 0, 3, 0, 0, 0, 1}, {0, 0, 5});
  EXPECT_THAT(deformed(mesh, {stretched, Affine(3)}, {1}).positions, testing::ElementsAre(2, 3, 5));
}

TEST(Run, AttributesWithAnIndexShareTheirRows) {
  Mesh mesh;
  mesh.shapes.resize(2);
  mesh.blocks.resize(1);
  mesh.blocks[0].vertices = 3;
  Attribute positions = attribute(Semantic::position, {1, 1, 1, 2, 2, 2}, 3);
  positions.index = Array::own(std::vector<std::uint8_t>{1, 0, 1}, 1);
  Offsets dense, sparse;
  dense.values = Array::own(std::vector<float>{0, 0, 10, 0, 0, 20}, 3);
  sparse.shape = 1;
  sparse.sparse_ = true;
  sparse.indices = Array::own(std::vector<std::uint32_t>{1, 1}, 1);
  sparse.values = Array::own(std::vector<float>{100, 0, 0, 100, 0, 0}, 3);
  positions.offsets = {dense, sparse};
  mesh.blocks[0].attributes = {positions};
  EXPECT_THAT(deformed(mesh, {Affine(3)}, {1, 1}).positions, testing::ElementsAre(202, 2, 22, 1, 1, 11, 202, 2, 22));
}

TEST(Run, WritesIntoRowsOfAnyStride) {
  const auto packed = prepared(mesh_of({1, 2, 3, 4, 5, 6}), 3, {});
  std::vector<float> rows(10, -1.f);
  deform::Output output;
  output.positions = strided_view<float>(rows.data(), 2, 3, 5 * sizeof(float));
  deform::run(packed, palette_of({Affine(3)}), {}, {0, 2}, output);
  EXPECT_THAT(rows, testing::ElementsAre(1, 2, 3, -1, -1, 4, 5, 6, -1, -1));
}

TEST(Run, AllocatesNothing) {
  Numbers numbers(2);
  for (const std::size_t n : {3u, 6u}) {
    const auto packed = prepared(random_mesh(numbers, n), n, everything());
    const deform::Palette palette = palette_of(numbers.maps(n, slots + 1));
    const std::vector<double> amounts{1, 1, 1};
    std::vector<float> positions(packed.vertices() * n), normals(packed.vertices() * n);
    const deform::Output output{{positions.data(), packed.vertices(), n}, {normals.data(), packed.vertices(), n}, {}};
    const std::size_t before = allocations();
    deform::run(packed, palette, amounts, {0, packed.vertices()}, output);
    EXPECT_EQ(allocations(), before);
  }
}

/// A unit cube of vertices around `centre`.
std::vector<float> cloud(float centre) {
  Numbers numbers(3);
  std::vector<float> positions = numbers.list(300 * 3);
  for (float& x : positions) x = centre + x / 16;
  return positions;
}

TEST(Precision, OfMeshesFarFromTheirOriginIsThatOfTheirSize) {
  // Bind matrices that move vertices around (10000, 10000, 10000) back to the origin, turned: float alone has an error of about 1e-3.
  const std::vector<float> positions = cloud(10000);
  Mesh mesh = mesh_of(positions);
  mesh.blocks[0].influences.sets = {influence_set(std::vector<std::uint8_t>(1200, 0), [] {
    std::vector<float> weights(1200);
    for (std::size_t v = 0; v < 300; ++v) weights[v * 4] = 1;
    return weights;
  }())};
  Affine back = Numbers(4).rigid();
  for (std::size_t i = 0; i < 3; ++i) back.translation(i) = -10000 * (back(i, 0) + back(i, 1) + back(i, 2));
  const std::vector<float> got = deformed(mesh, {back, Affine(3)}).positions;
  for (std::size_t v = 0; v < 300; ++v) {
    std::array<double, 3> want{};
    for (std::size_t i = 0; i < 3; ++i) want[i] = static_cast<double>(positions[v * 3 + i]);
    back.apply(want, want);
    for (std::size_t i = 0; i < 3; ++i) ASSERT_NEAR(static_cast<double>(got[v * 3 + i]), want[i], 1e-7);
  }
}

TEST(Precision, FarOutInTheWorldIsThatOfTheOutput) {
  const std::vector<float> positions = cloud(0);
  Affine out_there = Numbers(5).rigid();
  for (std::size_t i = 0; i < 3; ++i) out_there.translation(i) = 1000.1;
  const std::vector<float> got = deformed(mesh_of(positions), {out_there}).positions;
  for (std::size_t v = 0; v < 300; ++v) {
    std::array<double, 3> want{};
    for (std::size_t i = 0; i < 3; ++i) want[i] = static_cast<double>(positions[v * 3 + i]);
    out_there.apply(want, want);
    for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(got[v * 3 + i], static_cast<float>(want[i]));
  }
}

}  // namespace
}  // namespace sinew

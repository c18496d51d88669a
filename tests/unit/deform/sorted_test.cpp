// SPDX-License-Identifier: MIT
// Results in the order of Prepared::order, and cofactor matrices that several vertices or corners share.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "unit/deform/rig.hpp"

namespace sinew {
namespace {

using namespace test;
using Floats = std::vector<float>;

class Source {
 public:
  explicit Source(std::uint32_t seed) : engine_(seed) {}
  std::size_t below(std::size_t end) { return engine_() % end; }
  float number() { return static_cast<float>(static_cast<int>(engine_() % 2001) - 1000) / 1000; }
  Floats list(std::size_t count) {
    Floats out(count);
    for (float& x : out) x = number();
    return out;
  }

 private:
  std::mt19937 engine_;
};

constexpr std::size_t joints = 9;

/// `length`: influences of each vertex; 0: 0 to 5. Ten corners per vertex, near one another.
Mesh mesh_with_corners(std::size_t n, std::size_t vertices, std::size_t length, bool corners, Source& source) {
  Mesh mesh = mesh_of(source.list(vertices * n), n);
  Influences& influences = mesh.blocks[0].influences;
  std::vector<std::uint16_t> slots;
  Floats weights;
  influences.first = {0};
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::size_t i = 0, count = length != 0 ? length : source.below(6); i < count; ++i) {
      slots.push_back(static_cast<std::uint16_t>(source.below(joints)));
      weights.push_back(i == 0 ? (v % 7 == 0 ? -1.0F : 1.0F) : static_cast<float>(1 + source.below(9)) / 64);
    }
    influences.first.push_back(static_cast<std::uint32_t>(slots.size()));
  }
  influences.slots = Array::own(std::move(slots), 1);
  influences.weights = Array::own(std::move(weights), 1);
  if (!corners) {
    mesh.blocks[0].attributes.push_back(attribute(Semantic::normal, source.list(vertices * n), n));
    return mesh;
  }
  std::vector<std::uint32_t> elements;
  for (std::size_t i = 0; i < vertices * 10 / n * n; ++i)
    elements.push_back(static_cast<std::uint32_t>(std::min(i / 10 + source.below(20), vertices - 1)));
  Surface& surface = mesh.surfaces.emplace_back();
  surface.primitive = Primitive::simplexes;
  Floats normals = source.list(elements.size() * n);
  std::fill_n(normals.begin(), n, 0.0F);  // no direction: the flat one
  surface.attributes = {attribute(Semantic::normal, std::move(normals), n)};
  surface.elements = Array::own(std::move(elements), 1);
  surface.indexed = true;
  return mesh;
}

deform::Palette palette_near_one(std::size_t n, Source& source) {
  std::vector<Affine> maps;
  for (std::size_t joint = 0; joint <= joints; ++joint) {
    Affine& map = maps.emplace_back(n);
    for (std::size_t j = 0; j <= n; ++j)
      for (std::size_t i = 0; i < n; ++i) map(i, j) = static_cast<double>(0.15F * source.number() + (i == j ? 1.0F : 0.0F));
    if (joint == 3)
      for (std::size_t i = 0; i < n; ++i) map(i, 0) = -map(i, 0);  // mirrors
    if (joint == 4)
      for (std::size_t i = 0; i < n; ++i) map(i, n - 1) = 0;  // flat
  }
  return palette_of(maps);
}

deform::PrepareOptions options_of(std::string_view kernel = {}) {
  deform::PrepareOptions options;
  options.normals = true;
  options.slots = joints;
  options.kernel = kernel;
  return options;
}

Floats corner_normals(const deform::Prepared& mesh, const deform::Palette& palette, std::size_t piece, std::vector<double> amounts = {}) {
  const std::size_t n = mesh.dimension();
  Floats out(mesh.corners() * n);
  const strided_view<float> rows(out.data(), mesh.corners(), n);
  for (std::size_t first = 0; first < mesh.corners(); first += piece) {
    const std::size_t last = std::min(first + piece, mesh.corners());
    deform::run_corner_normals(mesh, palette, amounts, {first, last}, rows.rows(first, last - first));
  }
  return out;
}

TEST(SharedCofactors, AreThoseOfThePlainKernel) {
  for (std::size_t n = 3; n <= 8; ++n)
    for (const std::size_t length : {1U, 4U, 0U}) {
      Source source(static_cast<std::uint32_t>(10 * n + length));
      const Mesh vertices = mesh_with_corners(n, 700, length, false, source), corners = mesh_with_corners(n, 700, length, true, source);
      const deform::Palette palette = palette_near_one(n, source);
      const Deformed exact = deformed(prepared(vertices, n, options_of("plain")), palette);
      const Floats exact_corners = corner_normals(prepared(corners, n, options_of("plain")), palette, 100000);
      for (const std::string_view kernel : deform::kernels()) {
        const deform::Prepared one = prepared(vertices, n, options_of(kernel)), other = prepared(corners, n, options_of(kernel));
        EXPECT_LT(largest_difference(deformed(one, palette).normals, exact.normals), 3e-5) << n << ' ' << length << ' ' << kernel;
        const Floats found = corner_normals(other, palette, 100000);
        EXPECT_LT(largest_difference(found, exact_corners), 3e-5) << n << ' ' << length << ' ' << kernel;
        EXPECT_EQ(corner_normals(other, palette, 1023), found) << n << ' ' << length << ' ' << kernel;
      }
    }
}

TEST(SortedRows, AreThoseOfTheirVertices) {
  for (const std::size_t n : {3U, 5U})
    for (const bool corners : {false, true}) {
      Source source(7);
      Mesh mesh = mesh_with_corners(n, 1300, 0, corners, source);
      mesh.shapes.resize(2);
      std::vector<std::uint32_t> moved;
      for (std::uint32_t v = 1299; v > 20; v -= 1 + static_cast<std::uint32_t>(source.below(5))) moved.push_back(v);
      Floats offsets = source.list(moved.size() * n);
      mesh.blocks[0].attributes[0].offsets = {{0, {}, Array::own(source.list(1300 * n), n), false},
                                              {1, Array::own(moved, 1), Array::own(std::move(offsets), n), true}};
      const deform::Palette palette = palette_near_one(n, source);
      const std::vector<double> amounts{0.5, 0.25};
      deform::PrepareOptions options = options_of();
      const deform::Prepared stored = prepared(mesh, n, options);
      options.sorted = true;
      const deform::Prepared sorted = prepared(mesh, n, options);
      EXPECT_TRUE(stored.order().empty());
      ASSERT_EQ(sorted.order().size(), 1300U);
      std::vector<std::uint32_t> all(sorted.order().begin(), sorted.order().end());
      std::ranges::sort(all);
      for (std::uint32_t v = 0; v < all.size(); ++v) ASSERT_EQ(all[v], v);
      const std::vector<std::uint32_t>& first = mesh.blocks[0].influences.first;
      const auto length = [&](std::uint32_t v) { return first[v + 1] - first[v]; };
      for (std::size_t row = 1; row < 1300; ++row) ASSERT_GE(length(sorted.order()[row - 1]), length(sorted.order()[row]));
      const Deformed expected = deformed(stored, palette, amounts), found = deformed(sorted, palette, amounts);
      for (std::size_t row = 0; row < 1300; ++row)
        for (std::size_t i = 0; i < n; ++i) {
          const std::size_t from = sorted.order()[row] * n + i;
          ASSERT_NEAR(found.positions[row * n + i], expected.positions[from], 2e-6) << n << ' ' << row;
          if (!corners) {
            ASSERT_NEAR(found.normals[row * n + i], expected.normals[from], 2e-5) << n << ' ' << row;
          }
        }
      if (corners) {
        EXPECT_LT(largest_difference(corner_normals(sorted, palette, 5000, amounts), corner_normals(stored, palette, 5000, amounts)), 2e-5);
      }
    }
}

}  // namespace
}  // namespace sinew

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/skin.hpp"

namespace sinew {
namespace {

// Compares kernels of all dimensions with their definition in loops of doubles. Positions are Σ weight · map. Normals stay perpendicular to
// the images of perpendicular vectors, on the side given by the map's determinant.

using Matrix = std::vector<std::vector<double>>;  // [row][column]

double determinant(Matrix m) {
  double product = 1;
  for (std::size_t k = 0; k < m.size(); ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < m.size(); ++i)
      if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
    if (pivot != k) std::swap(m[k], m[pivot]), product = -product;
    product *= m[k][k];
    for (std::size_t i = k + 1; i < m.size(); ++i)
      for (std::size_t j = m.size(); j-- > k;) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  }
  return product;
}

std::vector<double> times(const Matrix& m, const std::vector<double>& v) {
  std::vector<double> out(v.size());
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) out[i] += m[i][j] * v[j];
  return out;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

struct Vertex {
  std::vector<double> position, normal;
  std::vector<std::pair<std::uint32_t, float>> influences;
};

/// 20 vertices on 3 maps, some of which mirror. The maps are not rigid, because blends of rigid maps would not test cofactors.
struct Scene {
  static constexpr std::size_t slots = 3, vertices = 20;
  std::size_t n;
  std::mt19937 engine;
  std::vector<Matrix> linear;
  std::vector<std::vector<double>> translation;
  std::vector<Vertex> list;

  explicit Scene(std::size_t dimension) : n(dimension), engine(static_cast<unsigned>(100 + dimension)) {
    for (std::size_t s = 0; s < slots; ++s) {
      Matrix m(n);
      for (std::size_t i = 0; i < n; ++i) {
        m[i] = numbers(0.25);
        m[i][i] += i == s ? -1 : 1;
      }
      linear.push_back(m);
      translation.push_back(numbers(1));
    }
    for (std::size_t v = 0; v < vertices; ++v) {
      list.push_back({numbers(1), numbers(1), {}});
      for (std::uint32_t k = 0; k <= v % 3; ++k) list.back().influences.emplace_back(k, k == 0 ? 0.75f : 0.125f);
    }
  }
  /// Multiples of 1/64, exact in float.
  std::vector<double> numbers(double size) {
    std::vector<double> out(n);
    for (double& x : out) x = size * (static_cast<double>(engine() % 257) - 128) / 64;
    return out;
  }

  template <class T, class D>
  [[nodiscard]] std::vector<float> run(D dimension) const {
    std::vector<T> maps(slots * kernels::map_stride(n)), positions, normals;
    for (std::size_t s = 0; s < slots; ++s)
      for (std::size_t i = 0; i < n; ++i) {
        T* map = &maps[s * kernels::map_stride(n)];
        for (std::size_t j = 0; j < n; ++j) map[j * kernels::column_stride(n) + i] = static_cast<T>(linear[s][i][j]);
        map[n * kernels::column_stride(n) + i] = static_cast<T>(translation[s][i]);
      }
    std::vector<std::uint32_t> first{0}, slot;
    std::vector<float> weight, base;
    for (const Vertex& vertex : list) {
      for (const double x : vertex.position) positions.push_back(static_cast<T>(x));
      for (const double x : vertex.normal) normals.push_back(static_cast<T>(x)), base.push_back(static_cast<float>(x));
      for (const auto& [s, w] : vertex.influences) slot.push_back(s), weight.push_back(w);
      first.push_back(static_cast<std::uint32_t>(slot.size()));
    }
    std::vector<float> out(2 * vertices * n);
    const kernels::Vertices<T> in{positions.data(), normals.data(), nullptr, base.data()};
    const kernels::Moved to{{out.data(), vertices, n}, {out.data() + vertices * n, vertices, n}, {}};
    kernels::plain::skin(dimension, {first.data(), slot.data(), weight.data()}, 0, vertices, maps.data(), in, to);
    return out;
  }

  void check(const std::vector<float>& out, double tolerance) const {
    for (std::size_t v = 0; v < vertices; ++v) {
      Matrix blended(n, std::vector<double>(n));
      std::vector<double> moved(n);
      for (const auto& [s, weight] : list[v].influences) {
        const double w = static_cast<double>(weight);
        for (std::size_t i = 0; i < n; ++i) {
          moved[i] += w * translation[s][i];
          for (std::size_t j = 0; j < n; ++j) blended[i][j] += w * linear[s][i][j];
        }
      }
      const std::vector<double> image = times(blended, list[v].position);
      std::vector<double> normal(n);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_NEAR(out[v * n + i], image[i] + moved[i], tolerance) << n << ' ' << v;
        normal[i] = out[(vertices + v) * n + i];
      }
      ASSERT_NEAR(dot(normal, normal), 1, 1e-6);
      const double squared = dot(list[v].normal, list[v].normal);
      for (std::size_t axis = 0; axis < n; ++axis) {  // the part of each axis that is perpendicular to the normal
        std::vector<double> tangent(n);
        for (std::size_t i = 0; i < n; ++i) tangent[i] = (i == axis) - list[v].normal[axis] * list[v].normal[i] / squared;
        ASSERT_NEAR(dot(normal, times(blended, tangent)), 0, tolerance) << n << ' ' << v;
      }
      ASSERT_GT(dot(normal, times(blended, list[v].normal)) * determinant(blended), 0) << n << ' ' << v;
    }
  }
};

class KernelOfDimension : public testing::TestWithParam<std::size_t> {};

TEST_P(KernelOfDimension, MovesPositionsAndNormalsAsTheyAreDefined) {
  const Scene scene(GetParam());
  with_dimension(scene.n, [&](auto n) {
    scene.check(scene.run<float>(n), 2e-4);
    scene.check(scene.run<double>(n), 2e-6);
  });
}

TEST_P(KernelOfDimension, IsTheSameWhereTheDimensionIsKnownAtRunTime) {
  const Scene scene(GetParam());
  with_dimension(scene.n, [&](auto n) {
    const std::vector<float> known = scene.run<double>(n), unknown = scene.run<double>(scene.n);
    for (std::size_t i = 0; i < known.size(); ++i) ASSERT_NEAR(known[i], unknown[i], 1e-6);
  });
}

INSTANTIATE_TEST_SUITE_P(Dimensions, KernelOfDimension, testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 16));

}  // namespace
}  // namespace sinew

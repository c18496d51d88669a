// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/maps.hpp"
#include "math/cofactor.hpp"
#include "math/dimension.hpp"

#include "sinew/array.hpp"

namespace sinew::kernels {

/// Influences as compressed rows: vertex v has (slot[i], weight[i]) for i in [first[v], first[v + 1]).
struct InfluenceRows {
  const std::uint32_t* first;
  const std::uint32_t* slot;
  const float* weight;
};

/// What is moved: packed rows of N positions, N normals, 4 tangent numbers (x, y, z, w); null = not wanted.
template <class T>
struct Vertices {
  const T* positions = nullptr;
  const T* normals = nullptr;
  const T* tangents = nullptr;
  const float* base_normals = nullptr;  ///< before morphing: what a normal falls back to where its image vanishes
};

/// Where it goes, row by row; empty = not wanted.
struct Moved {
  strided_view<float> positions;
  strided_view<float> normals;
  strided_view<float> tangents;
};

namespace plain {

/// `vector` scaled to length 1 and stored; false (and nothing stored) where it has no direction. The largest component is taken out
/// first: squares of what a rig at a small scale leaves would vanish in float.
template <class T, class D>
bool store_unit(D n, const T* vector, float* out) {
  T largest = 0, squares = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(vector[i]));
  if (!(largest > 0)) return false;
  for (std::size_t i = 0; i < n; ++i) squares += (vector[i] / largest) * (vector[i] / largest);
  const T length = std::sqrt(squares);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(vector[i] / largest / length);
  return true;
}

/// Σ weight · map.
template <class T, class D>
void blend_maps(D n, const InfluenceRows& rows, std::size_t vertex, const T* maps, T* out) {
  std::fill_n(out, map_size(n), T{0});
  for (std::uint32_t i = rows.first[vertex]; i < rows.first[vertex + 1]; ++i) {
    const T* map = maps + rows.slot[i] * map_stride(n);
    const T weight = static_cast<T>(rows.weight[i]);
    for (std::size_t c = 0; c < map_size(n); ++c) out[c] += weight * map[c];
  }
}

/// out += L·vector.
template <class T, class D>
void add_linear(D n, const T* columns, std::size_t stride, const T* vector, T* out) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) out[i] += columns[j * stride + i] * vector[j];
}

/// The cofactor of the linear part, its largest entry brought to 1 beforehand: only the direction counts, and products of N−1 small
/// numbers must not vanish.
template <class T, class D>
void direction_cofactor(D n, const T* map, T* out) {
  std::array<T, capacity_of<D> * capacity_of<D>> linear;
  T largest = 0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(map[j * column_stride(n) + i]));
  const T scale = largest > 0 ? 1 / largest : T{0};
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) linear[j * n + i] = scale * map[j * column_stride(n) + i];
  cofactor(n, linear.data(), n, out);
}

/// Row `v` of `in`, moved by `map` into row `v` of `out`. `normal_map` is the map's cofactor matrix, used where normals are wanted.
template <class T, class D>
void move_vertex(D n, const T* map, const T* normal_map, const Vertices<T>& in, std::size_t v, const Moved& out) {
  std::array<T, std::max<std::size_t>(capacity_of<D>, 3)> moved;
  if (!out.positions.empty()) {
    std::copy_n(map + n * column_stride(n), n, moved.data());
    add_linear(n, map, column_stride(n), in.positions + v * n, moved.data());
    for (std::size_t i = 0; i < n; ++i) out.positions[v][i] = static_cast<float>(moved[i]);
  }
  if (!out.normals.empty()) {
    moved.fill(0);
    add_linear(n, normal_map, n, in.normals + v * n, moved.data());
    const float* base = in.base_normals + v * n;
    if (!store_unit(n, moved.data(), out.normals[v]) && !store_unit(n, base, out.normals[v])) std::copy_n(base, n, out.normals[v]);
  }
  if constexpr (std::is_same_v<D, FixedDimension<3>>) {
    if (!out.tangents.empty()) {
      const T* tangent = in.tangents + v * 4;
      moved.fill(0);
      add_linear(n, map, column_stride(n), tangent, moved.data());
      float* row = out.tangents[v];
      if (!store_unit(n, moved.data(), row) && !store_unit(n, tangent, row))
        for (std::size_t i = 0; i < 3; ++i) row[i] = static_cast<float>(tangent[i]);
      row[3] = static_cast<float>(tangent[3]);
    }
  }
}

/// Moves `count` vertices by the blends of their maps; row v of `in` and `out` has the influences of vertex first + v.
template <class T, class D>
void skin(D n, const InfluenceRows& rows, std::size_t first, std::size_t count, const T* maps, const Vertices<T>& in, const Moved& out) {
  constexpr std::size_t capacity = capacity_of<D>;
  std::array<T, map_size(capacity)> map;
  std::array<T, capacity * capacity> normal_map;
  for (std::size_t v = 0; v < count; ++v) {
    blend_maps(n, rows, first + v, maps, map.data());
    if (!out.normals.empty()) direction_cofactor(n, map.data(), normal_map.data());
    move_vertex(n, map.data(), normal_map.data(), in, v, out);
  }
}

/// Moves `count` vertices by one map.
template <class T, class D>
void transform(D n, std::size_t count, const T* map, const Vertices<T>& in, const Moved& out) {
  std::array<T, capacity_of<D> * capacity_of<D>> normal_map;
  if (!out.normals.empty()) direction_cofactor(n, map, normal_map.data());
  for (std::size_t v = 0; v < count; ++v) move_vertex(n, map, normal_map.data(), in, v, out);
}

}  // namespace plain
}  // namespace sinew::kernels

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

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
  const double* exact = nullptr;  ///< the weights before they were rounded to float, for sums in double; null: `weight` is enough

  template <class T>
  [[nodiscard]] T weight_as(std::uint32_t i) const {
    if constexpr (std::is_same_v<T, double>)
      if (exact != nullptr) return exact[i];
    return static_cast<T>(weight[i]);
  }
};

/// Cofactor matrices of the joints of a palette, for the SIMD kernels, which compute each group when a vertex needs it. In the layout of
/// maps.
struct JointCofactors {
  static constexpr std::size_t room = 20480;
  std::size_t slots;                     ///< of the palette, with the node's map
  std::array<bool, room / 64> groups{};  ///< known ones, of as many slots as a register has lanes
  alignas(64) std::array<float, room> maps;

  explicit JointCofactors(std::size_t all) : slots(all) {}  // the maps stay uninitialised
  [[nodiscard]] JointCofactors* if_fit(std::size_t dimension) { return slots * map_stride(dimension) <= room ? this : nullptr; }
};

/// The input: packed rows of N positions, N normals, 4 tangent numbers (x, y, z, w); null = not requested.
template <class T>
struct Vertices {
  const T* positions = nullptr;
  const T* normals = nullptr;
  const T* tangents = nullptr;
  const float* base_normals = nullptr;  ///< before morphing; replaces normals whose image vanishes
  JointCofactors* cofactors = nullptr;  ///< memory for those of the palette (4 to 8 dimensions), if they fit
  const Vertices* in_tiles = nullptr;   ///< the same rows in the order of the tiles (InfluenceTiles::in_order), if they are known
};

/// The output, row by row; empty = not requested.
struct Moved {
  strided_view<float> positions;
  strided_view<float> normals;
  strided_view<float> tangents;
};

/// Selects rows [first, first + count) of the requested channels. `Channels`: Moved, or a struct of the same views.
template <class Channels>
[[nodiscard]] Channels rows_of(const Channels& all, std::size_t first, std::size_t count) {
  const auto part = [&](const strided_view<float>& rows) { return rows.empty() ? rows : rows.rows(first, count); };
  return {part(all.positions), part(all.normals), part(all.tangents)};
}

namespace plain {

/// Normalises `vector` and stores it. Returns false and stores nothing if it has no direction. Divides by the largest component first,
/// because squares of the small numbers of a small-scale rig would vanish in float.
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

/// Computes Σ weight · map.
template <class T, class D>
void blend_maps(D n, const InfluenceRows& rows, std::size_t vertex, const T* maps, T* out) {
  std::fill_n(out, map_size(n), T{0});
  for (std::uint32_t i = rows.first[vertex]; i < rows.first[vertex + 1]; ++i) {
    const T* map = maps + rows.slot[i] * map_stride(n);
    const T weight = rows.weight_as<T>(i);
    for (std::size_t c = 0; c < map_size(n); ++c) out[c] += weight * map[c];
  }
}

/// Computes out += L·vector.
template <class T, class D>
inline void add_linear(D n, const T* columns, std::size_t stride, const T* vector, T* out) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) out[i] += columns[j * stride + i] * vector[j];
}

/// Computes the cofactor of the linear part, scaled so that its largest entry is 1: only the direction counts, and products of N−1 small
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

/// Computes L·position + t.
template <class T, class D>
inline void move_position(D n, const T* map, const T* position, float* out) {
  std::array<T, capacity_of<D>> moved;
  for (std::size_t i = 0; i < n; ++i) moved[i] = map[n * column_stride(n) + i];
  add_linear(n, map, column_stride(n), position, moved.data());
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(moved[i]);
}

/// Transforms a normal by the cofactor matrix of the linear part. If its image vanishes, the result is the base normal.
template <class T, class D>
void move_normal(D n, const T* cofactors, const T* normal, const float* base, float* out) {
  std::array<T, capacity_of<D>> moved{};
  add_linear(n, cofactors, n, normal, moved.data());
  if (!store_unit(n, moved.data(), out) && !store_unit(n, base, out)) std::copy_n(base, n, out);
}

/// Transforms a tangent by the linear part. If its image vanishes, the result is the morphed tangent. Keeps w.
template <class T>
void move_tangent(FixedDimension<3> n, const T* map, const T* tangent, float* out) {
  std::array<T, 3> moved{};
  add_linear(n, map, column_stride(n), tangent, moved.data());
  if (!store_unit(n, moved.data(), out) && !store_unit(n, tangent, out))
    for (std::size_t i = 0; i < 3; ++i) out[i] = static_cast<float>(tangent[i]);
  out[3] = static_cast<float>(tangent[3]);
}

/// A map and, if normals are requested, its cofactor matrix.
template <class T, class D>
struct MapWithCofactors {
  std::array<T, map_size(capacity_of<D>)> map;
  std::array<T, capacity_of<D> * capacity_of<D>> cofactors;
};

/// Moves `count` vertices by map_of(v).
template <class T, class D, class MapOf>
void move(D n, std::size_t count, MapOf map_of, const Vertices<T>& in, const Moved& out) {
  for (std::size_t v = 0; v < count; ++v) {
    const MapWithCofactors<T, D>& moving = map_of(v);
    const T* map = moving.map.data();
    if (!out.positions.empty()) move_position(n, map, in.positions + v * n, out.positions[v]);
    if (!out.normals.empty()) move_normal(n, moving.cofactors.data(), in.normals + v * n, in.base_normals + v * n, out.normals[v]);
    if constexpr (std::is_same_v<D, FixedDimension<3>>)
      if (!out.tangents.empty()) move_tangent(n, map, in.tangents + v * 4, out.tangents[v]);
  }
}

/// Moves `count` vertices by their blended maps. Row v of `in` and `out` has the influences of vertex first + v.
template <class T, class D>
void skin(D n, const InfluenceRows& rows, std::size_t first, std::size_t count, const T* maps, const Vertices<T>& in, const Moved& out) {
  MapWithCofactors<T, D> blend;
  const auto blend_of = [&](std::size_t v) -> const auto& {
    blend_maps(n, rows, first + v, maps, blend.map.data());
    if (!out.normals.empty()) direction_cofactor(n, blend.map.data(), blend.cofactors.data());
    return blend;
  };
  move(n, count, blend_of, in, out);
}

/// Moves `count` vertices by one map.
template <class T, class D>
void transform(D n, std::size_t count, const T* map, const Vertices<T>& in, const Moved& out) {
  MapWithCofactors<T, D> one;
  std::copy_n(map, map_size(n), one.map.data());
  if (!out.normals.empty()) direction_cofactor(n, map, one.cofactors.data());
  move(n, count, [&](std::size_t) -> const auto& { return one; }, in, out);
}

}  // namespace plain
}  // namespace sinew::kernels

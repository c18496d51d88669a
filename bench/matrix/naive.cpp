// SPDX-License-Identifier: MIT
// The textbook loops: weighted matrix-vector products, one after the other. NAIVE_COMPILER: by_gcc or by_clang.
#include "naive.hpp"

#include <algorithm>
#include <cmath>

namespace naive::NAIVE_COMPILER {

namespace {

constexpr std::size_t any = static_cast<std::size_t>(-1);

void blend(const Arrays& in, float* out) {
  std::copy(in.positions.begin(), in.positions.end(), out);
  const std::size_t n = in.dimension;
  for (const Arrays::Shape& shape : in.shapes) {
    if (shape.amount == 0) continue;
    const float* offsets = shape.offsets.data();
    if (shape.rows.empty())
      for (std::size_t i = 0; i < in.positions.size(); ++i) out[i] += shape.amount * offsets[i];
    for (std::size_t r = 0; r < shape.rows.size(); ++r)
      for (std::size_t c = 0; c < n; ++c) out[shape.rows[r] * n + c] += shape.amount * offsets[r * n + c];
  }
}

/// out = Σ weight · L·vector; for points plus the translation. `stride`: from matrix to matrix.
template <std::size_t N, std::size_t influences, bool point, std::size_t stride = N * (N + 1)>
void move(const Arrays& in, const float* matrices, std::size_t v, const float* vector, float* out) {
  const std::size_t begin = influences == any ? in.first[v] : v * influences;
  const std::size_t end = influences == any ? in.first[v + 1] : influences == 0 ? begin + 1 : begin + influences;
  float sum[N] = {};
  for (std::size_t k = begin; k < end; ++k) {
    const float* m = matrices + stride * (influences == 0 ? in.node : in.joints[k]);
    const float w = influences == 0 ? 1 : in.weights[k];
    for (std::size_t r = 0; r < N; ++r) {
      float moved = point ? m[N * N + r] : 0;
      for (std::size_t c = 0; c < N; ++c) moved += m[c * N + r] * vector[c];
      sum[r] += w * moved;
    }
  }
  for (std::size_t r = 0; r < N; ++r) out[r] = sum[r];
}

template <std::size_t N>
void normalize(float* vector) {
  float squares = 0;
  for (std::size_t r = 0; r < N; ++r) squares += vector[r] * vector[r];
  const float scale = 1 / std::sqrt(squares);
  for (std::size_t r = 0; r < N; ++r) vector[r] *= scale;
}

template <std::size_t N, std::size_t influences>
void run(const Arrays& in, const Out& out) {
  const float* positions = in.positions.data();
  if (!in.shapes.empty()) {
    blend(in, out.blended);
    positions = out.blended;
  }
  const float *matrices = in.matrices.data(), *inverse_transposes = in.inverse_transposes.data();
  for (std::size_t v = 0; v < in.vertices; ++v) {
    if (out.positions != nullptr) move<N, influences, true>(in, matrices, v, positions + N * v, out.positions + N * v);
    if (out.normals != nullptr) {
      float* normal = out.normals + N * v;
      move<N, influences, false, N * N>(in, inverse_transposes, v, &in.normals[N * v], normal);
      normalize<N>(normal);
    }
    if constexpr (N == 3)
      if (out.tangents != nullptr) {
        float* tangent = out.tangents + 4 * v;
        move<3, influences, false>(in, matrices, v, &in.tangents[4 * v], tangent);
        normalize<3>(tangent);
        tangent[3] = in.tangents[4 * v + 3];
      }
  }
  if (out.corner_normals == nullptr) return;
  for (std::size_t c = 0; c < in.corners.size(); ++c) {
    float* normal = out.corner_normals + N * c;
    move<N, influences, false, N * N>(in, inverse_transposes, in.corners[c], &in.corner_normals[N * c], normal);
    normalize<N>(normal);
  }
}

template <std::size_t N>
void run(const Arrays& in, const Out& out) {
  if (!in.first.empty()) return run<N, any>(in, out);
  switch (in.influences) {
    case 0:
      return run<N, 0>(in, out);
    case 1:
      return run<N, 1>(in, out);
    case 4:
      return run<N, 4>(in, out);
    default:
      return run<N, 8>(in, out);
  }
}

}  // namespace

void run(const Arrays& in, const Out& out) {
  constexpr Run of_dimension[] = {run<2>, run<3>, run<4>, run<5>, run<6>, run<7>, run<8>};
  of_dimension[in.dimension - 2](in, out);
}

}  // namespace naive::NAIVE_COMPILER

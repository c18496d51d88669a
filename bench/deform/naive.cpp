// SPDX-License-Identifier: MIT
#include <cassert>
#include <cmath>

#include "baselines.hpp"

namespace baseline {

namespace {

template <std::size_t N, std::size_t influences>
void move(const Arrays& in, float* positions, float* normals) {
  for (std::size_t v = 0; v < in.vertices; ++v) {
    const float* p = &in.positions[N * v];
    const float* q = &in.normals[N * v];
    float sum[N] = {}, turned[N] = {};
    const std::size_t begin = influences == 0 ? in.first[v] : v * influences;
    const std::size_t end = influences == 0 ? in.first[v + 1] : begin + influences;
    for (std::size_t k = begin; k < end; ++k) {
      const float* m = &in.matrices[N * (N + 1) * in.joints[k]];
      const float w = in.weights[k];
      for (std::size_t r = 0; r < N; ++r) {
        float moved = m[N * N + r];
        for (std::size_t c = 0; c < N; ++c) moved += m[c * N + r] * p[c];
        sum[r] += w * moved;
      }
      if (normals == nullptr) continue;
      for (std::size_t r = 0; r < N; ++r) {
        float moved = 0;
        for (std::size_t c = 0; c < N; ++c) moved += m[c * N + r] * q[c];
        turned[r] += w * moved;
      }
    }
    for (std::size_t r = 0; r < N; ++r) positions[N * v + r] = sum[r];
    if (normals == nullptr) continue;
    float squares = 0;
    for (const float x : turned) squares += x * x;
    const float scale = 1 / std::sqrt(squares);
    for (std::size_t r = 0; r < N; ++r) normals[N * v + r] = scale * turned[r];
  }
}

template <std::size_t N>
void move(std::size_t influences, const Arrays& in, float* positions, float* normals) {
  if (influences == 4) return move<N, 4>(in, positions, normals);
  assert(influences == 0);
  move<N, 0>(in, positions, normals);
}

}  // namespace

void naive(std::size_t dimension, std::size_t influences, const Arrays& in, float* positions, float* normals) {
  switch (dimension) {
    case 2:
      return move<2>(influences, in, positions, normals);
    case 3:
      return move<3>(influences, in, positions, normals);
    case 4:
      return move<4>(influences, in, positions, normals);
    case 5:
      return move<5>(influences, in, positions, normals);
    case 6:
      return move<6>(influences, in, positions, normals);
    case 7:
      return move<7>(influences, in, positions, normals);
    default:
      assert(dimension == 8);
      return move<8>(influences, in, positions, normals);
  }
}

}  // namespace baseline

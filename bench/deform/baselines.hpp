// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// The baselines for the library's kernels: other code for the same vertices.
namespace baseline {

/// Vertices and influences as arrays of rows. A matrix is stored in columns of N numbers: N columns of the linear part, then the
/// translation.
struct Arrays {
  std::size_t vertices = 0;
  std::vector<float> positions, normals;
  std::vector<std::uint32_t> first;  ///< the first influence of each vertex; one more entry at the end
  std::vector<std::uint8_t> joints;
  std::vector<float> weights;
  std::vector<float> matrices;
  std::vector<float> padded;  ///< 3D: 4×4, column-major, aligned to 64 bytes from `aligned` on
  std::size_t aligned = 0;

  [[nodiscard]] const float* matrix4(std::size_t joint) const { return padded.data() + aligned + joint * 16; }
};

/// The textbook loop: weighted matrix-vector products, one after the other. `influences`: per vertex; 0: rows of any length. `normals` (may
/// be null): transformed by the linear part, normalised.
void naive(std::size_t dimension, std::size_t influences, const Arrays& in, float* positions, float* normals);

/// Eigen in 3D with four influences, compiled for this processor: blends the matrices, then multiplies.
void eigen(const Arrays& in, float* positions, float* normals);

}  // namespace baseline

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// What the library's kernels are measured against: the same vertices, moved by others.
namespace baseline {

/// Vertices and influences as arrays of rows. Matrices are columns of N numbers: N of the linear part, then the translation.
struct Arrays {
  std::size_t vertices = 0;
  std::vector<float> positions, normals;
  std::vector<std::uint32_t> first;  ///< of a vertex's influences; one more at the end
  std::vector<std::uint8_t> joints;
  std::vector<float> weights;
  std::vector<float> matrices;
  std::vector<float> padded;  ///< 3D: 4×4, column-major, on boundaries of 64 bytes from `aligned` on
  std::size_t aligned = 0;

  [[nodiscard]] const float* matrix4(std::size_t joint) const { return padded.data() + aligned + joint * 16; }
};

/// The textbook loop: weighted matrix-vector products, one after the other. `influences` of each vertex, 0: rows of any length. `normals`
/// (may be null): by the linear part, normalised.
void naive(std::size_t dimension, std::size_t influences, const Arrays& in, float* positions, float* normals);

/// In 3D with four influences each, by Eigen, compiled for the processor at hand: matrices are blended, then multiplied.
void eigen(const Arrays& in, float* positions, float* normals);

}  // namespace baseline

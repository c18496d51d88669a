// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace naive {

/// Vertices as arrays of rows. A matrix is stored in columns of N numbers: N columns of the linear part, then the translation.
struct Arrays {
  std::size_t dimension = 3, vertices = 0;
  std::size_t influences = 4;  ///< per vertex; 0: one matrix for all. Ignored if `first` is not empty: rows of any length
  std::vector<std::uint32_t> first;
  std::vector<std::uint8_t> joints;
  std::vector<float> weights;
  std::vector<float> matrices, inverse_transposes;      ///< of each joint; those of the node follow
  std::size_t node = 0;                                 ///< the index of the node's matrix
  std::span<const float> positions, normals, tangents;  ///< tangents: x, y, z, w
  std::vector<std::uint32_t> corners;                   ///< the vertex of each corner
  std::vector<float> corner_normals;

  struct Shape {
    float amount = 0;                 ///< 0: inactive
    std::vector<std::uint32_t> rows;  ///< empty: all
    std::vector<float> offsets;       ///< of positions
  };
  std::vector<Shape> shapes;
};

/// The requested results; null: not requested. `blended`: memory for as many numbers as `positions` has.
struct Out {
  float* positions = nullptr;
  float* normals = nullptr;
  float* tangents = nullptr;
  float* corner_normals = nullptr;
  float* blended = nullptr;
};

using Run = void (*)(const Arrays& in, const Out& out);

/// The textbook loops, compiled with -O3 -march=native by each compiler; null if clang is not available.
namespace by_gcc {
void run(const Arrays& in, const Out& out);
}
namespace by_clang {
void run(const Arrays& in, const Out& out);
}

}  // namespace naive

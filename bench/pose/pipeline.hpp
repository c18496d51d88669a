// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pipeline {

/// A careful pipeline of a game engine, in float: a cursor per track, slerp, matrices of 3 × 4 numbers, parents before their joints.
struct Track {
  std::vector<float> times, values;  ///< 3 or 4 numbers (x, y, z, w) per key
  std::size_t cursor = 0;
};
struct Joint {
  std::int32_t parent = -1;
  Track translation, rotation, scale;
  float inverse_bind[12];  ///< columns
};
struct Character {
  std::vector<Joint> joints;
  std::vector<float> positions, weights;  ///< four influences of each vertex
  std::vector<std::uint8_t> slots;
  std::vector<float> world, palette;  ///< 12 numbers per joint, 16 per joint (padded columns)
};

/// Computes the palette at a time.
using Sample = void (*)(Character& character, float seconds);
/// Blends four matrices, then multiplies once: the loop that compilers optimise best.
using Skin = void (*)(const Character& character, float* out);

namespace by_gcc {
void sample(Character& character, float seconds);
void skin(const Character& character, float* out);
}  // namespace by_gcc
namespace by_clang {
void sample(Character& character, float seconds);
void skin(const Character& character, float* out);
}  // namespace by_clang

}  // namespace pipeline

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "naive.hpp"

#include "sinew/deform.hpp"

namespace matrix {

constexpr std::size_t joint_count = 64, shape_count = 52;
constexpr std::size_t mixed = 99;   ///< influences: 1 to 8, in random order
constexpr std::size_t sorted = 98;  ///< the same, with the result in the order of PrepareOptions::sorted

enum class Channels : std::uint8_t { positions, normals, tangents, corner_normals };  ///< tangents: with normals and positions
enum class Shapes : std::uint8_t { none, few, all };                                  ///< how many of 52 are active; few: 5
enum class Kind : std::uint8_t { dense, random, runs };                               ///< rows of a shape: all, or a tenth

/// One cell of the matrix.
struct Cell {
  std::size_t dimension = 3, influences = 4, vertices = 10'000;
  Channels channels = Channels::positions;
  Shapes shapes = Shapes::none;
  Kind kind = Kind::dense;
};

/// A mesh for the library, and the same mesh as arrays.
struct Rig {
  std::vector<float> positions, normals, tangents;  ///< what the arrays start with
  naive::Arrays arrays;
  sinew::Mesh mesh;
  sinew::deform::Palette palette;
  std::vector<double> amounts;
};

[[nodiscard]] std::unique_ptr<Rig> make_rig(const Cell& cell);

}  // namespace matrix

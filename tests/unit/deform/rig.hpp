// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "unit/model/attributes.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew::test {

/// Returns a mesh of one block with these positions, packed.
inline Mesh mesh_of(std::vector<float> positions, std::size_t dimension = 3) {
  Mesh mesh;
  mesh.blocks.resize(1);
  mesh.blocks[0].vertices = positions.size() / dimension;
  mesh.blocks[0].attributes = {attribute(Semantic::position, std::move(positions), dimension)};
  return mesh;
}

/// Returns glTF influences: rows of four joints and weights per set.
template <class Weight = float>
Influences::Set influence_set(std::vector<std::uint8_t> joints, std::vector<Weight> weights, bool normalized = false) {
  return {Array::own(std::move(joints), 4), Array::own(std::move(weights), 4, normalized)};
}

/// Returns a map from its linear part, row by row as on paper, and its translation.
inline Affine affine(std::initializer_list<double> rows, std::initializer_list<double> translation) {
  Affine map(translation.size());
  for (std::size_t i = 0; i < rows.size(); ++i) map(i / map.dimension(), i % map.dimension()) = rows.begin()[i];
  for (std::size_t i = 0; i < translation.size(); ++i) map.translation(i) = translation.begin()[i];
  return map;
}

inline deform::Palette palette_of(const std::vector<Affine>& maps) {
  deform::Palette palette(maps.front().dimension());
  for (const Affine& map : maps) need(palette.push_back(map));
  return palette;
}

inline deform::Prepared prepared(const Mesh& mesh, std::size_t dimension, const deform::PrepareOptions& options) {
  auto out = deform::prepare(mesh, dimension, options);
  if (!out) ADD_FAILURE() << out.error().line();
  return *std::move(out);
}

struct Deformed {
  std::vector<float> positions, normals, tangents;
};

/// Deforms all channels that the mesh has and was prepared for, in one call.
inline Deformed deformed(const deform::Prepared& mesh, const deform::Palette& palette, std::vector<double> amounts = {}) {
  const std::size_t n = mesh.dimension(), count = mesh.vertices();
  Deformed out;
  out.positions.resize(count * n);
  deform::Output views{{out.positions.data(), count, n}, {}, {}};
  if (mesh.has_normals()) {
    out.normals.resize(count * n);
    views.normals = {out.normals.data(), count, n};
  }
  if (mesh.has_tangents()) {
    out.tangents.resize(count * 4);
    views.tangents = {out.tangents.data(), count, 4};
  }
  deform::run(mesh, palette, amounts, {0, count}, views);
  return out;
}

/// Prepares and deforms with these maps: one per slot, then the node's.
inline Deformed deformed(const Mesh& mesh, const std::vector<Affine>& maps, std::vector<double> amounts = {},
                         deform::PrepareOptions options = {}) {
  options.slots = maps.size() - 1;
  return deformed(prepared(mesh, maps.front().dimension(), options), palette_of(maps), std::move(amounts));
}

inline double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return largest;
}

}  // namespace sinew::test

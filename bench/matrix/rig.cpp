// SPDX-License-Identifier: MIT
#include "rig.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

namespace matrix {

namespace {

class Numbers {
 public:
  float between(double low, double high) { return static_cast<float>(low + (high - low) * static_cast<double>(engine_()) / 4294967296.0); }
  std::size_t below(std::size_t end) { return engine_() % end; }
  /// 1 to 8, 2.4 on average.
  std::size_t length() {
    static constexpr std::size_t until[] = {35, 62, 82, 92, 95, 97, 99, 100};
    const std::size_t percent = below(100);
    return 1 + static_cast<std::size_t>(std::upper_bound(std::begin(until), std::end(until), percent) - std::begin(until));
  }

 private:
  std::mt19937 engine_{20261120};  // the same sequence on all platforms, unlike the standard distributions
};

void add_influences(const Cell& cell, Numbers& numbers, naive::Arrays& out) {
  const bool any = cell.influences == mixed || cell.influences == sorted;
  out.influences = any ? 0 : cell.influences;
  if (any) out.first.push_back(0);
  for (std::size_t v = 0; v < out.vertices; ++v) {
    const std::size_t length = any ? numbers.length() : cell.influences;
    float weight[8], sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += weight[i] = numbers.between(0.05, 1);
    for (std::size_t i = 0; i < length; ++i) {
      out.weights.push_back(weight[i] / sum);
      out.joints.push_back(static_cast<std::uint8_t>(numbers.below(joint_count)));
    }
    if (any) out.first.push_back(static_cast<std::uint32_t>(out.joints.size()));
  }
}

/// Rotations by up to one radian in the plane of the first two axes: their blends are far from singular.
void add_maps(std::size_t n, Numbers& numbers, Rig& out) {
  for (std::size_t j = 0; j <= joint_count; ++j) {
    const double angle = static_cast<double>(numbers.between(-1, 1));
    std::vector<double> columns((n + 1) * n);
    for (std::size_t i = 0; i < n; ++i) columns[i * n + i] = 1;
    columns[0] = columns[n + 1] = std::cos(angle);
    columns[1] = std::sin(angle);
    columns[n] = -std::sin(angle);
    for (std::size_t i = 0; i < n; ++i) columns[n * n + i] = static_cast<double>(numbers.between(-1, 1));
    const sinew::Affine map(n, columns);
    if (!out.palette.push_back(map)) std::abort();
    std::vector<double> cofactors(n * n);
    sinew::cofactor(map, cofactors);
    for (const double value : columns) out.arrays.matrices.push_back(static_cast<float>(value));
    for (const double value : cofactors) out.arrays.inverse_transposes.push_back(static_cast<float>(value));
  }
  out.arrays.node = joint_count;
}

std::vector<float> directions(std::size_t count, std::size_t n, std::size_t width, Numbers& numbers) {
  std::vector<float> rows(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    const float angle = numbers.between(0, 6.283);
    rows[i * width] = std::cos(angle);
    rows[i * width + 1] = std::sin(angle);
    if (width > n) rows[i * width + n] = 1;
  }
  return rows;
}

void add_shapes(const Cell& cell, Numbers& numbers, naive::Arrays& out) {
  if (cell.shapes == Shapes::none) return;
  for (std::size_t s = 0; s < shape_count; ++s) {
    naive::Arrays::Shape& shape = out.shapes.emplace_back();
    shape.amount = cell.shapes == Shapes::all || s % 11 == 3 ? numbers.between(0.1, 1) : 0;
    for (std::uint32_t v = 0; cell.kind == Kind::random && v < out.vertices; ++v)
      if (numbers.below(10) == 0) shape.rows.push_back(v);
    for (std::uint32_t v = 0; cell.kind == Kind::runs && v < out.vertices; ++v)
      if (v / 200 % 10 == s % 10) shape.rows.push_back(v);
    shape.offsets.resize((cell.kind == Kind::dense ? out.vertices : shape.rows.size()) * out.dimension);
    for (float& value : shape.offsets) value = numbers.between(-0.01, 0.01);
  }
}

sinew::Attribute attribute_of(sinew::Semantic semantic, const std::vector<float>& values, std::size_t width) {
  sinew::Attribute attribute;
  attribute.semantic = semantic;
  attribute.values = sinew::Array::own(values, width);
  return attribute;
}

void add_mesh(const Cell& cell, Rig& out) {
  const naive::Arrays& arrays = out.arrays;
  const std::size_t n = arrays.dimension;
  sinew::VertexBlock& block = out.mesh.blocks.emplace_back();
  block.vertices = arrays.vertices;
  block.attributes.push_back(attribute_of(sinew::Semantic::position, out.positions, n));
  if (!arrays.normals.empty()) block.attributes.push_back(attribute_of(sinew::Semantic::normal, out.normals, n));
  if (!arrays.tangents.empty()) block.attributes.push_back(attribute_of(sinew::Semantic::tangent, out.tangents, 4));
  if (cell.influences == mixed || cell.influences == sorted) {
    block.influences.first = arrays.first;
    block.influences.slots = sinew::Array::own(arrays.joints, 1);
    block.influences.weights = sinew::Array::own(arrays.weights, 1);
  } else if (cell.influences != 0) {
    block.influences.sets.push_back(
        {sinew::Array::own(arrays.joints, cell.influences), sinew::Array::own(arrays.weights, cell.influences)});
  }
  for (const naive::Arrays::Shape& shape : arrays.shapes) {
    sinew::Offsets& offsets = block.attributes.front().offsets.emplace_back();
    offsets.shape = static_cast<sinew::Index>(out.mesh.shapes.size());
    offsets.values = sinew::Array::own(shape.offsets, n);
    offsets.sparse_ = !shape.rows.empty();
    if (offsets.sparse_) offsets.indices = sinew::Array::own(shape.rows, 1);
    out.mesh.shapes.emplace_back();
    out.amounts.push_back(static_cast<double>(shape.amount));
  }
  if (arrays.corners.empty()) return;
  sinew::Surface& surface = out.mesh.surfaces.emplace_back();
  surface.indexed = true;
  surface.elements = sinew::Array::own(arrays.corners, 1);
  surface.attributes.push_back(attribute_of(sinew::Semantic::normal, arrays.corner_normals, n));
}

}  // namespace

std::unique_ptr<Rig> make_rig(const Cell& cell) {
  auto rig = std::make_unique<Rig>();
  rig->palette = sinew::deform::Palette(cell.dimension);
  naive::Arrays& arrays = rig->arrays;
  Numbers numbers;
  arrays.dimension = cell.dimension;
  arrays.vertices = cell.vertices;
  add_influences(cell, numbers, arrays);
  add_maps(cell.dimension, numbers, *rig);
  rig->positions.resize(cell.vertices * cell.dimension);
  for (float& value : rig->positions) value = numbers.between(-1, 1);
  if (cell.channels == Channels::normals || cell.channels == Channels::tangents)
    rig->normals = directions(cell.vertices, cell.dimension, cell.dimension, numbers);
  if (cell.channels == Channels::tangents) rig->tangents = directions(cell.vertices, 3, 4, numbers);
  arrays.positions = rig->positions;
  arrays.normals = rig->normals;
  arrays.tangents = rig->tangents;
  if (cell.channels == Channels::corner_normals) {
    // Ten corners of each vertex; the corners of one simplex are near one another, as in a mesh.
    const std::size_t corners = cell.vertices * 10 / cell.dimension * cell.dimension;
    for (std::size_t i = 0; i < corners; ++i) {
      const std::size_t near = i / 10 + numbers.below(32);
      arrays.corners.push_back(static_cast<std::uint32_t>(std::min(near, cell.vertices - 1)));
    }
    arrays.corner_normals = directions(corners, cell.dimension, cell.dimension, numbers);
  }
  add_shapes(cell, numbers, arrays);
  add_mesh(cell, *rig);
  return rig;
}

}  // namespace matrix

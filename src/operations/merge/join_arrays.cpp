// SPDX-License-Identifier: MIT
#include "operations/merge/join_arrays.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew::operations {

namespace {

/// Stores numbers in the floating-point type of `like`, if it has one.
Array stored_as(const Array& like, std::vector<double> values, std::size_t width) {
  if (like.type() == ComponentType::float64) return Array::own(std::move(values), width);
  return Array::own(std::vector<float>(values.begin(), values.end()), width);
}

/// Transforms every row by the linear part; positions also by the translation.
Array mapped(const Array& rows, const Affine& map, bool moved) {
  if (rows.empty()) return rows;
  const std::size_t n = map.dimension(), width = rows.width();
  std::vector<double> values = rows.read<double>();
  std::vector<double> out = values;  // further components stay: w of tangents
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t row = 0; row < n; ++row) {
      double sum = moved ? map.translation(row) : 0;
      for (std::size_t column = 0; column < n; ++column) sum += map(row, column) * values[i * width + column];
      out[i * width + row] = sum;
    }
  return stored_as(rows, std::move(out), width);
}

/// Returns the scale of a map that scales uniformly and does not mirror; otherwise 0.
double scale_of(const Affine& map) {
  const std::size_t n = map.dimension();
  const auto dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t row = 0; row < n; ++row) sum += map(row, a) * map(row, b);
    return sum;
  };
  const double square = dot(0, 0);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a; b < n; ++b)
      if (std::abs(dot(a, b) - (a == b ? square : 0)) > 1e-5 * square) return 0;
  return determinant(map) > 0 ? std::sqrt(square) : 0;
}

Array joined(const Array& a, const Array& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  std::vector<double> values = a.read<double>();
  const std::vector<double> more = b.read<double>();
  values.insert(values.end(), more.begin(), more.end());
  return stored_as(a.type() == ComponentType::float64 ? a : b, std::move(values), a.width());
}

std::vector<std::uint32_t> rows_of(const Offsets& offsets, std::size_t first) {
  std::vector<std::uint32_t> rows(offsets.values.size());
  std::iota(rows.begin(), rows.end(), 0U);
  if (offsets.sparse()) rows = offsets.indices.read<std::uint32_t>();
  for (std::uint32_t& row : rows) row += static_cast<std::uint32_t>(first);
  return rows;
}

void append_offsets(Attribute& attribute, const Attribute& added, std::size_t first) {
  for (Offsets& offsets : attribute.offsets)
    if (!offsets.sparse()) {
      offsets.indices = Array::own(rows_of(offsets, 0), 1);
      offsets.sparse_ = true;
    }
  for (const Offsets& more : added.offsets) {
    const auto known = std::ranges::find(attribute.offsets, more.shape, &Offsets::shape);
    const std::vector<std::uint32_t> rows = rows_of(more, first);
    if (known == attribute.offsets.end()) {
      Offsets& fresh = attribute.offsets.emplace_back(more);
      fresh.indices = Array::own(std::vector<std::uint32_t>(rows), 1);
      fresh.sparse_ = true;
      continue;
    }
    std::vector<std::uint32_t> all = known->indices.read<std::uint32_t>();
    all.insert(all.end(), rows.begin(), rows.end());
    known->indices = Array::own(std::move(all), 1);
    known->values = joined(known->values, more.values);
  }
}

Array moved_by(const Array& indices, std::uint32_t first) {
  std::vector<std::uint32_t> all = indices.read<std::uint32_t>();
  for (std::uint32_t& index : all) index += first;
  return Array::own(std::move(all), indices.width());
}

}  // namespace

bool transform(Mesh& mesh, const Affine& map) {
  const double scale = scale_of(map);
  Affine turn = map;
  for (std::size_t column = 0; column < map.dimension(); ++column)
    for (std::size_t row = 0; row < map.dimension(); ++row) turn(row, column) /= scale == 0 ? 1 : scale;
  bool possible = true;
  for_each_attribute(mesh, [&](Attribute& attribute) {
    const bool direction = attribute.semantic == Semantic::normal || attribute.semantic == Semantic::tangent;
    if (!direction && attribute.semantic != Semantic::position) return;
    possible = possible && (!direction || scale != 0);
    attribute.values = mapped(attribute.values, direction ? turn : map, !direction);
    for (Offsets& offsets : attribute.offsets) offsets.values = mapped(offsets.values, direction ? turn : map, false);
  });
  return possible;
}

Array with_slots(const Influences::Set& set, std::span<const std::size_t> place) {
  const std::vector<std::uint32_t> slots = set.joints.read<std::uint32_t>();
  const std::vector<double> weights = set.weights.read<double>();
  std::vector<std::uint16_t> moved(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (weights[i] != 0) moved[i] = static_cast<std::uint16_t>(place[slots[i]]);
  return Array::own(std::move(moved), set.joints.width());
}

Array with_rows(const Array& values, std::size_t before, std::span<const double> added, bool spline) {
  const std::vector<double> old = values.read<double>();
  const std::size_t groups = before == 0 ? 0 : old.size() / before;
  std::vector<float> all;
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t i = 0; i < before; ++i) all.push_back(static_cast<float>(old[group * before + i]));
    const bool tangents = spline && group % 3 != 1;
    for (const double amount : added) all.push_back(tangents ? 0.0F : static_cast<float>(amount));
  }
  return Array::own(std::move(all), 1);
}

void append_vertices(VertexBlock& block, const VertexBlock& added) {
  for (Attribute& attribute : block.attributes) {
    if (attribute.semantic != Semantic::position) continue;
    const Attribute& more = *find_attribute(added.attributes, Semantic::position);
    append_offsets(attribute, more, block.vertices);
    attribute.values = joined(attribute.values, more.values);
  }
  Influences& influences = block.influences;
  const auto entries = static_cast<std::uint32_t>(influences.slots.size());
  for (std::size_t vertex = 1; vertex < added.influences.first.size(); ++vertex)
    influences.first.push_back(added.influences.first[vertex] + entries);
  std::vector<std::uint32_t> slots = influences.slots.read<std::uint32_t>();
  const std::vector<std::uint32_t> more = added.influences.slots.read<std::uint32_t>();
  slots.insert(slots.end(), more.begin(), more.end());
  influences.slots = Array::own(std::move(slots), 1);
  influences.weights = joined(influences.weights, added.influences.weights);
  block.vertices += added.vertices;
}

void move_indices(Surface& surface, std::uint32_t first) {
  if (surface.indexed) surface.elements = moved_by(surface.elements, first);
  if (!surface.edges.empty()) surface.edges = moved_by(surface.edges, first);
  if (surface.topology && !surface.topology->instances.empty()) surface.topology->instances = moved_by(surface.topology->instances, first);
}

}  // namespace sinew::operations

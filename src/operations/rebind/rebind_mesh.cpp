// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "math/extent.hpp"
#include "model/influences.hpp"
#include "operations/rebind/rebind_steps.hpp"

namespace sinew::operations {
namespace {

using Point = std::array<double, 3>;

Point direction(const Affine& map, const Point& vector) {
  Point out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) out[i] += map(i, j) * vector[j];
  return out;
}

Point position(const Affine& map, const Point& point) {
  Point out = direction(map, point);
  for (std::size_t i = 0; i < 3; ++i) out[i] += map.translation(i);
  return out;
}

Point difference(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double length(const Point& vector) { return std::hypot(vector[0], vector[1], vector[2]); }

/// Transforms the vertices of one block to the new mesh space.
class BlockMover {
 public:
  BlockMover(const VertexBlock& block, std::size_t number, const ReboundSkin& by, Movement& movement)
      : block_(block), number_(number), by_(by), movement_(movement), rows_(weighted_rows(block.influences)) {
    maps_.reserve(rows_.size());
    for (const InfluenceRow& row : rows_) maps_.push_back(blended(row, by.after_from_before));
  }

  VertexBlock run(Extent& box) {
    VertexBlock moved = block_;
    for (Attribute& attribute : moved.attributes) {
      switch (attribute.semantic) {
        case Semantic::position:
          move_positions(attribute, box);
          break;
        case Semantic::normal:
          move_normals(attribute);
          break;
        case Semantic::tangent:
          move_tangents(attribute);
          break;
        case Semantic::texcoord:
        case Semantic::color:
        case Semantic::custom:
          break;
      }
    }
    return moved;
  }

 private:
  /// Applies `use(row of the attribute, numbers)` to rows of three numbers; further columns stay.
  template <class Use>
  static Array through(const Array& array, const std::vector<std::uint32_t>& rows, bool sparse, Use use) {
    std::vector<double> values = array.read<double>();
    for (std::size_t i = 0; i < array.size(); ++i) {
      double* const row = values.data() + i * array.width();
      const Point moved = use(sparse ? rows[i] : i, Point{row[0], row[1], row[2]});
      std::ranges::copy(moved, row);
    }
    std::vector<float> stored(values.size());
    std::ranges::transform(values, stored.begin(), [](double value) { return static_cast<float>(value); });
    return Array::own(std::move(stored), array.width());
  }

  template <class Use>
  static void move_offsets(Attribute& attribute, Use use) {
    for (Offsets& offsets : attribute.offsets)
      if (!offsets.values.empty()) offsets.values = through(offsets.values, offsets.indices.read<std::uint32_t>(), offsets.sparse(), use);
  }

  /// Measures the difference between a position or offset as an influence sees it and as it is stored.
  template <class Through>
  void compare(std::size_t vertex, const Point& before, const Point& after, Through use) {
    for (const Influence& entry : rows_[vertex]) {
      const Point off = difference(use(by_.after_from_before[entry.slot], before), after);
      const double distance = length(direction(by_.world_from_after[entry.slot], off));
      if (distance > movement_.spread) {
        movement_.spread = distance;
        movement_.slot = entry.slot;
        movement_.block = number_;
        movement_.vertex = vertex;
        movement_.slots.clear();
        for (const Influence& other : rows_[vertex]) movement_.slots.push_back(other.slot);
      }
    }
  }

  void move_positions(Attribute& attribute, Extent& box) {
    attribute.values = through(attribute.values, {}, false, [&](std::size_t vertex, const Point& before) {
      const Point after = position(maps_[vertex], before);
      movement_.moved = std::max(movement_.moved, length(difference(after, before)));
      compare(vertex, before, after, position);
      Point at_rest{};
      for (const Influence& entry : rows_[vertex]) {
        const Point seen = position(by_.world_from_after[entry.slot], after);
        for (std::size_t i = 0; i < 3; ++i) at_rest[i] += entry.weight * seen[i];
      }
      for (std::size_t i = 0; i < 3; ++i) box.add(i, at_rest[i]);
      return after;
    });
    move_offsets(attribute, [&](std::size_t vertex, const Point& before) {
      const Point after = direction(maps_[vertex], before);
      compare(vertex, before, after, direction);
      return after;
    });
  }

  /// Uses the cofactor matrix, as deformation does: cof(M')·cof(D) = cof(M'·D), mirrored or not.
  void move_normals(Attribute& attribute) {
    const auto turned = [&](std::size_t vertex, const Point& before) {
      std::array<double, 9> matrix{};
      cofactor(maps_[vertex], matrix);
      Point out{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) out[i] += matrix[j * 3 + i] * before[j];
      return out;
    };
    move_directions(attribute, turned);
  }

  void move_tangents(Attribute& attribute) {
    move_directions(attribute, [&](std::size_t vertex, const Point& before) { return direction(maps_[vertex], before); });
  }

  /// Keeps the old lengths; offsets keep their proportion to them.
  template <class Turn>
  void move_directions(Attribute& attribute, Turn turn) {
    std::vector<double> factors(block_.vertices, 1);
    attribute.values = through(attribute.values, {}, false, [&](std::size_t vertex, const Point& before) {
      const Point after = turn(vertex, before);
      if (const double size = length(after); size > 0 && std::isfinite(size)) factors[vertex] = length(before) / size;
      return Point{after[0] * factors[vertex], after[1] * factors[vertex], after[2] * factors[vertex]};
    });
    move_offsets(attribute, [&](std::size_t vertex, const Point& before) {
      const Point after = turn(vertex, before);
      return Point{after[0] * factors[vertex], after[1] * factors[vertex], after[2] * factors[vertex]};
    });
  }

  const VertexBlock& block_;
  std::size_t number_;
  const ReboundSkin& by_;
  Movement& movement_;
  std::vector<InfluenceRow> rows_;
  std::vector<Affine> maps_;
};

}  // namespace

Mesh moved_mesh(const Mesh& mesh, const ReboundSkin& by, Movement& movement) {
  Mesh moved = mesh;
  Extent box;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
    if (!mesh.blocks[b].influences.empty()) moved.blocks[b] = BlockMover(mesh.blocks[b], b, by, movement).run(box);
  if (!box.empty()) movement.diagonal = length({box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]});
  return moved;
}

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#include "show/flatten.hpp"

#include <algorithm>
#include <cmath>

#include "base/catalogue.hpp"

namespace sinew::show {

namespace {

constexpr std::size_t seen = 3;

/// The linear part that turns by an angle per plane, the last plane first.
Affine turned(std::size_t n, const std::vector<double>& angles) {
  Affine map(n);
  const std::vector<Plane> planes = planes_of(n);
  for (std::size_t p = 0; p < std::min(planes.size(), angles.size()); ++p) {
    const double c = std::cos(angles[p]), s = std::sin(angles[p]);
    for (std::size_t row = 0; row < n; ++row) {  // map · turn
      const double from = map(row, planes[p].from), to = map(row, planes[p].to);
      map(row, planes[p].from) = c * from + s * to;
      map(row, planes[p].to) = c * to - s * from;
    }
  }
  return map;
}

/// Rows of at most three numbers as rows of three.
std::vector<float> filled(strided_view<const float> rows) {
  std::vector<float> out(rows.size() * seen);
  for (std::size_t v = 0; v < rows.size(); ++v) std::copy_n(rows[v], rows.width(), out.begin() + static_cast<std::ptrdiff_t>(v * seen));
  return out;
}

/// Turned around the centre.
std::vector<float> turned_rows(strided_view<const float> rows, const Affine& map, const std::vector<double>& center) {
  const std::size_t n = map.dimension();
  std::vector<float> out(rows.size() * n);
  for (std::size_t v = 0; v < rows.size(); ++v)
    for (std::size_t i = 0; i < n; ++i) {
      double sum = center[i];
      for (std::size_t j = 0; j < n; ++j) sum += map(i, j) * (rows[v][j] - center[j]);
      out[v * n + i] = static_cast<float>(sum);
    }
  return out;
}

}  // namespace

Flattener::Flattener(std::size_t dimension, strided_view<const float> positions, std::vector<Elements> simplexes) : dimension_(dimension) {
  if (dimension_ <= seen) return;
  whole_ = ops::fitted({}, positions);
  slicer_.emplace(dimension_, std::move(simplexes));
}

ops::Projector Flattener::projector(const Flattening& look) const {
  ops::Projection projection = whole_;
  projection.kind = look.kind == Flattening::Kind::perspective ? ops::ProjectionKind::perspective : ops::ProjectionKind::orthographic;
  if (!look.turns.empty()) projection.view = turned(dimension_, look.turns);
  return {dimension_, std::move(projection)};
}

std::vector<float> Flattener::points(strided_view<const float> rows, const Flattening& look) const {
  if (dimension_ <= seen) return filled(rows);
  std::vector<float> out(rows.size() * seen);
  projector(look).run(rows, {out.data(), rows.size(), seen});
  return out;
}

Result<> Flattener::vertices(strided_view<const float> rows, const Flattening& look, Packet& packet) {
  if (dimension_ > seen && look.kind == Flattening::Kind::slice) return slice(rows, look, packet);
  if (dimension_ <= seen) {
    packet.add("positions", filled(rows), seen);
    return {};
  }
  std::vector<float> out(rows.size() * seen);
  const std::size_t hidden_axes = dimension_ - seen;
  std::vector<float> hidden(rows.size() * hidden_axes), first(rows.size());
  projector(look).run(rows, {out.data(), rows.size(), seen}, {hidden.data(), rows.size(), hidden_axes});
  for (std::size_t v = 0; v < first.size(); ++v) first[v] = hidden[v * hidden_axes];
  packet.add("positions", out, seen);
  packet.add("hidden", first, 1);
  return {};
}

// The last axis is cut first, what is left is a mesh of one dimension less, and so on down to three. The model is turned instead of the
// hyperplane: each cut is then along an axis.
Result<> Flattener::slice(strided_view<const float> rows, const Flattening& look, Packet& packet) {
  const std::vector<float> stood = turned_rows(rows, turned(dimension_, look.turns), whole_.center);
  ops::Hyperplane plane{dimension_ - 1, look.offsets.back(), {}};
  if (auto cut = slicer_->run({stood.data(), rows.size(), dimension_}, plane, section_); !cut) return cut;
  for (std::size_t axes = dimension_ - 1; axes > seen; --axes) {
    std::vector<Elements> left;
    for (ops::Section::Group& group : section_.groups) left.push_back({group.corners, std::move(group.pieces)});
    const std::vector<float> positions = std::move(section_.positions);
    plane = {axes - 1, look.offsets[axes - 1 - seen], {}};
    if (auto cut = ops::Slicer(axes, std::move(left)).run({positions.data(), positions.size() / axes, axes}, plane, section_); !cut)
      return cut;
  }
  packet.add("positions", section_.positions, seen);
  for (std::size_t g = 0; g < section_.groups.size(); ++g)
    if (section_.groups[g].corners == seen) packet.add(fmt::format("cut{}", g), section_.groups[g].pieces, seen);
  if (dimension_ != seen + 1) return {};
  std::vector<std::uint32_t> above, below;
  std::vector<float> part;
  for (const ops::Section::Vertex& vertex : section_.vertices) {
    above.push_back(vertex.above);
    below.push_back(vertex.below);
    part.push_back(static_cast<float>(vertex.t));
  }
  packet.add("above", above, 1);
  packet.add("below", below, 1);
  packet.add("part", part, 1);
  return {};
}

}  // namespace sinew::show

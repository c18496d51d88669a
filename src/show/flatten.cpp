// SPDX-License-Identifier: MIT
#include "show/flatten.hpp"

#include <algorithm>
#include <cmath>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"

namespace sinew::show {

namespace {

/// Returns the linear map of the turns by an angle per plane, the last plane first.
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

/// Extends rows of at most three numbers to three.
std::vector<float> filled(strided_view<const float> rows) {
  std::vector<float> out(rows.size() * seen);
  for (std::size_t v = 0; v < rows.size(); ++v) std::copy_n(rows[v], rows.width(), out.begin() + static_cast<std::ptrdiff_t>(v * seen));
  return out;
}

/// Turns rows around the centre.
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

/// Interpolates the values of a section's corners between those of the corners of the cut simplexes.
CornerValues between(const CornerValues& from, const operations::Section& section, const operations::Section::Group& group) {
  CornerValues out{from.width, {}};
  if (from.rows.empty()) return out;
  out.rows.reserve(group.pieces.size() * from.width);
  for (std::size_t i = 0; i < group.pieces.size(); ++i) {
    const std::size_t first = std::size_t{group.simplex[i / group.corners]} * (group.corners + 1);
    const float* const above = &from.rows[(first + group.corner_between[i].above) * from.width];
    const float* const below = &from.rows[(first + group.corner_between[i].below) * from.width];
    const auto t = static_cast<float>(section.vertices[group.pieces[i]].t);
    for (std::size_t k = 0; k < from.width; ++k) out.rows.push_back(above[k] + t * (below[k] - above[k]));
  }
  return out;
}

std::vector<CornerValues> between(const std::vector<CornerValues>& from, const operations::Section& section) {
  std::vector<CornerValues> out;
  for (std::size_t g = 0; g < from.size(); ++g) out.push_back(between(from[g], section, section.groups[g]));
  return out;
}

}  // namespace

Flattener::Flattener(std::size_t dimension, strided_view<const float> positions, std::vector<Elements> simplexes,
                     std::vector<CornerValues> values)
    : dimension_(dimension), values_(std::move(values)) {
  if (dimension_ <= seen) return;
  whole_ = need(operations::fitted({}, positions));
  slicer_ = need(operations::Slicer::create(dimension_, std::move(simplexes)));
}

operations::Projector Flattener::projector(const ProjectionChoice& look) const {
  operations::Projection projection = whole_;
  projection.kind =
      look.kind == ProjectionChoice::Kind::perspective ? operations::ProjectionKind::perspective : operations::ProjectionKind::orthographic;
  if (!look.turns.empty()) projection.view = turned(dimension_, look.turns);
  return {dimension_, std::move(projection)};
}

std::vector<float> Flattener::points(strided_view<const float> rows, const ProjectionChoice& look) const {
  if (dimension_ <= seen) return filled(rows);
  std::vector<float> out(rows.size() * seen);
  projector(look).run(rows, {out.data(), rows.size(), seen});
  return out;
}

Result<Flat> Flattener::vertices(strided_view<const float> rows, const ProjectionChoice& look) {
  if (dimension_ > seen && look.kind == ProjectionChoice::Kind::slice) return slice(rows, look);
  Flat flat;
  if (dimension_ <= seen) {
    flat.positions = filled(rows);
    return flat;
  }
  const std::size_t hidden_axes = dimension_ - seen;
  std::vector<float> hidden(rows.size() * hidden_axes);
  flat.positions.resize(rows.size() * seen);
  flat.hidden.resize(rows.size());
  projector(look).run(rows, {flat.positions.data(), rows.size(), seen}, {hidden.data(), rows.size(), hidden_axes});
  for (std::size_t v = 0; v < rows.size(); ++v) flat.hidden[v] = hidden[v * hidden_axes];
  return flat;
}

// Cuts the last axis first, which gives a mesh of one dimension less, and so on down to three. Turns the model instead of the hyperplane,
// so that each cut is along an axis.
Result<Flat> Flattener::slice(strided_view<const float> rows, const ProjectionChoice& look) {
  const std::vector<float> stood = turned_rows(rows, turned(dimension_, look.turns), whole_.center);
  operations::Hyperplane plane{dimension_ - 1, look.offsets.back(), {}};
  auto cut = slicer_->run({stood.data(), rows.size(), dimension_}, plane, section_);
  std::vector<CornerValues> values = cut ? between(values_, section_) : std::vector<CornerValues>();
  for (std::size_t axes = dimension_ - 1; cut && axes > seen; --axes) {
    std::vector<Elements> left;
    for (operations::Section::Group& group : section_.groups) left.push_back({group.corners, std::move(group.pieces)});
    const std::vector<float> positions = std::move(section_.positions);
    plane = {axes - 1, look.offsets[axes - 1 - seen], {}};
    cut = need(operations::Slicer::create(axes, std::move(left))).run({positions.data(), positions.size() / axes, axes}, plane, section_);
    if (cut) values = between(values, section_);
  }
  if (!cut) return Unexpected(cut.error());
  Flat flat;
  flat.positions = section_.positions;
  for (std::size_t g = 0; g < section_.groups.size(); ++g)
    if (section_.groups[g].corners == seen)
      flat.cuts.push_back({g, section_.groups[g].pieces, g < values.size() ? std::move(values[g].rows) : std::vector<float>()});
  if (dimension_ != seen + 1) return flat;
  for (const operations::Section::Vertex& vertex : section_.vertices) {
    flat.above.push_back(vertex.above);
    flat.below.push_back(vertex.below);
    flat.part.push_back(static_cast<float>(vertex.t));
  }
  return flat;
}

void Flat::add_to(Packet& packet) const {
  packet.add("positions", positions, seen);
  if (!hidden.empty()) packet.add("hidden", hidden, 1);
  for (const Cut& cut : cuts) packet.add(format_text("cut{}", cut.simplexes), cut.triangles, seen);
  if (above.empty()) return;
  packet.add("above", above, 1);
  packet.add("below", below, 1);
  packet.add("part", part, 1);
}

}  // namespace sinew::show

// SPDX-License-Identifier: MIT
#include "operations/convert/g4mf_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/guard.hpp"
#include "model/influences.hpp"

namespace sinew::operations {

namespace {

constexpr double even = 1e-6;  // tolerance for weights stored in float32

/// The rows of an attribute's offsets, by shape; empty for shapes that do not change it.
class OffsetRows {
 public:
  OffsetRows(const Attribute& attribute, std::size_t shapes, std::size_t rows) : width_(attribute.values.width()), values_(shapes) {
    for (const Offsets& offsets : attribute.offsets) {
      std::vector<float>& dense = values_[offsets.shape];
      std::vector<float> stored = offsets.values.read<float>();
      if (!offsets.sparse() && offsets.values.width() == width_) {
        dense = std::move(stored);
        dense.resize(rows * width_);
        continue;
      }
      dense.resize(rows * width_);
      const std::size_t width = std::min(width_, offsets.values.width());
      const std::vector<std::uint32_t> indices = offsets.indices.read<std::uint32_t>();
      for (std::size_t i = 0; i < offsets.values.size(); ++i)
        for (std::size_t k = 0; k < width; ++k)
          dense[(offsets.sparse() ? indices[i] : i) * width_ + k] += stored[i * offsets.values.width() + k];
    }
  }

  /// Empty if the shape does not move the row.
  [[nodiscard]] std::span<const float> row(std::size_t shape, std::size_t row) const {
    if (values_[shape].empty()) return {};
    const std::span<const float> found = std::span(values_[shape]).subspan(row * width_, width_);
    return std::ranges::all_of(found, [](float number) { return number == 0; }) ? std::span<const float>() : found;
  }
  [[nodiscard]] std::size_t shapes() const { return values_.size(); }

 private:
  std::size_t width_;
  std::vector<std::vector<float>> values_;
};

/// The offsets of a shape while they are collected.
struct Moved {
  std::vector<std::uint32_t> indices;
  std::vector<float> values;

  void add(std::uint32_t row, std::span<const float> offset) {
    if (offset.empty()) return;
    indices.push_back(row);
    values.insert(values.end(), offset.begin(), offset.end());
  }
};

std::vector<Offsets> as_offsets(std::vector<Moved> moved, std::size_t width) {
  std::vector<Offsets> list;
  for (Index shape = 0; shape < moved.size(); ++shape) {
    if (moved[shape].indices.empty()) continue;
    list.push_back({shape, Array::own(std::move(moved[shape].indices), 1), Array::own(std::move(moved[shape].values), width), true});
  }
  return list;
}

class Builder {
 public:
  Builder(const Mesh& mesh, const MeshPart& part, std::span<const Index> groups, std::span<const gltf::TextureCoordinates> maps,
          std::size_t dimension, std::size_t most)
      : source_(mesh), part_(part), groups_(groups), maps_(maps), dimension_(dimension), most_(most), moved_(mesh.shapes.size()) {}

  G4mfMesh run() {
    Mesh& mesh = result_.mesh;
    mesh.name = source_.name;
    mesh.source = source_.source;
    mesh.shapes = source_.shapes;
    if (part_.skinned) first_.push_back(0);
    for (const Index surface : part_.surfaces) add(surface);
    if (mesh.surfaces.empty()) add_nothing();
    VertexBlock& block = mesh.blocks.emplace_back();
    block.vertices = positions_.size() / dimension_;
    Attribute& positions = block.attributes.emplace_back();
    positions.semantic = Semantic::position;
    positions.values = Array::own(std::move(positions_), dimension_);
    positions.offsets = as_offsets(std::move(moved_), dimension_);
    if (part_.skinned) {
      block.influences.first = std::move(first_);
      block.influences.slots = Array::own(std::move(slots_), 1);
      block.influences.weights = Array::own(std::move(weights_), 1);
      block.influences.divide_by_sum = true;
    }
    return std::move(result_);
  }

 private:
  // A mesh needs a surface, and a surface without elements would draw all points.
  void add_nothing() {
    Surface& surface = result_.mesh.surfaces.emplace_back();
    surface.primitive = Primitive::lines;
    surface.indexed = true;
    surface.elements = surface.edges = Array::own(std::vector<std::uint32_t>(), 2);
  }

  void add(Index number) {
    const Surface& source = source_.surfaces[number];
    const VertexBlock& block = source_.blocks[source.block];
    const Attribute* const positions = find_attribute(block.attributes, Semantic::position);
    if (positions == nullptr || block.vertices == 0) return;
    const gltf::TextureCoordinates map = source.material < maps_.size() ? maps_[source.material] : gltf::TextureCoordinates();
    for (const Attribute& attribute : block.attributes) note_lost(attribute, map.set);
    const bool points = source.primitive == Primitive::points;
    const std::vector<std::uint32_t> rows = add_vertices(block, *positions, source.block, !points);
    Surface surface;
    surface.name = source.name;
    surface.source = source.source;
    surface.material = source.material;
    Elements elements = need(elements_of(source_, source, dimension_));
    if (points) draw_all(elements.indices, block.vertices);
    add_elements(surface, source.primitive, elements, rows);
    if (const Attribute* const normals = find_attribute(block.attributes, Semantic::normal))
      surface.attributes.push_back(by_corner(*normals, block.vertices, elements.indices));
    if (const Attribute* const places = find_attribute(block.attributes, Semantic::texcoord, map.set)) {
      surface.attributes.push_back(by_corner(*places, block.vertices, elements.indices));
      bake(map.transform, surface.attributes.back());
    }
    if (const Attribute* const colors = find_attribute(block.attributes, Semantic::color))
      result_.colors.push_back(
          {number, static_cast<Index>(result_.mesh.surfaces.size()), by_corner(*colors, block.vertices, elements.indices).values});
    result_.mesh.surfaces.push_back(std::move(surface));
  }

  // Points of G4MF draw all vertices of their mesh, in order.
  void draw_all(std::vector<std::uint32_t>& corners, std::size_t vertices) {
    std::vector<bool> drawn(vertices);
    for (const std::uint32_t vertex : corners) drawn[vertex] = true;
    if (std::ranges::count(drawn, false) != 0) result_.lost.insert("unused vertices, which would be drawn as points");
    corners.resize(vertices);
    std::iota(corners.begin(), corners.end(), 0U);
  }

  static void add_elements(Surface& surface, Primitive primitive, const Elements& elements, const std::vector<std::uint32_t>& rows) {
    surface.primitive = Primitive::points;
    if (primitive == Primitive::points) return;
    const bool simplexes = primitive >= Primitive::simplexes;
    std::vector<std::uint32_t> indices(elements.indices.size());
    std::ranges::transform(elements.indices, indices.begin(), [&](std::uint32_t index) { return rows[index]; });
    surface.primitive = simplexes ? Primitive::simplexes : Primitive::lines;
    surface.indexed = true;
    surface.elements = Array::own(std::move(indices), elements.corners);
    if (!simplexes) surface.edges = surface.elements;
  }

  // Appends bytes to the key of a vertex. Vertices with equal keys are merged.
  static void put(std::string& key, const void* data, std::size_t size) { key.append(static_cast<const char*>(data), size); }

  std::vector<std::uint32_t> add_vertices(const VertexBlock& block, const Attribute& positions, Index number, bool weld) {
    const std::vector<float> values = positions.values.read<float>();
    const OffsetRows offsets(positions, source_.shapes.size(), block.vertices);
    const std::vector<InfluenceRow> influences = influences_of(block, number);
    std::vector<std::uint32_t> rows(block.vertices);
    std::string key;
    for (std::uint32_t i = 0; i < block.vertices; ++i) {
      const std::span<const float> position = std::span(values).subspan(i * dimension_, dimension_);
      key.clear();
      put(key, position.data(), position.size_bytes());
      if (part_.skinned)
        for (const auto& [group, weight] : influences[i]) {
          put(key, &group, sizeof group);
          put(key, &weight, sizeof weight);
        }
      for (std::uint32_t shape = 0; shape < offsets.shapes(); ++shape) {
        const std::span<const float> offset = offsets.row(shape, i);
        if (offset.empty()) continue;
        put(key, &shape, sizeof shape);
        put(key, offset.data(), offset.size_bytes());
      }
      if (!weld) put(key, &i, sizeof i);
      const auto next = static_cast<std::uint32_t>(positions_.size() / dimension_);
      const auto [known, added] = known_.emplace(key, next);
      rows[i] = known->second;
      if (!added) continue;
      positions_.insert(positions_.end(), position.begin(), position.end());
      for (std::size_t shape = 0; shape < offsets.shapes(); ++shape) moved_[shape].add(next, offsets.row(shape, i));
      if (part_.skinned) add_influences(influences[i]);
    }
    return rows;
  }

  void add_influences(const InfluenceRow& list) {
    const std::size_t kept = most_ == 0 ? list.size() : std::min(most_, list.size());
    const double some = sum_of(std::span(list).first(kept));
    const double share = kept == list.size() || some == 0 ? 1 : sum_of(list) / some;
    for (const auto& [group, weight] : std::span(list).first(kept)) {
      slots_.push_back(group);
      weights_.push_back(static_cast<float>(weight * share));
    }
    first_.push_back(static_cast<std::uint32_t>(slots_.size()));
  }

  std::vector<InfluenceRow> influences_of(const VertexBlock& block, Index number) {
    std::vector<InfluenceRow> influences(part_.skinned ? block.vertices : 0);
    if (!part_.skinned) return influences;
    const InfluenceTable stored(block.influences);
    for (Index row = 0; row < stored.size(); ++row) {
      InfluenceRow list(stored[row].begin(), stored[row].end());
      if (const double sum = sum_of(list); std::abs(sum - 1) > even) result_.uneven.push_back({number, row, sum});
      std::erase_if(list, [](const Influence& entry) { return entry.weight == 0; });
      for (Influence& entry : list) entry.slot = groups_[entry.slot];
      list = without_repeats(list);
      for (Influence& entry : list) entry.weight = static_cast<double>(static_cast<float>(entry.weight));
      std::erase_if(list, [](const Influence& entry) { return entry.weight == 0; });
      std::ranges::sort(list, is_stronger);
      influences[row] = std::move(list);
    }
    return influences;
  }

  [[nodiscard]] Attribute by_corner(const Attribute& attribute, std::size_t rows, const std::vector<std::uint32_t>& corners) const {
    const std::vector<float> values = attribute.values.read<float>();
    const std::size_t width = attribute.values.width();
    const OffsetRows offsets(attribute, source_.shapes.size(), rows);
    std::vector<float> laid;
    laid.reserve(corners.size() * width);
    std::vector<Moved> moved(source_.shapes.size());
    for (std::uint32_t corner = 0; corner < corners.size(); ++corner) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(corners[corner] * width);
      laid.insert(laid.end(), from, from + static_cast<std::ptrdiff_t>(width));
      for (std::size_t shape = 0; shape < moved.size(); ++shape) moved[shape].add(corner, offsets.row(shape, corners[corner]));
    }
    Attribute added;
    added.semantic = attribute.semantic;
    added.values = Array::own(std::move(laid), width);
    added.offsets = as_offsets(std::move(moved), width);
    return added;
  }

  /// Transforms texture coordinates. Offsets of blend shapes ignore the translation.
  static void bake(const std::array<double, 9>& transform, Attribute& places) {
    if (transform == gltf::TextureCoordinates().transform || places.values.width() != 2) return;
    const auto moved = [&](const Array& array, double one) {
      std::vector<float> rows = array.read<float>();
      for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
        const double u = static_cast<double>(rows[i]), v = static_cast<double>(rows[i + 1]);
        rows[i] = static_cast<float>(transform[0] * u + transform[3] * v + transform[6] * one);
        rows[i + 1] = static_cast<float>(transform[1] * u + transform[4] * v + transform[7] * one);
      }
      return Array::own(std::move(rows), 2);
    };
    places.values = moved(places.values, 1);
    for (Offsets& offsets : places.offsets) offsets.values = moved(offsets.values, 0);
  }

  void note_lost(const Attribute& attribute, Index set) {
    if (attribute.semantic == Semantic::tangent) result_.lost.insert("tangents");
    if (attribute.semantic == Semantic::texcoord && attribute.set != set) result_.lost.insert("additional texture coordinates");
    if (attribute.semantic == Semantic::color && attribute.set != 0) result_.lost.insert("additional vertex colours");
    if (attribute.semantic == Semantic::color && !attribute.offsets.empty()) result_.lost.insert("blend shapes of vertex colours");
    if (attribute.semantic == Semantic::custom) result_.lost.insert("the attribute " + attribute.custom);
  }

  const Mesh& source_;
  const MeshPart& part_;
  std::span<const Index> groups_;
  std::span<const gltf::TextureCoordinates> maps_;
  std::size_t dimension_;
  std::size_t most_;
  G4mfMesh result_;
  std::unordered_map<std::string, std::uint32_t> known_;
  std::vector<float> positions_;
  std::vector<Moved> moved_;
  std::vector<std::uint32_t> first_, slots_;
  std::vector<float> weights_;
};

}  // namespace

std::vector<MeshPart> parts_of(const Mesh& mesh, bool skinned) {
  std::vector<MeshPart> parts;
  std::map<bool, std::size_t> by_skin;
  for (Index i = 0; i < mesh.surfaces.size(); ++i) {
    const bool bound = skinned && !mesh.blocks[mesh.surfaces[i].block].influences.empty();
    if (mesh.surfaces[i].primitive == Primitive::points) {
      parts.push_back({{i}, bound});
      continue;
    }
    const auto [known, added] = by_skin.emplace(bound, parts.size());
    if (added) parts.push_back({{}, bound});
    parts[known->second].surfaces.push_back(i);
  }
  if (parts.empty()) parts.emplace_back();
  return parts;
}

G4mfMesh g4mf_mesh(const Mesh& mesh, const MeshPart& part, std::span<const Index> groups, std::span<const gltf::TextureCoordinates> maps,
                   std::size_t dimension, std::size_t most) {
  return Builder(mesh, part, groups, maps, dimension, most).run();
}

}  // namespace sinew::operations

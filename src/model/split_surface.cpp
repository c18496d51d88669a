// SPDX-License-Identifier: MIT
#include "model/split_surface.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/guard.hpp"
#include "model/narrowed.hpp"
#include "model/rows_of.hpp"

namespace sinew {
namespace {

using Rows = std::vector<std::uint32_t>;

/// Sums sparse offsets by row, because a row may occur twice.
std::map<std::uint32_t, std::vector<double>> sums_of(const Offsets& offsets) {
  std::map<std::uint32_t, std::vector<double>> sums;
  const Rows rows = offsets.indices.read<std::uint32_t>();
  const std::vector<double> values = offsets.values.read<double>();
  const std::size_t width = offsets.values.width();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<double>& sum = sums.try_emplace(rows[i], width, 0.0).first->second;
    for (std::size_t c = 0; c < width; ++c) sum[c] += values[i * width + c];
  }
  std::erase_if(sums, [](const auto& entry) { return std::ranges::all_of(entry.second, [](double value) { return value == 0; }); });
  return sums;
}

/// Numbers the rows of an attribute by their offsets: equal offsets have equal numbers; 0 without offsets.
Rows kinds_of_offsets(const Attribute& attribute, std::size_t rows) {
  std::vector<std::string> texts(rows);
  for (const Offsets& offsets : attribute.offsets) {
    const auto append = [&](std::size_t row, const double* values, std::size_t width) {
      texts[row].append(reinterpret_cast<const char*>(&offsets.shape), sizeof(offsets.shape));
      texts[row].append(reinterpret_cast<const char*>(values), width * sizeof(double));
    };
    if (offsets.sparse()) {
      for (const auto& [row, sum] : sums_of(offsets)) append(row, sum.data(), sum.size());
    } else {
      const std::vector<double> values = offsets.values.read<double>();
      const std::size_t width = offsets.values.width();
      for (std::size_t row = 0; row < rows; ++row) append(row, &values[row * width], width);
    }
  }
  std::unordered_map<std::string_view, std::uint32_t> known{{"", 0}};
  Rows kinds(rows);
  for (std::size_t row = 0; row < rows; ++row)
    kinds[row] = known.emplace(texts[row], static_cast<std::uint32_t>(known.size())).first->second;
  return kinds;
}

/// One row of numbers per corner: its vertex, and the bits of everything stored for it. Equal rows become one vertex.
class CornerKeys {
 public:
  CornerKeys(const Rows& vertices, const std::vector<Attribute>& attributes) : width_(1) {
    for (const Attribute& attribute : attributes) width_ += attribute.values.width() + (attribute.offsets.empty() ? 0 : 1);
    words_.resize(vertices.size() * width_);
    for (std::size_t i = 0; i < vertices.size(); ++i) words_[i * width_] = vertices[i];
    std::size_t column = 1;
    for (const Attribute& attribute : attributes) {
      const std::vector<float> values = attribute.values.read<float>();
      const Rows index = attribute.index.read<std::uint32_t>();
      const std::size_t width = attribute.values.width();
      const auto row_of = [&](std::size_t corner) { return index.empty() ? corner : index[corner]; };
      for (std::size_t i = 0; i < vertices.size(); ++i)
        std::memcpy(&words_[i * width_ + column], &values[row_of(i) * width], width * sizeof(float));
      column += width;
      if (attribute.offsets.empty()) continue;
      const Rows kinds = kinds_of_offsets(attribute, attribute.values.size());
      for (std::size_t i = 0; i < vertices.size(); ++i) words_[i * width_ + column] = kinds[row_of(i)];
      ++column;
    }
  }

  /// Finds the first corner of each kind, and for each corner the number of its kind.
  void group(Rows& firsts, Rows& places) const {
    std::unordered_map<std::string_view, std::uint32_t> seen;
    const std::size_t corners = words_.size() / width_;
    seen.reserve(corners);
    for (std::size_t corner = 0; corner < corners; ++corner) {
      const std::string_view key(reinterpret_cast<const char*>(&words_[corner * width_]), width_ * sizeof(std::uint32_t));
      const auto [found, added] = seen.emplace(key, static_cast<std::uint32_t>(firsts.size()));
      if (added) firsts.push_back(static_cast<std::uint32_t>(corner));
      places.push_back(found->second);
    }
  }

 private:
  std::size_t width_;
  Rows words_;
};

Offsets gathered(const Offsets& offsets, std::span<const std::uint32_t> rows) {
  Offsets made{offsets.shape, {}, {}, offsets.sparse()};
  if (!offsets.sparse()) {
    made.values = rows_of(offsets.values, rows);
    return made;
  }
  const auto sums = sums_of(offsets);
  Rows named;
  std::vector<float> values;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const auto found = sums.find(rows[i]);
    if (found == sums.end()) continue;
    named.push_back(i);
    for (const double value : found->second) values.push_back(static_cast<float>(value));
  }
  made.indices = Array::own(std::move(named), 1);
  made.values = Array::own(std::move(values), offsets.values.width());
  return made;
}

Attribute gathered(const Attribute& attribute, Rows rows) {
  if (!attribute.index.empty()) {
    const Rows index = attribute.index.read<std::uint32_t>();
    for (std::uint32_t& row : rows) row = index[row];
  }
  Attribute made{attribute.semantic, attribute.set, attribute.custom, rows_of(attribute.values, rows), {}, {}};
  for (const Offsets& offsets : attribute.offsets) made.offsets.push_back(gathered(offsets, rows));
  return made;
}

Influences gathered(const Influences& influences, std::span<const std::uint32_t> rows) {
  Influences made;
  made.divide_by_sum = influences.divide_by_sum;
  for (const Influences::Set& set : influences.sets) made.sets.push_back({rows_of(set.joints, rows), rows_of(set.weights, rows)});
  if (influences.first.empty()) return made;
  Rows entries;
  made.first.push_back(0);
  for (const std::uint32_t row : rows) {
    for (std::uint32_t entry = influences.first[row]; entry < influences.first[row + 1]; ++entry) entries.push_back(entry);
    made.first.push_back(static_cast<std::uint32_t>(entries.size()));
  }
  made.slots = rows_of(influences.slots, entries);
  made.weights = rows_of(influences.weights, entries);
  return made;
}

/// The origin of each new vertex.
struct NewVertices {
  Rows vertices;  ///< of the block
  Rows corners;   ///< of the surface
  Rows places;    ///< of each corner the new vertex
};

void sort_by_vertex(NewVertices& made) {
  Rows order(made.vertices.size()), place_of(made.vertices.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t place) { return std::pair(made.vertices[place], place); });
  NewVertices sorted;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    sorted.vertices.push_back(made.vertices[order[i]]);
    sorted.corners.push_back(made.corners[order[i]]);
    place_of[order[i]] = i;
  }
  for (const std::uint32_t place : made.places) sorted.places.push_back(place_of[place]);
  made = std::move(sorted);
}

}  // namespace

VertexBlock split_surface(const Mesh& mesh, std::size_t dimension, VertexOrder order, Surface& surface,
                          std::span<const std::uint32_t> loose) {
  const VertexBlock& from = mesh.blocks[surface.block];
  const Elements elements = need(elements_of(mesh, surface, dimension));
  NewVertices made;
  CornerKeys(elements.indices, surface.attributes).group(made.corners, made.places);
  for (const std::uint32_t corner : made.corners) made.vertices.push_back(elements.indices[corner]);
  if (!elements.indices.empty()) {
    made.vertices.insert(made.vertices.end(), loose.begin(), loose.end());
    made.corners.resize(made.vertices.size(), 0);
  }
  if (order == VertexOrder::stored) sort_by_vertex(made);

  VertexBlock block;
  block.vertices = made.vertices.size();
  for (const Attribute& attribute : from.attributes)
    if (find_attribute(surface.attributes, attribute.semantic, attribute.set) == nullptr)
      block.attributes.push_back(gathered(attribute, made.vertices));
  for (const Attribute& attribute : surface.attributes) block.attributes.push_back(gathered(attribute, made.corners));
  block.influences = gathered(from.influences, made.vertices);
  surface.attributes.clear();
  surface.primitive = elements.corners == 1 ? Primitive::points : elements.corners == 2 ? Primitive::lines : Primitive::simplexes;
  surface.indexed = true;
  surface.elements = narrowed_indices(std::move(made.places));
  return block;
}

}  // namespace sinew

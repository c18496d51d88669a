// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "base/message.hpp"
#include "math/length.hpp"
#include "model/edit_reporter.hpp"
#include "model/surfaces_of_blocks.hpp"
#include "operations/repair/mend_normals.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {
namespace {

constexpr double vector_tolerance = 0.00674;  // of the validator: vectors of bytes are not more exact

struct VectorTally {
  std::size_t lengths = 0, zeros = 0, signs = 0;
  double worst = 1;
};

/// Returns the factor per row of `values` that gives its first `width` columns length 1; empty: all are correct.
std::vector<double> factors_of(std::span<const double> values, std::size_t columns, std::size_t width, VectorTally& tally) {
  std::vector<double> factors;
  for (std::size_t row = 0; row * columns < values.size(); ++row) {
    const double length = length_of(values.subspan(row * columns, width));
    if (std::abs(length - 1) <= vector_tolerance || !(length > 0) || !std::isfinite(length)) continue;
    factors.resize(values.size() / columns, 1);
    factors[row] = 1 / length;
    ++tally.lengths;
    if (std::abs(length - 1) > std::abs(tally.worst - 1)) tally.worst = length;
  }
  return factors;
}

/// Multiplies the rows of the values by the factors of the rows in `indices`; without indices, of the same rows.
Array scaled(const Array& array, const Array& indices, const std::vector<double>& factors) {
  std::vector<double> values = array.read<double>();
  const auto named = indices.read<std::uint32_t>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / array.width(), of = named.empty() ? row : named[row];
    if (of < factors.size()) values[i] *= factors[of];
  }
  return stored_like(values, array);
}

void scale_rows(Attribute& attribute, const std::vector<double>& factors) {
  for (Offsets& offsets : attribute.offsets)
    if (!offsets.values.empty()) offsets.values = scaled(offsets.values, offsets.sparse() ? offsets.indices : Array(), factors);
}

/// Normalises directions of `width` columns; tangents have a sign after them.
bool repair_directions(Attribute& attribute, std::size_t width, VectorTally& tally) {
  const Array& array = attribute.values;
  if (array.width() < width) return false;
  std::vector<double> values = array.read<double>();
  const std::vector<double> factors = factors_of(values, array.width(), width, tally);
  for (std::size_t row = 0; row < array.size(); ++row) {
    const std::span<double> vector = std::span(values).subspan(row * array.width(), array.width());
    for (std::size_t c = 0; c < width && !factors.empty(); ++c) vector[c] *= factors[row];
    if (attribute.semantic != Semantic::tangent || vector.size() != 4 || std::abs(vector[3]) == 1) continue;
    vector[3] = vector[3] < 0 ? -1 : 1;
    ++tally.signs;
  }
  if (factors.empty() && tally.signs == 0) return false;
  attribute.values = stored_like(values, array);
  if (!factors.empty()) scale_rows(attribute, factors);
  return true;
}

/// Replaces glTF normals of length 0 by those of their triangles.
bool repair_zero_normals(const BlockOf& of, Attribute& attribute, VectorTally& tally) {
  const Attribute* const positions = find_attribute(of.mesh.blocks[of.block].attributes, Semantic::position);
  if (positions == nullptr || positions->values.width() != 3 || attribute.values.width() != 3) return false;
  std::vector<float> normals = attribute.values.read<float>();
  const Rows rows{normals, 3};
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (vanished(rows[row])) ++tally.zeros;
  if (tally.zeros == 0) return false;
  std::vector<float> places = positions->values.read<float>();
  mend_normals(of, {places, 3}, rows);
  attribute.values = stored_like({normals.begin(), normals.end()}, attribute.values);
  return true;
}

void add_vectors(const Attribute& attribute, WorkMeter& work) {
  constexpr std::uint64_t steps_per_value = 4;
  work.add(steps_per_value * attribute.values.size() * attribute.values.width(), "the normals and tangents of all surfaces");
}

std::string text_of(const Attribute& attribute, const VectorTally& tally) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += text.empty() ? part : "; " + part; };
  const std::string_view noun = attribute.semantic == Semantic::tangent ? "tangent" : "normal";
  if (tally.lengths != 0)
    add(format_text("normalized {}; the worst length was {:.6g}", count_of(tally.lengths, noun, format_text("{}s", noun)), tally.worst));
  if (tally.zeros != 0) add(format_text("computed {} of length 0 from the triangles", count_of(tally.zeros, "normal", "normals")));
  if (tally.signs != 0) add(format_text("set the w of {} to 1 or -1", count_of(tally.signs, "tangent", "tangents")));
  return text;
}

void repair_attribute(Attribute& attribute, std::size_t dimension, SourceId at, const EditReporter& changes, WorkMeter& work) {
  if (attribute.semantic != Semantic::normal && attribute.semantic != Semantic::tangent) return;
  add_vectors(attribute, work);
  VectorTally tally;
  if (repair_directions(attribute, attribute.semantic == Semantic::tangent ? 3 : dimension, tally))
    changes.changed(at, text_of(attribute, tally));
}

/// Returns whether the surfaces of a block have no defect.
bool is_sound(const BlockOf& of) {
  const VertexBlock& block = of.mesh.blocks[of.block];
  const auto broken = [](const Surface* surface) { return surface->defect != none; };
  const auto short_of = [&](const Attribute& attribute) { return attribute.values.size() != block.vertices; };
  return std::ranges::none_of(of.surfaces, broken) && std::ranges::none_of(block.attributes, short_of);
}

Offsets in_order(const Offsets& offsets) {
  const auto rows = offsets.indices.read<std::uint32_t>();
  const std::size_t width = offsets.values.width();
  const auto values = offsets.values.read<double>();
  std::map<std::uint32_t, std::vector<double>> sums;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<double>& sum = sums.try_emplace(rows[i], width).first->second;
    for (std::size_t c = 0; c < width; ++c) sum[c] += values[i * width + c];
  }
  std::vector<std::uint32_t> ordered;
  std::vector<double> moved;
  for (const auto& [row, sum] : sums) {
    ordered.push_back(row);
    moved.insert(moved.end(), sum.begin(), sum.end());
  }
  Offsets made = offsets;
  made.indices = Array::own(std::move(ordered), 1);
  made.values = stored_like(moved, offsets.values);
  return made;
}

}  // namespace

void repair_vectors(Model& model, Index index, const EditReporter& changes, WorkMeter& work) {
  Mesh& mesh = model.meshes[index];
  const SurfacesOfBlocks surfaces = surfaces_of_blocks(mesh);
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const BlockOf block{mesh, b, model.dimension, surfaces[b]};
    if (!is_sound(block)) continue;
    const SourceId at = surfaces[b].empty() ? mesh.source : surfaces[b].front()->source;
    for (Attribute& attribute : mesh.blocks[b].attributes) {
      VectorTally tally;
      if (attribute.semantic == Semantic::normal) add_vectors(attribute, work);
      if (attribute.semantic == Semantic::normal && model.dimension == 3 && repair_zero_normals(block, attribute, tally))
        changes.changed(at, text_of(attribute, tally));
      repair_attribute(attribute, model.dimension, at, changes, work);
    }
  }
  for (Surface& surface : mesh.surfaces) {
    if (surface.defect != none) continue;
    for (Attribute& attribute : surface.attributes) repair_attribute(attribute, model.dimension, surface.source, changes, work);
    if (!surface.topology) continue;
    for (Attribute& attribute : surface.topology->attributes) repair_attribute(attribute, model.dimension, surface.source, changes, work);
  }
}

bool SortedOffsets::sort(Offsets& offsets) {
  if (!offsets.sparse()) return false;
  const bool unsorted = unsorted_.of(offsets.indices, 0, [&] {
    const auto rows = offsets.indices.read<std::uint32_t>();
    return std::ranges::adjacent_find(rows, std::greater_equal<>()) != rows.end();
  });
  if (!unsorted) return false;
  const std::vector<ArrayKey> key{ArrayKey(offsets.indices), ArrayKey(offsets.values)};
  auto known = sorted_.find(key);
  if (known == sorted_.end()) {
    constexpr std::uint64_t steps_per_row = 40;
    work_.add(steps_per_row * offsets.indices.size(), "the offsets of all blend shapes");
    known = sorted_.emplace(key, Sorted{offsets, in_order(offsets)}).first;
  }
  offsets.indices = known->second.made.indices;
  offsets.values = known->second.made.values;
  return true;
}

void repair_offsets(Mesh& mesh, const EditReporter& changes, SortedOffsets& of_all) {
  std::size_t sorted = 0;
  const auto sort_all = [&](std::vector<Attribute>& attributes) {
    for (Attribute& attribute : attributes)
      for (Offsets& offsets : attribute.offsets) sorted += of_all.sort(offsets) ? 1 : 0;
  };
  for (VertexBlock& block : mesh.blocks) sort_all(block.attributes);
  for (Surface& surface : mesh.surfaces) {
    sort_all(surface.attributes);
    if (surface.topology) sort_all(surface.topology->attributes);
  }
  if (sorted != 0)
    changes.changed(mesh.source, format_text("sorted the offsets of {}, each row once", count_of(sorted, "blend target", "blend targets")));
}

}  // namespace sinew::operations

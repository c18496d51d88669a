// SPDX-License-Identifier: MIT
#include "g4mf/schema/data/transforms.hpp"

#include <cmath>

#include "base/guard.hpp"

#include "sinew/geometry.hpp"

namespace sinew::g4mf {

namespace {

using Numbers = SmallVector<double, 16>;

constexpr double tolerance = 1e-3;  // for a rotor's length and for the conditions that make it a rotation

// Above four dimensions rotor_defect measures how much lengths change, which is the square of the rotor's own error.
bool is_rotation(std::size_t dimension, const Numbers& rotor) {
  return need(rotor_defect(dimension, rotor)) <= (dimension > 4 ? tolerance * tolerance : tolerance);
}

// Returns the orthogonal factor of a matrix by Newton's iteration X ← (X + X⁻ᵀ) / 2 (Higham 1986), or the identity if it is singular.
Affine nearest_rotation(std::size_t dimension, std::span<const double> matrix) {
  Affine map(dimension);
  for (std::size_t i = 0; i < matrix.size(); ++i) map(i % dimension, i / dimension) = matrix[i];
  for (int step = 0; step < 30; ++step) {
    const auto inverted = inverse(map);
    if (!inverted) return Affine(dimension);
    for (std::size_t i = 0; i < dimension; ++i)
      for (std::size_t j = 0; j < dimension; ++j) map(i, j) = (map(i, j) + (*inverted)(j, i)) / 2;
  }
  return map;
}

Checked<> read_rotor(Reader& reader, JsonValue value, Numbers rotor, LocalTransform& local) {
  const std::size_t dimension = reader.dimension();
  if (!is_rotor_length(dimension, rotor.size()))
    return reader.refuse("G4MF_NODE_ROTOR_LENGTH"_code, value, rotor.size(), rotor_size_bivector(dimension), rotor_size(dimension));
  for (const JsonValue number : value.elements())
    if (!(std::abs(number.number().value_or(0)) <= 1)) reader.report("G4MF_NODE_ROTOR_RANGE"_code, number);
  double length = 0;
  for (const double x : rotor) length = std::hypot(length, x);
  if (!normalize_rotor(rotor)) {
    if (!reader.forced()) return reader.refuse("G4MF_NODE_ROTOR_ZERO"_code, value);
    reader.report("G4MF_NODE_ROTOR_ZERO"_code, value);
    return {};
  }
  if (std::abs(length - 1) > tolerance) reader.report("G4MF_NODE_ROTOR_NOT_UNIT"_code, {std::abs(length - 1), "rotors"}, value, length);
  if (is_rotation(dimension, rotor)) {
    if (dimension >= 2) local.rotor.assign(std::span<const double>(rotor));
    return {};
  }
  if (!reader.forced()) return reader.refuse("G4MF_NODE_ROTOR_NOT_ROTATION"_code, value);
  reader.report("G4MF_NODE_ROTOR_NOT_ROTATION"_code, value);
  std::vector<double> matrix(dimension * dimension);
  need(matrix_from_rotor(dimension, rotor, matrix));
  local.basis.assign(nearest_rotation(dimension, matrix).values().first(matrix.size()));
  return {};
}

// One number for all axes, or one per axis. Zero and negative scales can be used.
Checked<> read_scale(Reader& reader, JsonValue value, const Numbers& scale, LocalTransform& local) {
  const std::size_t dimension = reader.dimension();
  if (scale.size() != 1 && scale.size() != dimension) return reader.refuse("G4MF_NODE_SCALE_LENGTH"_code, value, scale.size(), dimension);
  for (const JsonValue number : value.elements())
    if (!(number.number().value_or(0) > 0)) reader.report("G4MF_NODE_SCALE_NOT_POSITIVE"_code, number);
  if (scale.size() == dimension)
    local.scale.assign(std::span<const double>(scale));
  else
    local.scale.assign(dimension, scale[0]);
  if (local.basis.empty()) return {};
  for (std::size_t i = 0; i < local.basis.size(); ++i) local.basis[i] *= local.scale[i / dimension];
  local.scale.clear();
  return {};
}

}  // namespace

Checked<LocalTransform> read_transform(Reader& reader, const NodeObject& object) {
  LocalTransform local;
  const std::size_t dimension = reader.dimension();
  if (const JsonValue value = object["position"]) {
    const Numbers position = object.numbers("position");
    if (position.size() != dimension) return reader.refuse("G4MF_NODE_POSITION_LENGTH"_code, value, position.size(), dimension);
    local.translation.assign(std::span<const double>(position));
  }
  const JsonValue rotor = object["rotor"], scale = object["scale"];
  if (const JsonValue value = object["basis"]) {
    if (rotor) reader.report("G4MF_NODE_BASIS_WITH_ROTOR"_code, object.value());
    if (scale) reader.report("G4MF_NODE_BASIS_WITH_SCALE"_code, object.value());
    const Numbers basis = object.numbers("basis");
    if (basis.size() != dimension * dimension)
      return reader.refuse("G4MF_NODE_BASIS_LENGTH"_code, value, basis.size(), dimension * dimension);
    local.basis.assign(std::span<const double>(basis));
    if (!inverse(affine_of(dimension, local))) reader.report("G4MF_NODE_BASIS_SINGULAR"_code, value);
    return local;
  }
  if (rotor)
    if (auto read = read_rotor(reader, rotor, object.numbers("rotor"), local); !read) return Refused(read.error());
  if (scale)
    if (auto read = read_scale(reader, scale, object.numbers("scale"), local); !read) return Refused(read.error());
  return local;
}

}  // namespace sinew::g4mf

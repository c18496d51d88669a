// SPDX-License-Identifier: MIT
#include "g4mf/write/stored_form.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/geometry.hpp"

namespace sinew::g4mf {

namespace {

constexpr double tolerance = 1e-6;  // of a rotor's length: readers make it 1

template <class Numbers>
bool all_equal(const Numbers& numbers, double value) {
  return std::ranges::all_of(numbers, [value](double number) { return number == value; });
}

bool is_identity(std::span<const double> matrix, std::size_t dimension) {
  for (std::size_t i = 0; i < matrix.size(); ++i)
    if (matrix[i] != (i % (dimension + 1) == 0 ? 1 : 0)) return false;
  return true;
}

bool is_unit_rotation(std::size_t dimension, std::span<const double> rotor) {
  double length = 0;
  for (const double x : rotor) length = std::hypot(length, x);
  return std::abs(length - 1) <= tolerance && rotor_defect(dimension, rotor) <= tolerance;
}

}  // namespace

LocalTransform stored_form(std::size_t dimension, const LocalTransform& local) {
  LocalTransform stored = local;
  if (all_equal(stored.translation, 0)) stored.translation.clear();
  if (stored.basis.empty()) {
    if (all_equal(stored.scale, 1)) stored.scale.clear();
    const bool turned = !stored.rotor.empty() && (std::abs(stored.rotor[0] - 1) > 0 || !all_equal(std::span(stored.rotor).subspan(1), 0));
    if (!turned) stored.rotor.clear();
    const bool positive = std::ranges::all_of(stored.scale, [](double factor) { return factor > 0; });
    if (positive && (!turned || (dimension < 7 && is_unit_rotation(dimension, stored.rotor)))) return stored;
    stored.basis.assign(affine_of(dimension, local).values().first(dimension * dimension));
    stored.rotor.clear();
    stored.scale.clear();
  }
  if (is_identity(stored.basis, dimension)) stored.basis.clear();
  return stored;
}

}  // namespace sinew::g4mf

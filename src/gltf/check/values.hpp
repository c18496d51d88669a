// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "gltf/check/checker.hpp"

#include "sinew/array.hpp"

namespace sinew::gltf {

/// Returns the values of a cubic spline without their tangents.
[[nodiscard]] Array middle_values(const Array& values);

// Rules about the values of accessors, by usage. Each call scans the values once and reports violations at `at`.

/// Checks that normals, or the first three components of tangents, have unit length. Returns whether all do.
bool check_unit_vectors(Checker& checker, JsonValue at, const Array& values);
/// Checks that the w of tangents is 1 or -1.
bool check_signs(Checker& checker, JsonValue at, const Array& values);
/// Checks that colours stored as floats are between 0 and 1.
bool check_clamped(Checker& checker, JsonValue at, const Array& values);
/// Checks that rotations have unit length. `cubic`: checks the middle one of the three values of each key.
bool check_quaternions(Checker& checker, JsonValue at, const Array& values, bool cubic);
/// Checks that keys are not negative and strictly increase. Returns whether all do.
bool check_keys(Checker& checker, JsonValue at, const Array& values);

/// Checks that the elements of an index accessor (unsigned integers) are below the number of vertices.
void check_vertex_indices(Checker& checker, JsonValue at, const Array& indices, std::size_t vertices);
/// Reports the largest value of the type, which means a primitive restart in graphics libraries.
void check_restart(Checker& checker, JsonValue at, const Array& indices);
/// Reports triangles that use a vertex twice.
void check_degenerate(Checker& checker, JsonValue at, const Array& indices);

/// A set of influences of a primitive: JOINTS_n and WEIGHTS_n.
struct InfluenceSet {
  JsonValue joints_at, weights_at;  ///< the attributes
  Array joints, weights;
};
/// Checks the influences of all vertices against a skin. Precondition: equally many rows of four.
void check_influences(Checker& checker, std::span<const InfluenceSet> sets, Index skin, std::size_t joints);

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "gltf/check/checker.hpp"

#include "sinew/array.hpp"

namespace sinew::gltf {

// The rules about values of accessors, by what they are used for. Each call scans the values once and reports what is wrong at `at`.

/// Normals, and the first three components of tangents: of unit length. Returns whether all are.
bool check_unit_vectors(Checker& checker, JsonValue at, const Array& values);
/// The w of tangents: 1 or -1.
bool check_signs(Checker& checker, JsonValue at, const Array& values);
/// Colours of floats: between 0 and 1.
bool check_clamped(Checker& checker, JsonValue at, const Array& values);
/// Rotations: of unit length. Of the three values that a key of a cubic spline has, the one in the middle.
bool check_quaternions(Checker& checker, JsonValue at, const Array& values, bool cubic);
/// Keys: 0 or later, each later than the one before. Returns whether all are.
bool check_keys(Checker& checker, JsonValue at, const Array& values);

/// Elements of an index accessor (unsigned integers) that are no vertex.
void check_vertex_indices(Checker& checker, JsonValue at, const Array& indices, std::size_t vertices);
/// Elements that mean a primitive restart in graphics libraries: the largest value of their type.
void check_restart(Checker& checker, JsonValue at, const Array& indices);
/// Triangles that name a vertex twice.
void check_degenerate(Checker& checker, JsonValue at, const Array& indices);

/// One set of influences of a primitive: JOINTS_n and WEIGHTS_n.
struct InfluenceSet {
  JsonValue joints_at, weights_at;  ///< the attributes
  Array joints, weights;
};
/// The influences of all vertices against a skin. Precondition: all arrays have the same number of rows of four. Returns whether a joint
/// is not in the skin.
bool check_influences(Checker& checker, std::span<const InfluenceSet> sets, Index skin, std::size_t joints);

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include "state.hpp"

#include "sinew/compare.hpp"

// The members of results that are parts of several others.

namespace python {

PYTHON_MEMBERS(sinew::Position, line, column, byte);
PYTHON_MEMBERS(sinew::Measure, off, of);
PYTHON_MEMBERS(sinew::Finding, code, severity, pointer, offset, message, measure, position, value);
PYTHON_MEMBERS(sinew::Instance, node, mesh, skin, visible, copy);
PYTHON_MEMBERS(sinew::NotCovered, pointer, what, effect, differs, lost);

PYTHON_MEMBERS(sinew::operations::Distance, max, rms, measured, seconds, vertex_a, vertex_b);
PYTHON_MEMBERS(sinew::operations::Part, kind, a, b, name, distance);
PYTHON_MEMBERS(sinew::operations::Alone, kind, index, node, name);
PYTHON_MEMBERS(sinew::operations::EveryPose, why_not, bound, difference);
PYTHON_MEMBERS(sinew::operations::AttributeDifference, name, max, vertex_a, vertex_b, why_not);
PYTHON_MEMBERS(sinew::operations::FarVertex, vertex_a, vertex_b, distance, part, seconds, joint, joint_name);
PYTHON_MEMBERS(sinew::operations::TriangleDifference, a, b, only_a, only_b);
PYTHON_MEMBERS(sinew::operations::InstancePair::Hidden, clip, seconds, in_a);
PYTHON_MEMBERS(sinew::operations::InstancePair, a, b, name, vertices_a, vertices_b, pairing, why_not, pairs, unpaired_a, unpaired_b, apart,
               apart_max, parts, every_pose, attributes, triangles, worst_vertices, distances, hidden);
PYTHON_MEMBERS(sinew::operations::Comparison, diagonal, instances, only_a, only_b, not_covered, why_not);

}  // namespace python

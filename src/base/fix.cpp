// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iterator>

#include "sinew/result.hpp"

namespace sinew {

namespace {

constexpr std::string_view repair = "sinew repair IN -o OUT";

struct Fix {
  std::string_view code;
  std::string_view command;
};
// tests/cli/test_fixes.py runs each command on a file that has the finding.
constexpr auto fixes = std::to_array<Fix>({
    {"ACCESSOR_WEIGHTS_NON_NORMALIZED", repair},
    {"ACCESSOR_WEIGHTS_NEGATIVE", repair},
    {"ACCESSOR_JOINTS_INDEX_DUPLICATE", repair},
    {"ACCESSOR_JOINTS_USED_ZERO_WEIGHT", repair},
    {"ACCESSOR_JOINTS_INDEX_OOB", repair},
    {"SINEW_WEIGHTS_ZERO", repair},
    {"ACCESSOR_VECTOR3_NON_UNIT", repair},
    {"ACCESSOR_INVALID_SIGN", repair},
    {"ROTATION_NON_UNIT", repair},
    {"ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION", repair},
    {"SKIN_SKELETON_INVALID", repair},
    {"ACCESSOR_INVALID_IBM", repair},
    {"GLTF_BIND_MATRICES_BY_ROWS", repair},
    {"SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE", repair},
    {"STAIK_IBM_LAST_ROW", repair},
    {"NODE_MATRIX_TRS", repair},
    {"NODE_WEIGHTS_INVALID", repair},
    {"MESH_INVALID_WEIGHTS_COUNT", repair},
    {"MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", repair},
    {"ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", repair},
    {"ACCESSOR_MIN_MISMATCH", repair},
    {"ACCESSOR_MAX_MISMATCH", repair},
    {"ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND", repair},
    {"ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", repair},
    {"MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE", repair},
    {"ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE", repair},
    {"G4MF_SKIN_WEIGHTS_SUM", repair},
    {"G4MF_SKIN_WEIGHTS_SUM_ZERO", repair},
    {"G4MF_SKIN_WEIGHT_ZERO", repair},
    {"G4MF_SKIN_WEIGHTS_NOT_DESCENDING", repair},
    {"G4MF_SKIN_VERTICES_NOT_ASCENDING", repair},
    {"G4MF_SKIN_GROUP_DUPLICATE", repair},
    {"G4MF_SKIN_GROUP_NOT_BOUND", repair},
    {"G4MF_SKIN_GROUP_NAME_DUPLICATE", repair},
    {"G4MF_SKIN_GROUP_NAME_EMPTY", repair},
    {"G4MF_SKELETON_JOINTS_NOT_INCREASING", repair},
    {"G4MF_SKELETON_JOINT_PARENT_AFTER_CHILD", repair},
    {"G4MF_SKELETON_ROOT_BONE_NOT_FIRST_CHILD", repair},
    {"G4MF_SKELETON_ROOT_BONE_NOT_FIRST_JOINT", repair},
    {"G4MF_NODE_ROTOR_NOT_UNIT", repair},
    {"G4MF_NODE_BASIS_WITH_ROTOR", repair},
    {"G4MF_NODE_BASIS_WITH_SCALE", repair},
    {"G4MF_SURFACE_NORMALS_NOT_UNIT", repair},
    {"G4MF_SURFACE_NORMALS_BINDING_NOT_UNIT", repair},
    {"G4MF_BLEND_INDEX_DUPLICATE", repair},
    {"G4MF_BLEND_INDICES_NOT_ASCENDING", repair},
    {"G4MF_NAME_NOT_UNIQUE", repair},
    {"G4MF_NAME_FORBIDDEN_CHARACTER", repair},
    {"G4MF_NAME_FORBIDDEN_CHARACTER_2026_07", repair},
    {"G4MF_NAME_CONTROL_CHARACTER", repair},
    {"SINEW_BONE_NAME_DUPLICATE", "sinew repair IN -o OUT --names"},
    {"SINEW_INFLUENCES_MANY", "sinew repair IN -o OUT --max-influences 4"},
});

}  // namespace

std::string_view fix_of(std::string_view code) noexcept {
  const auto row = std::ranges::find(fixes, code, &Fix::code);
  return row == std::end(fixes) ? std::string_view() : row->command;
}

}  // namespace sinew

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iterator>

#include "sinew/result.hpp"

namespace sinew {

namespace {

// One file per part of a format. Tests check that catalogue and explanations have the same codes (tests/unit/base).
constexpr auto explanations = std::to_array<Explanation>({
#include "base/explain/avatar.inc"
#include "base/explain/edit.inc"
#include "base/explain/flex.inc"
#include "base/explain/g4mf_container.inc"
#include "base/explain/g4mf_mesh.inc"
#include "base/explain/g4mf_object.inc"
#include "base/explain/g4mf_rig.inc"
#include "base/explain/gltf_container.inc"
#include "base/explain/gltf_data.inc"
#include "base/explain/gltf_material.inc"
#include "base/explain/gltf_mesh.inc"
#include "base/explain/gltf_node.inc"
#include "base/explain/gltf_object.inc"
#include "base/explain/model.inc"
#include "base/explain/program.inc"
#include "base/explain/skeleton.inc"
#include "base/explain/staik.inc"
});

}  // namespace

const Explanation* explain(std::string_view code) noexcept {
  const auto row = std::ranges::find(explanations, code, &Explanation::code);
  return row == std::end(explanations) ? nullptr : &*row;
}

}  // namespace sinew

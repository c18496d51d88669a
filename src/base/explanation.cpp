// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iterator>

#include "base/catalogue.hpp"

namespace sinew {

namespace {

// One file per part of a format. Sorted by nothing but sense.
constexpr auto explanations = std::to_array<Explanation>({
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
#include "base/explain/staik.inc"
});

consteval bool all_in_catalogue() {
  return std::ranges::all_of(explanations, [](const Explanation& row) {
    return std::ranges::any_of(catalogue, [&](const CatalogueRow& known) { return known.code == row.code; });
  });
}
static_assert(all_in_catalogue(), "an explanation has a code that the catalogue lacks");

}  // namespace

const Explanation* explain(std::string_view code) {
  const auto row = std::ranges::find(explanations, code, &Explanation::code);
  return row == std::end(explanations) ? nullptr : &*row;
}

std::span<const CatalogueRow> all_codes() { return catalogue; }

}  // namespace sinew

// SPDX-License-Identifier: MIT
#include "reports/info_palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "console/need.hpp"

#include "sinew/deform.hpp"

namespace app {

namespace {

using sinew::Affine;
using sinew::Index;
using sinew::Model;

/// Returns an element of the full matrix, with its last row 0 … 0 1.
double element(const Affine& map, std::size_t row, std::size_t column) {
  if (row < map.dimension()) return map(row, column);
  return column == map.dimension() ? 1 : 0;
}

/// Formats the rows of the matrix with six digits per number. Numbers within the rounding of float32 rotations are printed as 0.
std::string matrix_text(const Affine& map) {
  const std::size_t size = map.dimension() + 1;
  double largest = 1;
  for (const double value : map.values()) largest = std::max(largest, std::abs(value));
  const auto number = [&](double value) { return fmt::format("{:.6g}", std::abs(value) < 5e-7 * largest ? 0.0 : value); };
  std::size_t width = 0;
  for (std::size_t row = 0; row < size; ++row)
    for (std::size_t column = 0; column < size; ++column) width = std::max(width, number(element(map, row, column)).size());
  std::string text;
  for (std::size_t row = 0; row < size; ++row) {
    text += "   ";
    for (std::size_t column = 0; column < size; ++column) text += fmt::format(" {:>{}}", number(element(map, row, column)), width);
    text += '\n';
  }
  return text;
}

/// Returns the node of a slot. A slot of −1, and an instance without a skin, follow the instance's node.
Index node_of(const Model& model, const sinew::Instance& instance, std::size_t slot) {
  return instance.skin == sinew::none ? instance.node : model.skins[instance.skin].slots[slot];
}

}  // namespace

sinew::Result<std::vector<InstancePalette>> palettes_of(const Model& model, Index scene, const sinew::Pose& pose) {
  const std::vector<Affine> world = need(sinew::world_transforms(model, pose)),
                            rest = need(sinew::world_transforms(model, model.rest_pose));
  std::vector<InstancePalette> list;
  sinew::deform::Palette palette;
  for (const sinew::Instance& instance : need(sinew::instances(model, scene))) {
    if (auto done = sinew::deform::palette(model, instance, world, rest, palette); !done) return sinew::Unexpected(done.error());
    InstancePalette& row = list.emplace_back(InstancePalette{instance, {}});
    const std::size_t slots = instance.skin == sinew::none ? 1 : model.skins[instance.skin].slots.size();
    for (std::size_t slot = 0; slot < slots; ++slot) row.joints.push_back(palette[slot]);
  }
  return list;
}

std::string palettes_text(const Model& model, const std::vector<InstancePalette>& palettes, const Terminal& terminal) {
  if (palettes.empty()) return "The scene has no mesh instances.\n";
  std::string text;
  const auto named = [&](Index node) { return fmt::format("node {}  {}", node, quoted(model.nodes[node].name)); };
  for (const auto& [instance, joints] : palettes) {
    text += fmt::format("{}  {}\n", terminal.bold(named(instance.node)),
                        instance.skin == sinew::none ? "no skin: moves with its node" : fmt::format("skin {}", instance.skin));
    for (std::size_t slot = 0; slot < joints.size(); ++slot) {
      const Index node = node_of(model, instance, slot);
      if (instance.skin != sinew::none)
        text += fmt::format("  joint {}  {}\n", slot, node == sinew::none ? "(none: stays with the mesh)" : named(node));
      text += matrix_text(joints[slot]);
    }
  }
  return text;
}

Json palettes_json(const Model& model, const std::vector<InstancePalette>& palettes) {
  Json list = Json::array();
  for (const auto& [instance, joints] : palettes) {
    Json slots = Json::array();
    for (std::size_t slot = 0; slot < joints.size(); ++slot) {
      const Index node = node_of(model, instance, slot);
      Json matrix = Json::array();
      for (std::size_t column = 0; column <= model.dimension; ++column)
        for (std::size_t row = 0; row <= model.dimension; ++row) matrix.push_back(element(joints[slot], row, column));
      slots.push_back({{"node", node == sinew::none ? Json(nullptr) : Json(node)},
                       {"name", node == sinew::none ? Json(nullptr) : Json(model.nodes[node].name)},
                       {"matrix", std::move(matrix)}});
    }
    list.push_back({{"node", instance.node},
                    {"name", model.nodes[instance.node].name},
                    {"mesh", instance.mesh},
                    {"skin", instance.skin == sinew::none ? Json(nullptr) : Json(instance.skin)},
                    {"joints", std::move(slots)}});
  }
  return list;
}

}  // namespace app

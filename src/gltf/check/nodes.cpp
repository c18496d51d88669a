// SPDX-License-Identifier: MIT
#include <array>
#include <optional>

#include "gltf/check/checks.hpp"

namespace sinew::gltf {

namespace {

// Reads a list of exactly `count` numbers. Does not use the table, because files often have many nodes.
template <std::size_t count>
std::optional<std::array<double, count>> numbers_of(JsonValue list) {
  if (list.size() != count) return std::nullopt;
  std::array<double, count> numbers;
  std::size_t i = 0;
  for (const JsonValue element : list.elements()) {
    const auto number = element.number();
    if (!number) return std::nullopt;
    numbers[i++] = *number;
  }
  return i == count ? std::optional(numbers) : std::nullopt;
}

// A skin and weights need a mesh.
void check_dependencies(Checker& checker, JsonValue value) {
  const auto object = checker.object<NodeObject>(value);
  for (const NodeObject::Row row : {NodeObject::Row("skin"), NodeObject::Row("weights")})
    if (object.has(row)) checker.report("UNSATISFIED_DEPENDENCY"_code, object[row], "mesh");
}

void check_transform(Checker& checker, JsonValue value) {
  const JsonValue matrix = value["matrix"], rotation = value["rotation"];
  if (const auto numbers = numbers_of<16>(matrix)) check_matrix(checker, matrix, *numbers);
  if (const auto numbers = numbers_of<4>(rotation)) check_rotation(checker, rotation, *numbers);
}

// The node's own transform has no effect on a skinned mesh.
void check_skinned(Checker& checker, JsonValue value, Index node) {
  const Model& model = checker.model();
  const Nodes& nodes = *checker.parsed().nodes;
  const auto moves = [&](Index at) { return !is_identity(model.rest_pose.locals[at]); };
  if (moves(node)) checker.report("NODE_SKINNED_MESH_LOCAL_TRANSFORMS"_code, value);
  if (!nodes.is_child(node)) return;
  Index above = nodes.tree().parent(node);
  while (above != none && !moves(above)) above = nodes.tree().parent(above);
  if (above != none) checker.report("NODE_SKINNED_MESH_PARENT_TRANSFORMS"_code, value, above);
  checker.report("NODE_SKINNED_MESH_NON_ROOT"_code, value);
}

}  // namespace

void check_nodes(Checker& checker) {
  const Model& model = checker.model();
  std::vector<bool> is_joint(model.nodes.size());
  for (const Skin& skin : model.skins)
    for (const Index joint : skin.slots) is_joint[joint] = true;
  Index i = 0;
  for (const JsonValue value : checker.root()["nodes"].elements()) {
    const JsonValue mesh = value["mesh"];
    if (!whole_number(mesh) && (value["skin"] || value["weights"])) check_dependencies(checker, value);
    check_transform(checker, value);
    const bool used = is_joint[i] || value["children"].size() != 0 || checker.root().has(mesh, Reference::mesh) ||
                      checker.root().has(value["camera"], Reference::camera) || value["extensions"].size() != 0 ||
                      value["extras"].kind() > JsonKind::null;
    if (!used && value.is(JsonKind::object)) checker.report("NODE_EMPTY"_code, value);
    if (model.nodes[i].skin != none) check_skinned(checker, value, i);
    ++i;
  }
}

}  // namespace sinew::gltf

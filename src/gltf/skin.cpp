// SPDX-License-Identifier: MIT
#include "gltf/skin.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gltf/ext/STAIK_skeletons.hpp"

namespace sinew::gltf {

namespace {

constexpr BindCodes bind_codes = {"SKIN_IBM_INVALID_FORMAT"_code, "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE"_code,
                                  "INVALID_IBM_ACCESSOR_COUNT"_code, "ACCESSOR_INVALID_IBM"_code};

// None of this changes a vertex: joints may have no common root, and `skeleton` is a hint.
void check_roots(Reading& reading, const SkinObject& object, const Skin& skin, const NodeTree& tree) {
  const bool common = std::ranges::all_of(skin.slots, [&](Index joint) { return tree.root(joint) == tree.root(skin.slots.front()); });
  if (!common) reading.report<"SKIN_NO_COMMON_ROOT"_code>(object[SkinRow::joints]);
  const Index hint = skin.root_hint;
  if (hint != none && !std::ranges::all_of(skin.slots, [&](Index joint) { return tree.is_above(hint, joint); }))
    reading.report<"SKIN_SKELETON_INVALID"_code>(object[SkinRow::skeleton], hint);
}

Checked<> read_slots(Reading& reading, const SkinObject& object, Skin& skin) {
  const JsonValue joints = object[SkinRow::joints];
  skin.slots.reserve(joints.size());
  for (const JsonValue value : joints.elements()) {
    const auto joint = reading.resolve(value, Reference::node);
    if (!joint) return Refused(joint.error());
    skin.slots.push_back(*joint);
  }
  return {};
}

// Own matrices count; without them a skin of an explicit skeleton is bound to the stored pose of its joints, in the space of the parent
// of the skeleton's root (STAIK_skeletons, Skins, implementation note); any other skin by identities (glTF, Skins).
Checked<> read_bind(Reading& reading, Accessors& accessors, const SkinObject& object, Skin& skin) {
  const auto accessor = reading.resolve(object, SkinRow::inverseBindMatrices);
  if (!accessor) return Refused(accessor.error());
  const auto owner = staik::owner_of(reading, object);
  if (*accessor != none) {
    auto matrices = read_bind_matrices<bind_codes>(reading, accessors, object[SkinRow::inverseBindMatrices], *accessor, skin.slots.size());
    if (!matrices) return Refused(matrices.error());
    skin.bind = Skin::Bind::matrices;
    skin.joint_from_mesh = std::move(*matrices);
    return {};
  }
  if (!owner) return Refused(owner.error());
  if (*owner == none) return {};
  reading.report<"STAIK_SKIN_IBM_MISSING"_code>(object.value());
  const Model& model = reading.model();
  skin.bind = Skin::Bind::stored_pose;
  skin.frame = model.nodes[model.skeletons[*owner].root].parent;
  return {};
}

}  // namespace

BindMatrices convert_bind_matrices(const Array& values, std::size_t count) {
  BindMatrices read{{}, count, count};
  read.matrices.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<double, 16> matrix;
    values.read(i, 1, matrix.data());
    if (read.not_finite == count && !std::ranges::all_of(matrix, [](double x) { return std::isfinite(x); })) read.not_finite = i;
    if (read.bad_row == count && (matrix[3] != 0 || matrix[7] != 0 || matrix[11] != 0 || matrix[15] != 1)) read.bad_row = i;
    const double columns[] = {matrix[0], matrix[1], matrix[2],  matrix[4],  matrix[5],  matrix[6],
                              matrix[8], matrix[9], matrix[10], matrix[12], matrix[13], matrix[14]};
    read.matrices.emplace_back(3, columns);
  }
  return read;
}

void read_skins(Reading& reading, Accessors& accessors, const NodeTree& tree) {
  const JsonValue skins = reading.root()[RootRow::skins];
  reading.model().skins.reserve(skins.size());
  for (const JsonValue value : skins.elements()) {
    Skin& skin = reading.model().skins.emplace_back();
    const auto object = reading.object<SkinObject>(value);
    identify(skin, value);
    if (object.defect()) {
      Reading::mark(skin, reading.refuse(object).value());
      continue;
    }
    skin.root_hint = reading.resolve_or_none(object, SkinRow::skeleton);
    auto read = read_slots(reading, object, skin);
    if (read) {
      check_roots(reading, object, skin, tree);
      read = read_bind(reading, accessors, object, skin);
    }
    if (!read) Reading::mark(skin, read.error());
  }
}

void check_skin_scene(Reading& reading, const NodeTree& tree) {
  const Model& model = reading.model();
  if (model.default_scene == none) return;
  std::vector<bool> inside(model.nodes.size());  // by tree: whether the scene has its root
  for (const Index root : model.scenes[model.default_scene].roots) inside[tree.root(root)] = true;
  std::vector<bool> whole(model.skins.size());
  for (std::size_t s = 0; s < whole.size(); ++s)
    whole[s] = std::ranges::all_of(model.skins[s].slots, [&](Index joint) { return inside[tree.root(joint)]; });
  Index index = 0;
  for (const JsonValue value : reading.root()[RootRow::nodes].elements()) {
    const Node& node = model.nodes[index];
    if (inside[tree.root(index)] && node.defect == none && node.mesh != none && node.skin != none && !whole[node.skin])
      reading.report<"NODE_SKIN_NO_SCENE"_code>(value);
    ++index;
  }
}

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#include "glue.hpp"

#include "sinew/model.hpp"

namespace python {

namespace {

using sinew::Avatar;

py::list text_list(const std::vector<std::string>& texts) {
  py::list list;
  for (const std::string& one : texts) list.append(text(one));
  return list;
}

py::dict dict_of(const sinew::Expression& expression) {
  using namespace py::literals;
  py::list binds;
  for (const sinew::ShapeBind& bind : expression.binds)
    binds.append(py::dict("node"_a = bind.node, "blendShape"_a = bind.shape, "weight"_a = bind.weight));
  return py::dict("name"_a = text(expression.name), "stored"_a = text(expression.stored), "preset"_a = expression.preset,
                  "binary"_a = expression.binary, "binds"_a = binds, "materialBinds"_a = expression.material_binds,
                  "overrideBlink"_a = text(to_string(expression.overrides[0])),
                  "overrideLookAt"_a = text(to_string(expression.overrides[1])),
                  "overrideMouth"_a = text(to_string(expression.overrides[2])), "animation"_a = index_or_none(expression.clip),
                  "amountNode"_a = index_or_none(expression.amount));
}

py::object avatar_of(const sinew::Model& model) {
  using namespace py::literals;
  const Avatar& avatar = model.avatar;
  if (!avatar.says_something()) return py::none();
  py::list bones, expressions, springs, constraints, shown;
  for (const sinew::HumanBone& bone : avatar.bones) bones.append(py::dict("bone"_a = text(bone.name), "node"_a = bone.node));
  for (const sinew::Expression& expression : avatar.expressions) expressions.append(dict_of(expression));
  for (const sinew::Spring& spring : avatar.springs) springs.append(py::dict("name"_a = text(spring.name), "nodes"_a = spring.joints));
  for (const sinew::NodeConstraint& each : avatar.constraints)
    constraints.append(
        py::dict("node"_a = each.node, "source"_a = each.from, "kind"_a = text(to_string(each.kind)), "weight"_a = each.weight));
  for (const sinew::FirstPerson& each : avatar.first_person)
    shown.append(py::dict("node"_a = each.node, "show"_a = text(to_string(each.show))));
  return py::dict("format"_a = text(to_string(avatar.format)), "specVersion"_a = text(avatar.spec_version), "title"_a = text(avatar.title),
                  "version"_a = text(avatar.version), "authors"_a = text_list(avatar.authors), "license"_a = text(avatar.license),
                  "humanBones"_a = bones, "expressions"_a = expressions, "springs"_a = springs, "colliders"_a = avatar.colliders.size(),
                  "constraints"_a = constraints, "firstPerson"_a = shown);
}

}  // namespace

void bind_avatar(ModelClass& model) {
  model.def_property_readonly(
      "avatar", [](const Loaded& m) { return avatar_of(*m.model); },
      "What the file says of an avatar (VRM, KHR_character), as the dict that `sinew info --json` writes, or None.");
}

}  // namespace python

// SPDX-License-Identifier: MIT
#include "reports/info_avatar.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "command.hpp"
#include "console/joined.hpp"
#include "reports/info_skeletons.hpp"

namespace app {

namespace {

using sinew::Avatar;
using sinew::Expression;
using sinew::Model;

Json expression_json(const Expression& expression) {
  Json binds = Json::array();
  for (const sinew::ShapeBind& bind : expression.binds)
    binds.push_back({{"node", bind.node}, {"blendShape", bind.shape}, {"weight", bind.weight}});
  Json out{{"name", expression.name}, {"stored", expression.stored}, {"preset", expression.preset}, {"binary", expression.binary}};
  out.add("binds", binds);
  out.add("materialBinds", expression.material_binds);
  out.add("overrideBlink", to_string(expression.overrides[0]));
  out.add("overrideLookAt", to_string(expression.overrides[1]));
  out.add("overrideMouth", to_string(expression.overrides[2]));
  out.add("animation", expression.clip == sinew::none ? Json(nullptr) : Json(expression.clip));
  out.add("amountNode", expression.amount == sinew::none ? Json(nullptr) : Json(expression.amount));
  return out;
}

std::string bones_text(const Model& model) {
  std::vector<std::string> words;
  for (const sinew::HumanBone& bone : model.avatar.bones) words.push_back(fmt::format("{} = {}", bone.name, node_text(model, bone.node)));
  return joined(words, ", ");
}

std::string expressions_text(const Avatar& avatar) {
  std::vector<std::string> words;
  for (const Expression& expression : avatar.expressions) {
    std::string word = printable(expression.name);
    if (expression.stored != expression.name) word += fmt::format(" (\"{}\")", printable(expression.stored));
    words.push_back(std::move(word));
  }
  return joined(words, ", ");
}

std::string springs_text(const Avatar& avatar) {
  std::vector<std::string> words;
  for (const sinew::Spring& spring : avatar.springs)
    words.push_back(fmt::format("{}{}", spring.name.empty() ? "" : '"' + printable(spring.name) + "\" ",
                                count_of(spring.joints.size(), "node", "nodes")));
  return joined(words, ", ");
}

}  // namespace

std::string avatar_text(const Model& model, const Terminal& terminal) {
  const Avatar& avatar = model.avatar;
  if (!avatar.says_something()) return {};
  std::string text = terminal.bold("Avatar") + "\n";
  const auto line = [&text](std::string_view what, const std::string& content) {
    if (!content.empty()) text += fmt::format("  {:<12}{}\n", what, content);
  };
  line("format", std::string(to_string(avatar.format)));
  line("title", printable(avatar.title));
  line("by", printable(joined(avatar.authors, ", ")));
  line("licence", printable(avatar.license));
  const auto list = [&](std::string_view what, std::size_t count, const std::string& content) {
    if (count > 0) line(what, content.empty() ? fmt::format("{}", count) : fmt::format("{}: {}", count, content));
  };
  list("bones", avatar.bones.size(), bones_text(model));
  list("expressions", avatar.expressions.size(), expressions_text(avatar));
  list("springs", avatar.springs.size(), springs_text(avatar) + "; they are not simulated");
  list("colliders", avatar.colliders.size(), {});
  std::vector<std::string> constraints;
  for (const sinew::NodeConstraint& each : avatar.constraints)
    constraints.push_back(
        fmt::format("{} follows {} ({})", node_text(model, each.node), node_text(model, each.from), to_string(each.kind)));
  list("constraints", constraints.size(), joined(constraints, ", "));
  return text;
}

Json avatar_json(const Model& model) {
  const Avatar& avatar = model.avatar;
  if (!avatar.says_something()) return nullptr;
  Json out{{"format", to_string(avatar.format)}, {"specVersion", avatar.spec_version}, {"title", avatar.title},
           {"version", avatar.version},          {"authors", avatar.authors},          {"license", avatar.license}};
  Json bones = Json::array(), expressions = Json::array(), springs = Json::array(), constraints = Json::array(), shown = Json::array();
  for (const sinew::HumanBone& bone : avatar.bones) bones.push_back({{"bone", bone.name}, {"node", bone.node}});
  for (const Expression& expression : avatar.expressions) expressions.push_back(expression_json(expression));
  for (const sinew::Spring& spring : avatar.springs) springs.push_back({{"name", spring.name}, {"nodes", spring.joints}});
  for (const sinew::NodeConstraint& each : avatar.constraints)
    constraints.push_back({{"node", each.node}, {"source", each.from}, {"kind", to_string(each.kind)}, {"weight", each.weight}});
  for (const sinew::FirstPerson& each : avatar.first_person) shown.push_back({{"node", each.node}, {"show", to_string(each.show)}});
  out.add("humanBones", bones);
  out.add("expressions", expressions);
  out.add("springs", springs);
  out.add("colliders", avatar.colliders.size());
  out.add("constraints", constraints);
  out.add("firstPerson", shown);
  return out;
}

}  // namespace app

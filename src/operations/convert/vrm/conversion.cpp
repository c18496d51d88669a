// SPDX-License-Identifier: MIT
#include "operations/convert/vrm/conversion.hpp"

#include <algorithm>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "math/srgb.hpp"

namespace sinew::operations::vrm {

AvatarConversion::AvatarConversion(JsonValue file, const Model& model, Model turned, FindingSink& losses)
    : root(file),
      old(file["extensions"]["VRM"]),
      before(model),
      after(std::move(turned)),
      reporter(losses),
      nodes_of_mesh_(model.meshes.size()) {
  for (Index i = 0; i < model.nodes.size(); ++i) {
    if (const Index mesh = model.nodes[i].mesh; mesh < nodes_of_mesh_.size()) nodes_of_mesh_[mesh].push_back(i);
    names_.add(model.nodes[i].name);
  }
}

void AvatarConversion::refuse(Failure failure, JsonValue at, const std::string& why) {
  if (!broken) broken = error("SINEW_EDIT_REFUSED"_code, failure, Place{before.source->file(), at.pointer(), {}}, why);
}

Index AvatarConversion::index(JsonValue value, std::size_t count, std::string_view what) {
  if (!value) return none;
  const auto number = value.integer();
  if (number == -1) return none;
  if (number && *number >= 0 && static_cast<std::uint64_t>(*number) < count) return static_cast<Index>(*number);
  refuse(Failure::input, value,
         format_text("found {}, expected the index of a {}: the file has {} of them; nothing was written", value.text(), what, count));
  return none;
}

Index AvatarConversion::add_child(Index parent, std::string_view ending, LocalTransform local) {
  Node child;
  child.name = names_.take(after.nodes[parent].name + std::string(ending));
  child.parent = parent;
  const auto index = static_cast<Index>(after.nodes.size());
  after.nodes.push_back(std::move(child));
  after.nodes[parent].children.push_back(index);
  after.rest_pose.locals.push_back(std::move(local));
  after.rest_pose.amounts.emplace_back();
  return index;
}

double number_or(JsonValue value, double otherwise) {
  constexpr double most = 1e9;  // powers and products of such numbers stay finite
  return std::clamp(value.number().value_or(otherwise), -most, most);
}

std::array<double, 3> local_vector(JsonValue value, const std::array<double, 3>& otherwise) {
  if (!value.is(JsonKind::object)) return otherwise;
  return {0.0 - number_or(value["x"], 0), number_or(value["y"], 0), number_or(value["z"], 0)};
}

double within(const AvatarConversion& conversion, JsonValue value, double otherwise, double least, double most) {
  const double stored = number_or(value, otherwise), kept = std::clamp(stored, least, most);
  if (kept != stored) conversion.lost(value, format_text("the value {:.6g} becomes {:.6g}, the nearest that VRM 1.0 allows", stored, kept));
  return kept;
}

TexturePlace texture_place(const std::array<double, 2>& offset, const std::array<double, 2>& scale) {
  return {{offset[0], 1 - offset[1] - scale[1]}, scale};
}

TexturePlace main_texture_place(JsonValue properties) {
  const JsonValue stored = properties["vectorProperties"]["_MainTex"];
  if (stored.size() < 4) return {};
  std::array<double, 4> numbers{};
  std::size_t at = 0;
  for (const JsonValue number : stored.elements())
    if (at < 4) numbers[at++] = number_or(number, 0);
  return texture_place({numbers[0], numbers[1]}, {numbers[2], numbers[3]});
}

std::array<double, 4> linear_colour(const std::array<double, 4>& stored) {
  return {to_linear(stored[0]), to_linear(stored[1]), to_linear(stored[2]), stored[3]};
}

}  // namespace sinew::operations::vrm

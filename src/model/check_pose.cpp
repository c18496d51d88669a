// SPDX-License-Identifier: MIT
#include "model/check_pose.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/catalogue.hpp"
#include "base/message.hpp"
#include "model/place.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

namespace {

/// Returns what is wrong with the numbers of a transform; empty: nothing.
std::string misfit(std::size_t n, const LocalTransform& local) {
  const auto expected = [n](std::string_view part, std::size_t found, const std::string& count) {
    return format_text("{} has {} numbers, expected {} in {} dimensions, or none", part, found, count, n);
  };
  for (const auto& [part, found] : {std::pair{"the translation", local.translation.size()}, std::pair{"the scale", local.scale.size()}})
    if (found != 0 && found != n) return expected(part, found, std::to_string(n));
  if (const std::size_t found = local.basis.size(); found != 0 && found != n * n)
    return expected("the basis", found, std::to_string(n * n));
  if (const std::size_t found = local.rotor.size(); found != 0 && !is_rotor_length(n, found))
    return expected("the rotor", found, format_text("up to {}", rotor_size(n)));
  return {};
}

}  // namespace

Result<> check_pose(const Model& model, const Pose& pose) {
  const auto refuse = [&](Place place, std::string what) {
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, std::move(place), std::move(what)));
  };
  if (pose.locals.size() != model.nodes.size() || pose.amounts.size() != model.nodes.size())
    return refuse({}, format_text("the pose belongs to another model: it has {} nodes and {} lists of amounts, and the model {} nodes",
                                  pose.locals.size(), pose.amounts.size(), model.nodes.size()));
  if (model.rest_pose.amounts.size() != model.nodes.size()) return refuse({}, "the stored pose has not one list of amounts for each node");
  for (Index i = 0; i < model.nodes.size(); ++i) {
    const Node& node = model.nodes[i];
    if (const std::string what = misfit(model.dimension, pose.locals[i]); !what.empty())
      return refuse(place_of(model, node), format_text("the pose of node {} \"{}\": {}", i, node.name, what));
    if (const auto [found, stored] = std::pair{pose.amounts[i].size(), model.rest_pose.amounts[i].size()}; found != stored)
      return refuse(place_of(model, node),
                    format_text("the pose of node {} \"{}\" has {} blend amounts, and the model {}", i, node.name, found, stored));
  }
  return {};
}

}  // namespace sinew

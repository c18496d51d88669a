// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::test {

/// Returns an attribute with a packed row of `width` numbers per vertex or corner.
inline Attribute attribute(Semantic semantic, std::vector<float> values, std::size_t width) {
  Attribute made;
  made.semantic = semantic;
  made.values = Array::own(std::move(values), width);
  return made;
}

/// Adds the mesh, and a root node with it.
inline void add_instance(Model& model, Mesh mesh, std::string name) {
  Node& node = model.nodes.emplace_back();
  node.name = std::move(name);
  node.mesh = static_cast<Index>(model.meshes.size());
  model.meshes.push_back(std::move(mesh));
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
}

}  // namespace sinew::test

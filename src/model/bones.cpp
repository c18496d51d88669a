// SPDX-License-Identifier: MIT
#include "model/bones.hpp"

#include <span>

namespace sinew {

std::vector<bool> bones_of(const Model& model) {
  std::vector<bool> bones(model.nodes.size());
  const auto mark = [&](std::span<const Index> joints) {
    for (const Index joint : joints)
      if (joint != none) bones[joint] = true;
  };
  for (const Skin& skin : model.skins)
    if (skin.defect == none) mark(skin.slots);
  for (const Skeleton& skeleton : model.skeletons)
    if (skeleton.defect == none) mark(skeleton.joints);
  for (Index node = 0; node < model.nodes.size(); ++node)
    if (model.nodes[node].bone) bones[node] = true;
  return bones;
}

}  // namespace sinew

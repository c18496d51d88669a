// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "gltf/schema/tables.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf::character {

/// What a file says of a character, for rules that are measured. Indices may be out of range.
struct Character {
  struct Clip {
    Index clip = none;
    JsonValue at;
  };
  struct Arm {
    Index upper = none, hand = none;
  };
  std::vector<Clip> expressions;
  std::vector<Clip> t_poses;
  std::array<Arm, 2> arms;  ///< left, right
};
[[nodiscard]] Character character_in(JsonValue root);

}  // namespace sinew::gltf::character

// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew::ops {

struct BakeOptions {
  Index scene = none;                ///< none: the default one
  std::uint32_t max_influences = 0;  ///< as in deform::PrepareOptions
  unsigned threads = 0;              ///< 0 = all cores
  std::string_view kernel = {};      ///< as in deform::PrepareOptions
};

/// A static model of one pose: nodes stay with the pose's transforms (cameras, lights and extras hang there) but lose their meshes; every
/// instance becomes a root node of its own with a mesh in world space, float32. Materials (those of the instance, where it replaces them),
/// texture coordinates, colours, custom attributes, indices and topologies are kept; skins, blend shapes and clips are gone. Normals that
/// vanish are replaced; what has none stays without. An instance under a mirroring transform gets reversed simplexes and negated normals
/// and tangent w, so that it keeps facing out; skinned ones of glTF, which their node does not move, keep their winding.
/// Refuses results that overflow float32.
[[nodiscard]] Result<Model> bake(const Model& model, const Pose& pose, const BakeOptions& options = {});

}  // namespace sinew::ops

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gltf/read/read.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {

/// The surfaces of a glTF mesh that one G4MF mesh can contain: all or none are skinned; points are separate, because they draw all
/// vertices.
struct MeshPart {
  std::vector<Index> surfaces;
  bool skinned = false;
};
/// `skinned`: the instance has a skin. Returns at least one part.
[[nodiscard]] std::vector<MeshPart> parts_of(const Mesh& mesh, bool skinned);

/// A vertex whose weights do not sum to 1; G4MF divides them by the sum.
struct UnevenVertex {
  Index block = 0;
  Index row = 0;
  double sum = 0;
};

/// The colours of a surface's corners, which G4MF stores in the material.
struct SurfaceColors {
  Index source = none;   ///< the surface in the glTF mesh
  Index surface = none;  ///< the surface in the G4MF mesh
  Array rows;            ///< rows of 3 or 4 numbers
};

/// A converted part.
struct G4mfMesh {
  Mesh mesh;
  std::vector<SurfaceColors> colors;
  std::vector<UnevenVertex> uneven;
  std::set<std::string> lost;  ///< data that G4MF cannot store
};

/// Converts a part of a mesh. The vertices of its surfaces form one block; those with equal position, influences and offsets are merged, in
/// order of first occurrence. Influences form one list, merged by group, without zeros, the strongest first. Strips, fans and loops become
/// simplexes and edges. Normals and texture coordinates, with their offsets, belong to corners. `groups`: of each joint slot. `most`: keeps
/// the first influences of each vertex, which get the weight of the others (0: all), after vertices are merged. `maps`: by material, the
/// texture coordinates that its textures use; their transform is applied.
[[nodiscard]] G4mfMesh g4mf_mesh(const Mesh& mesh, const MeshPart& part, std::span<const Index> groups,
                                 std::span<const gltf::TextureCoordinates> maps, std::size_t dimension, std::size_t most = 0);

}  // namespace sinew::operations

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

/// What one mesh of G4MF can hold of a mesh of glTF: surfaces that are all skinned or not, and points apart, which are all vertices.
struct MeshPart {
  std::vector<Index> surfaces;
  bool skinned = false;
};
/// `skinned`: for instances with a skin. At least one part.
[[nodiscard]] std::vector<MeshPart> parts_of(const Mesh& mesh, bool skinned);

/// A vertex whose weights do not sum to 1, which G4MF would divide them by.
struct UnevenVertex {
  Index block = 0;
  Index row = 0;
  double sum = 0;
};

/// The colours of a surface's corners, which G4MF has in the material.
struct SurfaceColors {
  Index source = none;   ///< the surface of the mesh of glTF
  Index surface = none;  ///< the surface that was made of it
  Array rows;            ///< 3 or 4 numbers each
};

/// What became of a part.
struct G4mfMesh {
  Mesh mesh;
  std::vector<SurfaceColors> colors;
  std::vector<UnevenVertex> uneven;
  std::set<std::string> lost;  ///< what it has and G4MF has not
};

/// A part of a mesh as G4MF has it: the vertices of its surfaces in one block, those with equal position, influences and offsets once, in
/// order of their first occurrence; influences in one list, without zeros, those of a group added up, the heaviest first; strips, fans and
/// loops as simplexes and edges; normals and texture coordinates, and their offsets, by corner. `groups`: of each joint slot. Of the
/// influences of a vertex the first `most` stay and take over the weight of the others (0: all); which vertices are equal does not depend
/// on that. `maps`: by material, which texture coordinates its textures use; those are baked into the surface's.
[[nodiscard]] G4mfMesh g4mf_mesh(const Mesh& mesh, const MeshPart& part, std::span<const Index> groups,
                                 std::span<const gltf::TextureCoordinates> maps, std::size_t dimension, std::size_t most = 0);

}  // namespace sinew::operations

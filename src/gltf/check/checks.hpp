// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gltf/check/checker.hpp"

namespace sinew::gltf {

// The rules of the format, by kind of object, in the order in which they are checked.

void check_extension_lists(Checker& checker);
/// Checks every object against its table, used or not: properties, extras, extensions, indices, the use of data, and unreferenced objects.
/// All other checks assume that these rules are already checked.
void check_objects(Checker& checker);
/// Checks buffers and buffer views. Fills Checker::views and lost_buffers.
void check_buffers(Checker& checker);
/// Checks the properties of accessors, their place in their views, and their data. Fills Checker::accessors.
void check_accessors(Checker& checker);
/// Checks primitives: attributes, indices, morph targets, influences.
void check_meshes(Checker& checker);
void check_nodes(Checker& checker);
/// Checks the bind matrices of skins and skeletons.
void check_skins(Checker& checker);
void check_animations(Checker& checker);
void check_cameras(Checker& checker);

/// The media types of a file's images, for the checks of textures. Empty if neither the image nor its data specify one.
using ImageTypes = std::vector<std::string>;
/// Fetches the data of images and parses their headers.
[[nodiscard]] ImageTypes check_images(Checker& checker);
void check_textures(Checker& checker, const ImageTypes& types);

/// What a material requires of the primitives that use it.
struct MaterialNeeds {
  struct TextureCoordinates {
    JsonValue at;  ///< the object that requires it: a texture info or its transform
    std::uint64_t set = 0;
  };
  std::vector<TextureCoordinates> texture_coordinates;
  bool normal_texture = false;  ///< a tangent space can be generated from it
  bool tangent_space = false;
};
[[nodiscard]] std::vector<MaterialNeeds> check_materials(Checker& checker);
/// Checks that primitives have the attributes that their materials require, and reports unused texture coordinates and tangents.
void check_material_use(Checker& checker, std::span<const MaterialNeeds> materials);

/// Checks the URI of a buffer or an image, but not the data that it refers to.
void check_uri(Checker& checker, JsonValue at, std::string_view uri);

namespace draco {
/// KHR_draco_mesh_compression: checks decoded weights, normals and tangents. The rounding of the compression is no fault.
void check(Checker& checker);
}  // namespace draco
namespace staik {
/// Checks that nodes, skeletons and skins do not contradict each other.
void check(Checker& checker);
}  // namespace staik
namespace lights {
/// KHR_lights_punctual: checks the lights of the file and the nodes that have them.
void check(Checker& checker);
}  // namespace lights
namespace animation_pointer {
/// KHR_animation_pointer: checks the targets of all channels.
void check(Checker& checker);
}  // namespace animation_pointer

namespace vrm {
/// VRM 0.x, VRM 1.0 and VRM Animation: checks their objects at the root, at nodes and at materials.
void check(Checker& checker);
}  // namespace vrm
namespace character {
/// KHR_character and the extensions of its family.
void check(Checker& checker);
}  // namespace character

namespace materials {
/// Rules of an extension KHR_materials_* that its table cannot express.
struct Rules {
  std::string_view extension;
  void (*check)(Checker& checker, const CheckedObject& object, const CheckedObject& material) = nullptr;  ///< `object`: of the extension
  std::string_view tangent_texture = {};  ///< the texture that needs a tangent space, in addition to normal textures
};

/// Returns nullptr if the table expresses all rules.
[[nodiscard]] const Rules* find_rules(std::string_view extension);
}  // namespace materials

// Rules about the transforms of nodes.

/// Checks a matrix of four columns: it is not the identity, and it consists of translation, rotation and scale.
void check_matrix(Checker& checker, JsonValue at, std::span<const double, 16> matrix);
/// Checks that a quaternion (x, y, z, w) has unit length.
void check_rotation(Checker& checker, JsonValue at, std::span<const double, 4> quaternion);
[[nodiscard]] bool is_identity(const LocalTransform& local);

namespace variants {

inline constexpr std::string_view extension = "KHR_materials_variants";

/// Checks the mappings of a primitive. Calls `use` with each material in them and its place.
void check_primitive(Checker& checker, JsonValue value, const std::function<void(JsonValue at, Index material)>& use);

}  // namespace variants

}  // namespace sinew::gltf

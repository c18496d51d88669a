// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gltf/check/checker.hpp"

namespace sinew::gltf {

// The rules of the format, noun by noun, in the order in which they are checked.

/// The lists extensionsUsed and extensionsRequired.
void check_extension_lists(Checker& checker);
/// Every object by its table, whether or not anything needs it: its properties, extras and extensions, what its indices name, what data
/// is used for, and which objects nothing refers to. All other checks take what the tables say for checked.
void check_objects(Checker& checker);
/// Buffers and buffer views. Fills Checker::views and lost_buffers.
void check_buffers(Checker& checker);
/// What accessors say of themselves and of their place in their views, and their data. Fills Checker::accessors.
void check_accessors(Checker& checker);
/// Primitives: attributes, indices, morph targets, influences.
void check_meshes(Checker& checker);
void check_nodes(Checker& checker);
/// Bind matrices of skins and skeletons.
void check_skins(Checker& checker);
void check_animations(Checker& checker);
void check_cameras(Checker& checker);

/// The media types of a file's images, as textures ask for them; empty where neither the image nor its data say one.
using ImageTypes = std::vector<std::string>;
/// Their data are fetched, their headers parsed.
[[nodiscard]] ImageTypes check_images(Checker& checker);
void check_textures(Checker& checker, const ImageTypes& types);

/// What a material needs of the primitives that have it.
struct MaterialNeeds {
  struct TextureCoordinates {
    JsonValue at;  ///< whose they are: a texture info or its transform
    std::uint64_t set = 0;
  };
  std::vector<TextureCoordinates> texture_coordinates;
  bool normal_texture = false;  ///< which a tangent space could be made from
  bool tangent_space = false;
};
[[nodiscard]] std::vector<MaterialNeeds> check_materials(Checker& checker);
/// Whether primitives have what their materials need, and whether their materials use what they have: texture coordinates and tangents.
void check_material_use(Checker& checker, std::span<const MaterialNeeds> materials);

/// The rules about the uri of a buffer or an image, whatever it leads to.
void check_uri(Checker& checker, JsonValue at, std::string_view uri);

namespace staik {
/// What nodes, skeletons and skins say of each other and should not.
void check(Checker& checker);
}  // namespace staik
namespace lights {
/// KHR_lights_punctual: the lights of the file and the nodes that carry them.
void check(Checker& checker);
}  // namespace lights
namespace animation_pointer {
/// KHR_animation_pointer: the targets of all channels.
void check(Checker& checker);
}  // namespace animation_pointer

// The rules about the transforms of nodes.

/// A matrix of four columns: not the identity, and made of translation, rotation and scale.
void check_matrix(Checker& checker, JsonValue at, std::span<const double, 16> matrix);
/// A quaternion (x, y, z, w): of unit length.
void check_rotation(Checker& checker, JsonValue at, std::span<const double, 4> quaternion);
/// Whether nothing is moved.
[[nodiscard]] bool is_identity(const LocalTransform& local);

namespace variants {

inline constexpr std::string_view extension = "KHR_materials_variants";

/// The mappings of a primitive. Calls `use` with each material that they name and its place.
void check_primitive(Checker& checker, JsonValue value, const std::function<void(JsonValue at, Index material)>& use);

}  // namespace variants

}  // namespace sinew::gltf

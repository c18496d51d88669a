// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "gltf/schema/root_table.hpp"

namespace sinew::gltf {

// What Sinew knows of glTF's extensions: one file for each, or for each family, and one line in registry.inc. Code that reads, checks or
// writes what an extension means stands in a file with the extension's name in the folders read/ext, check/ext and write/ext, because the
// core library has no code that checks or writes.

/// How Sinew treats an extension.
enum class ExtensionUse : std::uint8_t {
  applied,  ///< read and applied
  carried,  ///< no effect on geometry: copied unchanged, even if required
  refused   ///< not supported: a warning if the file uses it, an error if the file requires it
};

/// What vertices may owe to an extension beyond what reading applies.
enum class ExtensionEffect : std::uint8_t {
  none,
  pose,     ///< NotEvaluated::Effect::pose
  sampled,  ///< NotEvaluated::Effect::sampled
  moves,    ///< NotEvaluated::Effect::moves
  unknown   ///< not registered: it may move vertices if an object stands at a node, a mesh, a skin, an animation or their data
};

/// What becomes of an extension when a model is written as a new file: with new meshes, accessors and buffer views, without skins and
/// clips.
enum class ExtensionFate : std::uint8_t {
  by_use,     ///< ended if it is applied, kept if it is carried, else uncertain
  kept,       ///< it refers to nothing that is numbered anew
  ended,      ///< reading applied it, or what it belongs to goes
  uncertain,  ///< it may contain indices that are now wrong
};

/// A kind of object that may contain the extension's object.
struct ExtensionPlace {
  const Table* holder = nullptr;
  const Table* object = nullptr;  ///< the extension object's properties; of an unchecked extension only those that refer to something
  bool partial = false;           ///< Sinew does not check all its rules
  bool alone = false;             ///< must not be combined with other extensions of the same object
  bool of_file = false;           ///< refers to the root's object of the extension; without that object its references do not count
  const ObjectCodes* unknown = nullptr;  ///< the codes for members that `object` does not list, of an extension that is not checked
};

/// A member of an object that a merge makes: an object without members, a text, a number, or the name of the described element.
struct FillerMember {
  enum class Value : std::uint8_t { object, text, number, name };
  std::string_view key;
  Value value = Value::object;
  std::string_view text = {};
  std::uint32_t number = 0;
};

struct Extension {
  std::string_view name;  ///< a final star matches any text
  ExtensionUse use = ExtensionUse::refused;
  ExtensionEffect effect = ExtensionEffect::none;
  ExtensionPlace places[8] = {};        ///< unused places have no holder
  const Table* widens = nullptr;        ///< a table that gets more properties if the extension is used
  const Table* wider = nullptr;         ///< the table with these properties
  bool checked = false;                 ///< the Khronos validator checks its objects, and so does Sinew
  bool never_optional = false;          ///< a file that uses it must require it
  bool silent = false;                  ///< only its own reader checks it
  bool counts_elements = false;         ///< its data counts the vertices or triangles of its mesh, so they must keep their order
  bool of_vertices = false;             ///< the root's object says where vertices are, so an edit that changes the file ends it
  bool one_per_file = false;            ///< the root's object is about the whole file: a file without it does not get that of another
  bool names_materials = false;         ///< it names materials, so their names must differ
  std::string_view other_version = {};  ///< the extension of the same purpose that cannot be in one file with it
  std::string_view lost = {};           ///< what a new file lacks without it
  /// Returns whether an element of a list of the root's object goes to another file, which may have some of the nodes already.
  bool (*goes_along)(std::string_view list, JsonValue element, const std::function<bool(JsonValue node)>& is_shared) = nullptr;
  std::span<const FillerMember> filler = {};  ///< the object of a parallel list for an element that no object describes
  bool converted = false;                     ///< a conversion to another format takes its content along, as with applied extensions
  std::string_view converted_part = {};       ///< what a conversion to another format takes along of it if not all; empty: nothing
  ExtensionFate fate = ExtensionFate::by_use;
};

/// Returns the extension with a name, or the family that it belongs to; nullptr if neither is registered.
[[nodiscard]] const Extension* find_extension(std::string_view name);
/// Returns the extension only if its objects are checked.
[[nodiscard]] const Extension* find_checked_extension(std::string_view name);
/// Returns nullptr if the extension has no object in such a holder.
[[nodiscard]] const ExtensionPlace* find_place(const Extension& extension, const Table& holder);

[[nodiscard]] ExtensionUse use_of_extension(std::string_view name);
[[nodiscard]] ExtensionEffect effect_of_extension(std::string_view name);
[[nodiscard]] ExtensionFate fate_of_extension(std::string_view name);
/// Returns whether an object's extensions let edits reorder, join and split its vertices and triangles.
[[nodiscard]] bool may_reorder(JsonValue object);

// For the descriptions.

inline constexpr ExtensionUse applied = ExtensionUse::applied, carried = ExtensionUse::carried;
inline constexpr ExtensionEffect poses = ExtensionEffect::pose, moves = ExtensionEffect::moves, maybe_moves = ExtensionEffect::unknown;

namespace row {
/// An object with a texture.
constexpr Property texture(std::string_view name) { return object(name, texture_info_table); }
/// Replaces the allowed words of one property of an object.
template <std::size_t count>
constexpr std::array<Property, count> with_words(std::array<Property, count> rows, std::string_view wider_name,
                                                 std::span<const std::string_view> words) {
  for (Property& property : rows)
    if (property.name == wider_name) property.words = words;
  return rows;
}

}  // namespace row

/// Any member "…Texture" is an object with a texture; textures with another source name an image. So are those of all known extensions of
/// materials and textures.
inline constexpr Property any_texture_row = {.name = "Texture", .type = PropertyType::object, .loose = true, .of = &texture_info_table};
inline constexpr Table textures_table{.rows = row::common, .ending = &any_texture_row};
inline constexpr row::TableOf image_source_table{{row::index("source", Reference::image)}};
/// An object whose data is in a buffer view.
inline constexpr row::TableOf stored_table{{row::index("bufferView", Reference::buffer_view)}};
/// An object that takes its form from a mesh, and a shape for collisions with one (KHR_implicit_shapes: in older texts).
inline constexpr row::TableOf of_mesh_table{{row::index("mesh", Reference::mesh)}};
inline constexpr row::TableOf mesh_shape_table{{row::object("convex", of_mesh_table), row::object("trimesh", of_mesh_table)}};
/// An object without references.
inline constexpr Table no_references_table{row::common};

#define SINEW_EXTENSIONS(family)                      \
  namespace family {                                  \
  extern const std::span<const Extension> extensions; \
  }
#include "gltf/extensions/registry.inc"
#undef SINEW_EXTENSIONS

}  // namespace sinew::gltf

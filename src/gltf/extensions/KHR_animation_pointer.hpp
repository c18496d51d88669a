// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "document/json/pointer.hpp"
#include "gltf/extensions/extension.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

inline constexpr row::TableOf animation_pointer_table{{
    row::required({.name = "pointer", .type = PropertyType::string, .form = ReferenceForm::pointer}),
}};

/// A property that an animation may move (glTF 2.0, Object Model). A step `{}` of its path is an index. Texture transforms have paths that
/// begin with a star: they stand below any texture of a material.
struct MutableProperty {
  enum class Moves : std::uint8_t { nothing, translation, rotation, scale, weights, weight, visibility };
  std::string_view path;
  std::uint8_t width = 1;        ///< numbers of a value; weights: 1
  bool stored = false;           ///< it has no default, so the file must hold it
  Moves moves = Moves::nothing;  ///< visibility: true or false
};

/// What a pointer names in a file.
struct PointerTarget {
  enum class Fate : std::uint8_t {
    usable,       ///< a property that may be animated
    carried,      ///< a value in `extras` or in an extension that Sinew does not know
    not_mutable,  ///< something that must not be animated
    of_matrix,    ///< rotation or scale of a node with a matrix, which are undefined
    nothing       ///< no such object, or a property without a value
  };
  Fate fate = Fate::nothing;
  const MutableProperty* property = nullptr;  ///< of a usable target
  Index node = none, mesh = none;             ///< whose transform, weights or visibility it is
  Index shape = none;                         ///< Moves::weight

  [[nodiscard]] bool counts() const { return fate == Fate::usable || fate == Fate::carried; }
  [[nodiscard]] MutableProperty::Moves moves() const { return property == nullptr ? MutableProperty::Moves::nothing : property->moves; }
};

/// Returns what a pointer names. `model`: the model of the file as read so far, with nodes and meshes.
[[nodiscard]] PointerTarget pointer_target(JsonValue root, const Model& model, std::string_view pointer);

/// Returns the row of the tables that describes what a pointer names, stored or not; nullptr if they do not know it.
[[nodiscard]] const Property* row_of_pointer(JsonValue root, std::string_view pointer);

/// Returns the pointer of a channel's target if it has one instead of a node; otherwise a missing value.
[[nodiscard]] JsonValue pointer_of_target(JsonValue target);

}  // namespace sinew::gltf

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_names.hpp"
#include "document/json/json.hpp"
#include "document/json/json_edit.hpp"
#include "model/edit_reporter.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations::vrm {

using document::JsonEdit;
using document::JsonKind;
using document::JsonMember;
using document::JsonValue;

/// The state that the parts of a conversion from VRM 0.x to VRM 1.0 share.
class AvatarConversion {
 public:
  AvatarConversion(JsonValue root, const Model& before, Model turned, FindingSink& losses);

  /// Reads a reference of the file. `none`: there is none (-1, or no member). Stores the first broken one, and returns `none` for it.
  [[nodiscard]] Index index(JsonValue value, std::size_t count, std::string_view what);
  [[nodiscard]] Index node(JsonValue value) { return index(value, before.nodes.size(), "node"); }
  /// Returns the nodes with a mesh. VRM 0.x refers to meshes, VRM 1.0 to nodes.
  [[nodiscard]] const std::vector<Index>& nodes_with(Index mesh) const { return nodes_of_mesh_[mesh]; }
  /// Adds a child to a node of the new file, under its name and an ending.
  Index add_child(Index parent, std::string_view ending, LocalTransform local);

  void lost(JsonValue at, const std::string& what) const { reporter.lost(at.pointer(), what); }
  void changed(JsonValue at, const std::string& what) const { reporter.changed(at.pointer(), what); }
  /// Stores the reason why the file cannot be converted. The first one counts.
  void refuse(Failure failure, JsonValue at, const std::string& why);

  JsonValue root;       ///< of the file before
  JsonValue old;        ///< its object of VRM 0.x
  const Model& before;  ///< faces -Z
  Model after;          ///< faces +Z
  EditReporter reporter;
  std::optional<Error> broken;

 private:
  std::vector<std::vector<Index>> nodes_of_mesh_;
  UniqueNames names_;
};

/// Returns a number of the file, or another one if it is absent.
[[nodiscard]] double number_or(JsonValue value, double otherwise);
/// Returns {x, y, z} of the file in the axes of VRM 1.0: VRM 0.x stores such vectors with x to the other side.
[[nodiscard]] std::array<double, 3> local_vector(JsonValue value, const std::array<double, 3>& otherwise = {});
/// Returns a number within limits, and reports when it was not.
[[nodiscard]] double within(const AvatarConversion& conversion, JsonValue value, double otherwise, double least, double most);
/// Offset and scale of a texture, with v downwards as in glTF.
struct TexturePlace {
  std::array<double, 2> offset{0, 0}, scale{1, 1};

  [[nodiscard]] bool is_neutral() const { return offset == std::array<double, 2>{0, 0} && scale == std::array<double, 2>{1, 1}; }
};
/// Returns the place for an offset and a scale as Unity stores them.
[[nodiscard]] TexturePlace texture_place(const std::array<double, 2>& offset, const std::array<double, 2>& scale);
/// Returns the place of the main texture of a material (an entry of materialProperties).
[[nodiscard]] TexturePlace main_texture_place(JsonValue properties);
/// Returns the linear form of an sRGB colour.
[[nodiscard]] std::array<double, 4> linear_colour(const std::array<double, 4>& stored);

/// Return the parts of VRMC_vrm 1.0, and VRMC_springBone 1.0 (nothing: no springs and no colliders). Springs add nodes for the ends of
/// chains.
[[nodiscard]] JsonEdit meta_of(AvatarConversion& conversion);
[[nodiscard]] JsonEdit humanoid_of(AvatarConversion& conversion);
[[nodiscard]] std::optional<JsonEdit> expressions_of(AvatarConversion& conversion);
[[nodiscard]] std::optional<JsonEdit> look_at_of(AvatarConversion& conversion);
[[nodiscard]] std::optional<JsonEdit> first_person_of(AvatarConversion& conversion);
[[nodiscard]] std::optional<JsonEdit> springs_of(AvatarConversion& conversion);

/// Changes the materials of a file by VRM's materialProperties.
void convert_materials(AvatarConversion& conversion, JsonEdit& root);

}  // namespace sinew::operations::vrm

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "base/catalogue_avatar.hpp"
#include "gltf/check/checker.hpp"
#include "model/human_bones.hpp"

namespace sinew::gltf::vrm {

using avatars::operator""_code;

/// The bones that a file names.
struct Humanoid {
  struct Bone {
    const HumanBoneKind* kind = nullptr;
    Index node = none;
    JsonValue at;  ///< the index of the node
  };
  bool old = false;         ///< of VRM 0.x
  JsonValue at;             ///< the list or object of bones; missing: there is none
  std::vector<Bone> bones;  ///< those with a known name and an existing node; each name once

  /// Returns the bone with a name of VRM 1.0, or nullptr.
  [[nodiscard]] const Bone* find(std::string_view name) const;
  /// Returns the bone above that exists, or nullptr.
  [[nodiscard]] const Bone* parent_of(const HumanBoneKind& kind) const;
  /// Returns the name of a bone in the file.
  [[nodiscard]] std::string_view name_of(const HumanBoneKind& kind) const { return old ? kind.name_in_old() : kind.name; }
};
/// Reads the property `humanoid` of an extension. Reports nothing.
[[nodiscard]] Humanoid humanoid_of(JsonValue humanoid, bool old, std::size_t nodes);
/// Reads the bones of the avatar in a file, VRM 1.0 before VRM 0.x. Without one, or with one of an unknown version, there are none.
[[nodiscard]] Humanoid humanoid_in(JsonValue root, std::size_t nodes);
/// Returns the object with the expressions of that avatar: `expressions` of VRM 1.0, or `blendShapeMaster` of VRM 0.x.
[[nodiscard]] JsonValue expressions_in(JsonValue root, bool old);

/// Reports a finding as a warning, although its code is an error: VRM 0.x is read less strictly.
template <class... Args>
void warn(Checker& checker, CodeFor<std::type_identity_t<Args>...> code, JsonValue at, const Args&... args) {
  Finding found = finding(code, at.place(), args...);
  found.severity = Severity::warning;
  checker.sink().add(std::move(found));
}

/// Checks the version of an extension's object, whether the file declares it, and the object by its table. Returns false if its version
/// is unknown or it is no object; then nothing else is checked.
[[nodiscard]] bool check_object(Checker& checker, std::string_view extension, JsonValue object, const Table& holder);

/// The presets that turn the eyes.
inline constexpr std::string_view look_presets[] = {"lookUp", "lookDown", "lookLeft", "lookRight"};
/// Returns whether a name is that of a preset expression of VRM 1.0.
[[nodiscard]] bool is_preset(std::string_view name);
/// Returns the scale of a node; negative in X if it mirrors.
[[nodiscard]] std::array<double, 3> scale_of(const LocalTransform& local);

/// Checks which bones there are, their nodes, and the order of these.
void check_humanoid(Checker& checker, const Humanoid& humanoid, JsonValue at);
void check_bone_transforms(Checker& checker, const Humanoid& humanoid);

/// Checks the blend shapes of meshes that expressions bind.
class BoundMeshes {
 public:
  explicit BoundMeshes(Checker& checker);
  /// `mesh`: exists. `shape`: the index of a blend shape. Returns whether it exists.
  bool check(Index mesh, JsonValue shape);

 private:
  struct Counts {
    std::size_t least = 0, most = 0;  ///< blend shapes of a primitive
  };
  Checker& checker_;
  std::vector<JsonValue> meshes_;
  std::set<Index> reported_;
};
/// Reports meshes whose blend shapes have no names.
void check_target_names(Checker& checker);

/// The numbers of a vector: a list (VRM 1.0), or an object with x, y and z (VRM 0.x). Nothing if it is no such vector.
[[nodiscard]] std::optional<double> length_of(JsonValue vector);

void check_avatar(Checker& checker, JsonValue avatar, const Humanoid& humanoid);
/// Returns for each node whether a spring moves it.
std::vector<bool> check_springs(Checker& checker, JsonValue springs, const Humanoid& humanoid);
void check_constraints(Checker& checker, const std::vector<bool>& swinging);
/// Returns whether a material has the colour that a bind names: some belong to MToon, and an unlit material has no emission.
[[nodiscard]] bool has_colour(JsonValue material, std::string_view type);
/// `avatar`: also what VRM 1.0 says of materials of any kind.
void check_materials(Checker& checker, bool avatar);
void check_motion(Checker& checker, JsonValue motion, const Humanoid& humanoid);

}  // namespace sinew::gltf::vrm

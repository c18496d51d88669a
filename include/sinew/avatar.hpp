// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

using Index = std::uint32_t;
inline constexpr Index none = std::numeric_limits<Index>::max();

/// The place of an entity in its file. Source::pointer converts it to a JSON pointer.
enum class SourceId : std::uint32_t { nowhere = none };

/// A node that is a bone of a humanoid.
struct HumanBone {
  std::string name;   ///< of VRM 1.0 ("leftUpperArm"), whatever the file calls it; thumbs: Metacarpal, Proximal, Distal
  Index node = none;  ///< in range
  SourceId source = SourceId::nowhere;
};

/// How far an expression turns on a blend shape of the mesh of one node.
struct ShapeBind {
  Index node = none;  ///< with a mesh. VRM 0.x binds a mesh: one bind for each node with it
  Index shape = 0;    ///< of that mesh
  double weight = 0;  ///< 1: completely (VRM 0.x stores 100)
};

/// A face that an application turns on by name and amount. The rule: VRM 1.0, expressions.md; KHR_character_expression, draft C.
struct Expression {
  /// What other expressions of a kind do while this one is on: nothing, they are off if it is on at all, or they lose its amount.
  enum class Override : std::uint8_t { no, block, blend };
  /// The presets that overrides name.
  enum class Kind : std::uint8_t { blink, look_at, mouth, other };

  std::string name;    ///< a preset's name in VRM 1.0 ("happy"), or the expression's own; may occur twice
  std::string stored;  ///< as the file calls it ("Joy")
  bool preset = false;
  bool binary = false;                  ///< above 0.5: on, otherwise off
  std::array<Override, 3> overrides{};  ///< of Kind::blink, look_at, mouth
  std::vector<ShapeBind> binds;
  std::size_t material_binds = 0;  ///< colours and texture transforms: they move no vertex and are not evaluated
  Index clip = none;               ///< KHR_character: the amount e shows this clip at e · duration
  Index amount = none;             ///< VRMA: the node whose x translation is the amount
  SourceId source = SourceId::nowhere;
};

/// Returns the kind of an expression with this name: blink, blinkLeft, blinkRight; lookUp, …; aa, ih, ou, ee, oh.
[[nodiscard]] Expression::Kind kind_of(const Expression& expression) noexcept;

/// A node whose rotation follows another node (VRMC_node_constraint 1.0).
struct NodeConstraint {
  enum class Kind : std::uint8_t {
    roll,     ///< the part of the source's rotation about one axis of `node`
    aim,      ///< one axis of `node` points to the source
    rotation  ///< the source's rotation
  };
  Index node = none;
  Index from = none;  ///< the source
  Kind kind = Kind::rotation;
  std::array<double, 3> axis{};  ///< of roll and aim, a unit vector
  double weight = 1;             ///< 0: rest, 1: completely
  SourceId source = SourceId::nowhere;
};

/// A chain of nodes that an application swings. Not simulated.
struct Spring {
  std::string name;
  std::vector<Index> joints;           ///< VRM 1.0: in the order of the chain; VRM 0.x: the roots of chains, all their descendants swing
  std::vector<Index> collider_groups;  ///< of Avatar::collider_groups
  Index center = none;
  SourceId source = SourceId::nowhere;
};

/// What a spring must not enter: a shape that moves with a node.
struct Collider {
  Index node = none;
  SourceId source = SourceId::nowhere;
};

/// Who sees the mesh of a node.
struct FirstPerson {
  enum class Show : std::uint8_t { automatic, both, third_person_only, first_person_only };
  Index node = none;
  Show show = Show::automatic;
};

/// How an avatar looks somewhere: by the bones of its eyes, or by the expressions lookUp, lookDown, lookLeft and lookRight.
struct LookAt {
  enum class Kind : std::uint8_t { no, bone, expression };
  /// From how far an eye looks to how far it turns (degrees), or how far the expression is on.
  struct Range {
    double input = 90;   ///< degrees; beyond, nothing more happens
    double output = 10;  ///< at `input`
  };
  Kind kind = Kind::no;
  std::array<double, 3> offset{};  ///< from the head to between the eyes, in the axes of the head's node
  Range inner, outer;              ///< to the nose, and away from it
  Range down, up;
};

/// What an avatar's format says of a model: VRM 0.x, VRM 1.0, VRM Animation and KHR_character alike. Every index is in range; what is
/// broken in the file is left out here and is a finding of validate. Empty without such a format.
struct Avatar {
  enum class Format : std::uint8_t { no, vrm0, vrm1, vrm_animation, khr_character };
  Format format = Format::no;
  std::string spec_version;  ///< as stored
  std::string title;
  std::string version;  ///< of the avatar
  std::vector<std::string> authors;
  std::string license;  ///< VRM 1.0: its address; VRM 0.x: its name
  std::vector<HumanBone> bones;
  std::vector<Expression> expressions;
  std::vector<Spring> springs;  ///< also of files without another avatar format
  std::vector<Collider> colliders;
  std::vector<std::vector<Index>> collider_groups;  ///< of `colliders`
  std::vector<NodeConstraint> constraints;          ///< also of files without another avatar format
  std::vector<FirstPerson> first_person;
  LookAt look_at;

  Avatar();
  Avatar(const Avatar&);
  Avatar(Avatar&&) noexcept;
  Avatar& operator=(const Avatar&);
  Avatar& operator=(Avatar&&) noexcept;
  ~Avatar();

  /// Returns whether the file has an avatar's format, springs or constraints.
  [[nodiscard]] bool says_something() const noexcept;
  /// Returns the node of a bone by its VRM 1.0 name, or `none`.
  [[nodiscard]] Index bone(std::string_view name) const noexcept;
};

/// "", "VRM 0.x", "VRM 1.0", "VRM Animation" or "KHR_character".
[[nodiscard]] std::string_view to_string(Avatar::Format format) noexcept;
/// The words of VRM 1.0: "none", "block", "blend"; "roll", "aim", "rotation"; "auto", "both", "thirdPersonOnly", "firstPersonOnly".
[[nodiscard]] std::string_view to_string(Expression::Override what) noexcept;
[[nodiscard]] std::string_view to_string(NodeConstraint::Kind kind) noexcept;
[[nodiscard]] std::string_view to_string(FirstPerson::Show show) noexcept;

}  // namespace sinew

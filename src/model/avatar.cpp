// SPDX-License-Identifier: MIT
#include "sinew/avatar.hpp"

#include <algorithm>
#include <iterator>

namespace sinew {

Avatar::Avatar() = default;
Avatar::Avatar(const Avatar&) = default;
Avatar::Avatar(Avatar&&) noexcept = default;
Avatar& Avatar::operator=(const Avatar&) = default;
Avatar& Avatar::operator=(Avatar&&) noexcept = default;
Avatar::~Avatar() = default;

bool Avatar::says_something() const noexcept { return format != Format::no || !constraints.empty() || !springs.empty(); }

Index Avatar::bone(std::string_view name) const noexcept {
  const auto found = std::ranges::find(bones, name, &HumanBone::name);
  return found == bones.end() ? none : found->node;
}

Expression::Kind kind_of(const Expression& expression) noexcept {
  using Kind = Expression::Kind;
  if (!expression.preset) return Kind::other;
  const std::string_view name = expression.name;
  if (name.starts_with("blink")) return Kind::blink;
  if (name.starts_with("look")) return Kind::look_at;
  constexpr std::string_view mouths[] = {"aa", "ih", "ou", "ee", "oh"};
  return std::ranges::find(mouths, name) != std::end(mouths) ? Kind::mouth : Kind::other;
}

std::string_view to_string(Avatar::Format format) noexcept {
  switch (format) {
    case Avatar::Format::no:
      break;
    case Avatar::Format::vrm0:
      return "VRM 0.x";
    case Avatar::Format::vrm1:
      return "VRM 1.0";
    case Avatar::Format::vrm_animation:
      return "VRM Animation";
    case Avatar::Format::khr_character:
      return "KHR_character";
  }
  return "";
}

std::string_view to_string(Expression::Override what) noexcept {
  constexpr std::string_view words[] = {"none", "block", "blend"};
  return words[static_cast<std::size_t>(what)];
}

std::string_view to_string(NodeConstraint::Kind kind) noexcept {
  constexpr std::string_view words[] = {"roll", "aim", "rotation"};
  return words[static_cast<std::size_t>(kind)];
}

std::string_view to_string(FirstPerson::Show show) noexcept {
  constexpr std::string_view words[] = {"auto", "both", "thirdPersonOnly", "firstPersonOnly"};
  return words[static_cast<std::size_t>(show)];
}

}  // namespace sinew

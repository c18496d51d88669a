// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sinew/load.hpp"
#include "sinew/model.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

/// Names of what an exported page carries besides the files of the model: what its module reads, and what the page itself reads.
inline constexpr std::string_view carried_choices = "/choices", carried_base = "/base", carried_edit = "/edit";
inline constexpr std::string_view carried_findings = "/findings", carried_model = "/model", carried_stored = "/stored";
/// Findings of flex (flex_findings.hpp): their rest pose, what the page reads, and frames for pages without a module: "/played K I".
inline constexpr std::string_view carried_bound = "/bound", carried_flex = "/flex", carried_played = "/played";

/// Returns the name of a picture that the page carries decoded: width and height as uint32, and rows of rgba. Only textures of three
/// dimensions need one; the browser decodes the others.
[[nodiscard]] std::string carried_picture(std::span<const std::byte> encoded);

/// The choices with which the page's module opens the model, as JSON: `{"name": FILE, "force": …, "revision": …, "scene": INDEX|null,
/// "clip": INDEX|null, "expressions": [[INDEX, AMOUNT]…]}`.
struct Choices {
  std::string name;
  io::LoadOptions load;
  Index scene = none, clip = none;
  std::vector<animate::ExpressionAmount> expressions = {};
};
[[nodiscard]] std::string choices_text(const Choices& choices);
[[nodiscard]] Result<Choices> read_choices(std::string_view json);

}  // namespace sinew::show

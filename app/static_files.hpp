// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "posing.hpp"

namespace app {

/// Makes a static model of a pose, with notes.
using MakeStatic = std::function<sinew::Result<sinew::Model>(const sinew::Pose& pose, sinew::FindingSink& said)>;

/// Writes a static model for every frame, by io::save; several to names with a pattern such as "%04d". What one frame after the other
/// says is told once. `doing` is the progress bar's title.
[[nodiscard]] sinew::Result<> write_static(const Poser& poser, const std::string& output, std::string_view doing, const MakeStatic& make,
                                           const Common& common);

/// Why several frames cannot go to `output`; nothing where they can.
[[nodiscard]] std::optional<std::string> pattern_missing(const Poser& poser, const std::string& output);

}  // namespace app

// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "posing.hpp"

namespace app {

/// Makes a static model of a pose, with notes.
using MakeStatic = std::function<sinew::Result<sinew::Model>(const sinew::Pose& pose, sinew::FindingSink& said)>;

/// Writes a static model for every frame with io::save; several frames use a pattern such as "%04d" in the name. Prints repeated notes
/// once. `doing`: the title of the progress bar.
[[nodiscard]] sinew::Result<> write_static(const Poser& poser, const std::string& output, std::string_view doing, const MakeStatic& make,
                                           const Common& common);

/// Returns why several frames cannot be written to `output`; nothing if they can.
[[nodiscard]] std::optional<std::string> pattern_missing(const Poser& poser, const std::string& output);

}  // namespace app

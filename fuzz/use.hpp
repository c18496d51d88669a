// SPDX-License-Identifier: MIT
// Common checks of the targets.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/load.hpp"
#include "sinew/model.hpp"
#include "sinew/validate.hpp"

namespace sinew::fuzz {

/// Prints the violated guarantee and aborts.
[[noreturn]] void broken(std::string_view promise, const std::string& details);

/// Limits that keep one run short.
[[nodiscard]] io::LoadOptions small_limits();
/// Returns nothing if the container needs a feature that this build lacks, or exceeds the limits.
[[nodiscard]] std::optional<validate::Report> validated(const std::filesystem::path& file);
[[nodiscard]] std::optional<Model> loaded(const std::filesystem::path& file);
/// Returns whether the scene is so large that a run would take long.
[[nodiscard]] bool is_large(const Model& model);

/// Deforms the default scene at `pose`, with all normals; the error says why it cannot be deformed.
[[nodiscard]] Result<std::vector<float>> deformed(const Model& model, const Pose& pose);
/// Deforms the scene at rest and at three times of some clips.
void deform_all(const Model& model);

}  // namespace sinew::fuzz

// SPDX-License-Identifier: MIT
// What targets do with a file.
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

/// A promise is broken: tells which one and aborts.
[[noreturn]] void broken(std::string_view promise, const std::string& details);

/// Limits that keep one run short.
[[nodiscard]] io::LoadOptions small_limits();
/// Nothing where the container needs what this build has not, or more than the limits.
[[nodiscard]] std::optional<validate::Report> validated(const std::filesystem::path& file);
[[nodiscard]] std::optional<Model> loaded(const std::filesystem::path& file);
/// Whether so much is drawn that a run would take long.
[[nodiscard]] bool is_large(const Model& model);

/// Deforms the default scene at `pose`, with all normals; nothing: why it cannot be.
[[nodiscard]] Result<std::vector<float>> deformed(const Model& model, const Pose& pose);
/// The scene at rest and at three moments of some clips.
void deform_all(const Model& model);

}  // namespace sinew::fuzz

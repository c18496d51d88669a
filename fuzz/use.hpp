// SPDX-License-Identifier: MIT
// Common checks of the targets.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/deform.hpp"
#include "sinew/load.hpp"
#include "sinew/model.hpp"
#include "sinew/validate.hpp"

namespace sinew::fuzz {

/// Prints the violated guarantee and aborts.
[[noreturn]] void broken(std::string_view promise, const std::string& details);

/// Returns the value of a call that fails only where memory runs out, which no target tests.
template <class T>
T got(Result<T> result) {
  if (!result) broken("there is memory", result.error().line());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

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

/// Deforms the positions of one instance with a kernel (empty: the fastest one); nothing if it cannot be prepared.
[[nodiscard]] std::vector<float> with_kernel(const Mesh& mesh, std::size_t dimension, const deform::Palette& palette,
                                             std::span<const double> amounts, std::string_view kernel, bool skinned);

/// Returns how far a coordinate of an instance can be from its exact value, because sums are rounded to float32. Infinite: there is no
/// bound.
[[nodiscard]] double rounding_error(const Model& model, const Instance& instance, const deform::Palette& palette,
                                    std::span<const double> amounts);
/// The same for the default scene.
[[nodiscard]] double rounding_error(const Model& model, const Pose& pose);

}  // namespace sinew::fuzz

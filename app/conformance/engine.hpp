// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "command.hpp"
#include "conformance/suite.hpp"

namespace app {

/// Runs Sinew itself, through the library, over the cases.
[[nodiscard]] std::vector<ConformanceResult> run_sinew(std::span<const ConformanceCase> cases, const Common& common);

/// Runs an adapter over the cases: `command` is a command of the shell, which gets MODEL CLIP TIME ATTRIBUTE OUTPUT.npy, at most `batch`
/// times in one call (conformance/README.md). Calls that fail are one warning. Failure::output if there is no temporary folder.
[[nodiscard]] sinew::Result<std::vector<ConformanceResult>> run_adapter(const std::string& command, std::size_t batch,
                                                                        std::span<const ConformanceCase> cases, const Common& common);

}  // namespace app

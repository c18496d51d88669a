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

/// How an adapter is called (conformance/README.md).
struct Adapter {
  std::string command;    ///< of the shell; its arguments are MODEL CLIP TIME ATTRIBUTE OUTPUT.npy
  std::size_t batch = 1;  ///< most poses of one call, five arguments for each
  double seconds = 60;    ///< for each pose of a call. A call that takes longer is killed
};

/// Runs an adapter over the cases. Calls that fail are one warning. Failure::output if there is no temporary folder.
[[nodiscard]] sinew::Result<std::vector<ConformanceResult>> run_adapter(const Adapter& adapter, std::span<const ConformanceCase> cases,
                                                                        const Common& common);

}  // namespace app

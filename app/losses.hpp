// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "command_line.hpp"
#include "terminal.hpp"

#include "sinew/convert.hpp"

namespace app {

/// --fail-on of commands that list losses.
void add_fail_on_loss(Command command, sinew::operations::OnLoss& on_loss);

/// The flag `name` that removes what nothing in the file refers to.
void add_prune(Command command, const std::string& name, bool& prune);

/// Prints the error line of findings, which is no failure; returns the exit status.
int fail_findings(const std::string& message, const Terminal& terminal);

/// "no losses", "1 loss", "2 losses". Hints are no losses.
[[nodiscard]] std::string count_losses(const sinew::FindingList& losses);

/// Why a file was not written.
[[nodiscard]] std::string refusal(const std::string& output, const sinew::FindingList& losses);

}  // namespace app

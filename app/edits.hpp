// SPDX-License-Identifier: MIT
// Shared code of commands that write changed files.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "many.hpp"

#include "sinew/convert.hpp"

namespace app {

class Json;

/// Adds --max-error, --fail-on, --json, and the flag `prune`, which removes objects without references; empty: no such flag.
void add_edit_options(Command command, sinew::operations::EditOptions& how, bool& json, const std::string& prune = "--prune");

/// Adds --fail-on loss.
void add_fail_on_loss(Command command, sinew::operations::OnLoss& on_loss);

/// "no losses", "1 loss", "2 losses". Hints are no losses.
[[nodiscard]] std::string count_losses(const sinew::FindingList& losses);

/// Describes the largest movement of a vertex if it is more than a rounding; otherwise empty.
[[nodiscard]] std::string movement_in_words(const sinew::operations::Written& done);

/// The outcome of a file that was written, refused, or only tried (`output` is empty). `talk`: the message unless refused. `more` adds to
/// the JSON; it may be empty.
[[nodiscard]] Outcome outcome_of(const std::filesystem::path& output, const sinew::operations::Written& done,
                                 const sinew::FindingList& changes, std::string talk, const std::function<void(Json&)>& more = {});

/// Prints the outcome of the only file of a command, as JSON if asked for; returns the exit status.
[[nodiscard]] int print_edit(const std::string& output, const sinew::operations::Written& done, const sinew::FindingList& changes,
                             const std::string& talk, bool json, const Common& common);

/// The same for an outcome of `done`.
[[nodiscard]] int print_outcome(const Outcome& outcome, const sinew::operations::Written& done, const sinew::FindingList& changes,
                                bool json, const Common& common);

}  // namespace app

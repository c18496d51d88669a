// SPDX-License-Identifier: MIT
#include "losses.hpp"

#include <algorithm>

#include "command.hpp"

namespace app {

void add_prune(Command command, const std::string& name, bool& prune) {
  command.add_flag(name, prune,
                   "Remove meshes, materials, images, accessors and bytes that nothing in the file refers to, and list the counts");
}

void add_fail_on_loss(Command command, sinew::operations::OnLoss& on_loss) {
  add_choice<sinew::operations::OnLoss>(command, "--fail-on", on_loss, {{"loss", sinew::operations::OnLoss::refuse}},
                                        "Write nothing and exit with status 1 if the new file would lose something (WHAT: loss)", "WHAT");
}

int fail_findings(const std::string& message, const Terminal& terminal) {
  terminal.fail_usage(message);  // the same line, with another status
  return Exit::findings;
}

std::string count_losses(const sinew::FindingList& losses) {
  const auto count =
      std::ranges::count_if(losses.list(), [](const sinew::Finding& loss) { return loss.severity != sinew::Severity::hint; });
  return count == 0 ? "no losses" : count == 1 ? "1 loss" : fmt::format("{} losses", count);
}

std::string refusal(const std::string& output, const sinew::FindingList& losses) {
  return fmt::format("{}: {}; nothing written because of --fail-on loss", output, count_losses(losses));
}

}  // namespace app

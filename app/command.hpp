// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "console/command_line.hpp"
#include "console/terminal.hpp"
#include "named_files.hpp"
#include "usage_error.hpp"

#include "sinew/compare.hpp"
#include "sinew/load.hpp"
#include "sinew/result.hpp"

namespace app {

/// The common options of all commands.
struct Common {
  bool quiet = false;
  bool verbose = false;
  bool force = false;
  bool allow_outside = false;
  int scene = -1;
  unsigned threads = 0;
  sinew::Limits limits;
  double max_seconds = 0;  ///< for each file; 0: no limit
  ColorMode color = ColorMode::automatic;
  std::optional<sinew::g4mf::Revision> revision;
  Terminal terminal;
  NamedFiles files;  ///< of the command

  [[nodiscard]] sinew::io::LoadOptions load_options() const;
};

/// Runs a command after parsing; returns the exit status.
using Run = std::function<int()>;

/// Each function adds its options to `command` and returns the function to run, which owns the options.
[[nodiscard]] Run add_info(Command command, Common& common);
[[nodiscard]] Run add_deform(Command command, Common& common);
[[nodiscard]] Run add_extract(Command command, Common& common);
[[nodiscard]] Run add_bake(Command command, Common& common);
[[nodiscard]] Run add_convert(Command command, Common& common);
[[nodiscard]] Run add_bounds(Command command, Common& common);
[[nodiscard]] Run add_compare(Command command, Common& common);
[[nodiscard]] Run add_flex(Command command, Common& common);
[[nodiscard]] Run add_merge(Command command, Common& common);
[[nodiscard]] Run add_retarget(Command command, Common& common);
[[nodiscard]] Run add_lift(Command command, Common& common);
[[nodiscard]] Run add_rebind(Command command, Common& common);
[[nodiscard]] Run add_repair(Command command, Common& common);
[[nodiscard]] Run add_optimize(Command command, Common& common);
[[nodiscard]] Run add_validate(Command command, Common& common);
[[nodiscard]] Run add_slice(Command command, Common& common);
[[nodiscard]] Run add_render(Command command, Common& common);
[[nodiscard]] Run add_view(Command command, Common& common);
[[nodiscard]] Run add_explain(Command command, Common& common);
[[nodiscard]] Run add_summarize(Command command, Common& common);
[[nodiscard]] Run add_conformance(Command command, Common& common);
[[nodiscard]] Run add_doctor(Command command, Common& common);
[[nodiscard]] Run add_completions(Command command, Common& common);
[[nodiscard]] Run add_manual(Command command, Common& common);

/// Returns "sinew 0.3.0 (g++ 12.2, kernel avx512)".
[[nodiscard]] std::string version_text();

void add_common(Command command, Common& common);
/// Adds --revision for commands that only read G4MF files.
void add_revision(Command command, Common& common);
/// Adds --revision for another value; `otherwise`: the default, for the help text.
void add_revision(Command command, std::optional<sinew::g4mf::Revision>& revision, std::string_view help, std::string_view otherwise);

/// Prints every finding with -v.
void print_findings(const sinew::FindingList& findings, const Common& common);

/// "place: message [code]".
[[nodiscard]] std::string line_of(const sinew::Finding& change);

/// Prints the report of an operation: changes as messages, losses as warnings.
void print_changes(const sinew::FindingList& changes, const Common& common);

/// Prints the error line for findings, which are not a failure; returns the exit status.
int fail_findings(const std::string& message, const Terminal& terminal);

/// Writes data to standard output; returns the exit status.
[[nodiscard]] int print_data(std::string_view text, const Terminal& terminal);

/// A model and the findings of reading it.
struct Loaded {
  sinew::Model model;
  sinew::FindingList findings;
};
/// Loads with the common options; with -v every finding is printed.
[[nodiscard]] sinew::Result<Loaded> load(const std::string& path, const Common& common);

/// Returns the scene of --scene, or the default one; Failure::usage if it does not exist.
[[nodiscard]] sinew::Result<sinew::Index> scene_of(const sinew::Model& model, const Common& common);

/// Accepts whole numbers in a range.
[[nodiscard]] Check between(std::int64_t least, std::int64_t most);

/// Rejects empty values, to catch unset variables in scripts.
[[nodiscard]] Check not_empty();

/// Accepts codes of findings.
[[nodiscard]] Check known_code();

/// Accepts finite numbers: "nan" and "inf" are usage errors.
[[nodiscard]] Check finite_number();

}  // namespace app

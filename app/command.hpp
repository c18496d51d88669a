// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "terminal.hpp"

#include "sinew/compare.hpp"
#include "sinew/load.hpp"
#include "sinew/result.hpp"

namespace app {

/// The options that every command has.
struct Common {
  bool quiet = false;
  bool verbose = false;
  bool force = false;
  bool allow_outside = false;
  int scene = -1;
  unsigned threads = 0;
  sinew::Limits limits;
  ColorMode color = ColorMode::automatic;
  std::optional<sinew::g4mf::Revision> revision;
  Terminal terminal;

  [[nodiscard]] sinew::io::LoadOptions load_options() const;
};

/// What a command does once the line is parsed; returns the exit status.
using Run = std::function<int()>;

/// Each adds its options to `command` and returns what to run. The options live as long as the returned function.
[[nodiscard]] Run add_info(Command command, Common& common);
[[nodiscard]] Run add_deform(Command command, Common& common);
[[nodiscard]] Run add_convert(Command command, Common& common);
[[nodiscard]] Run add_bounds(Command command, Common& common);
[[nodiscard]] Run add_compare(Command command, Common& common);
[[nodiscard]] Run add_merge(Command command, Common& common);
[[nodiscard]] Run add_rebind(Command command, Common& common);
[[nodiscard]] Run add_repair(Command command, Common& common);
[[nodiscard]] Run add_validate(Command command, Common& common);
[[nodiscard]] Run add_slice(Command command, Common& common);
[[nodiscard]] Run add_render(Command command, Common& common);
[[nodiscard]] Run add_view(Command command, Common& common);
[[nodiscard]] Run add_explain(Command command, Common& common);
[[nodiscard]] Run add_summarize(Command command, Common& common);
[[nodiscard]] Run add_doctor(Command command, Common& common);
[[nodiscard]] Run add_completions(Command command, Common& common);
[[nodiscard]] Run add_manual(Command command, Common& common);

/// "sinew 0.1.0 (g++ 12.2, kernel avx512)".
[[nodiscard]] std::string version_text();

void add_common(Command command, Common& common);
/// --revision of commands that read a G4MF file and write none.
void add_revision(Command command, Common& common);
/// --revision for another value; the help says what for, and what holds `otherwise`.
void add_revision(Command command, std::optional<sinew::g4mf::Revision>& revision, std::string_view help, std::string_view otherwise);

/// With -v every finding is printed.
void print_findings(const sinew::FindingList& findings, const Common& common);

/// "place: message [code]".
[[nodiscard]] std::string line_of(const sinew::Finding& change);

/// What an operation on a file says of its work: changes are talk, losses are warnings.
void print_changes(const sinew::FindingList& changes, const Common& common);

/// Prints the error line of findings, which is no failure; returns the exit status.
int fail_findings(const std::string& message, const Terminal& terminal);

/// Writes data to standard output; returns the exit status.
[[nodiscard]] int print_data(std::string_view text, const Terminal& terminal);

/// A model and what reading it had to say.
struct Loaded {
  sinew::Model model;
  sinew::FindingList findings;
};
/// Loads with the common options; with -v every finding is printed.
[[nodiscard]] sinew::Result<Loaded> load(const std::string& path, const Common& common);

/// The scene of --scene, or the default one; Failure::usage where there is no such scene.
[[nodiscard]] sinew::Result<sinew::Index> scene_of(const sinew::Model& model, const Common& common);

/// Options that are whole numbers in a range.
[[nodiscard]] Check between(std::int64_t least, std::int64_t most);

/// Options whose value must not be empty: an unset variable of a script must not mean "without".
[[nodiscard]] Check not_empty();

/// Options that are codes of findings.
[[nodiscard]] Check known_code();

/// Options that are finite numbers: "nan" and "inf" are usage errors.
[[nodiscard]] Check finite_number();

[[nodiscard]] sinew::Error usage_error(std::string message);

}  // namespace app

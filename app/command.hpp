// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

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
[[nodiscard]] Run add_info(CLI::App& command, Common& common);
[[nodiscard]] Run add_deform(CLI::App& command, Common& common);
[[nodiscard]] Run add_convert(CLI::App& command, Common& common);
[[nodiscard]] Run add_compare(CLI::App& command, Common& common);
[[nodiscard]] Run add_merge(CLI::App& command, Common& common);
[[nodiscard]] Run add_rebind(CLI::App& command, Common& common);
[[nodiscard]] Run add_repair(CLI::App& command, Common& common);
[[nodiscard]] Run add_validate(CLI::App& command, Common& common);
[[nodiscard]] Run add_slice(CLI::App& command, Common& common);
[[nodiscard]] Run add_render(CLI::App& command, Common& common);
[[nodiscard]] Run add_view(CLI::App& command, Common& common);
[[nodiscard]] Run add_explain(CLI::App& command, Common& common);
[[nodiscard]] Run add_summarize(CLI::App& command, Common& common);
[[nodiscard]] Run add_doctor(CLI::App& command, Common& common);
[[nodiscard]] Run add_completions(CLI::App& command, Common& common);
[[nodiscard]] Run add_manual(CLI::App& command, Common& common);

/// "sinew 0.1.0 (g++ 12.2, kernel avx512)".
[[nodiscard]] std::string version_text();

void add_common(CLI::App& command, Common& common);
/// --revision of commands that read a G4MF file and write none.
void add_revision(CLI::App& command, Common& common);

/// With -v every finding is printed.
void print_findings(const sinew::FindingList& findings, const Common& common);

/// "place: message [code]".
[[nodiscard]] std::string line_of(const sinew::Finding& change);

/// What an operation on a file says of its work: changes are talk, losses are warnings.
void print_changes(const sinew::FindingList& changes, const Common& common);

/// Writes data to standard output; returns the exit status.
[[nodiscard]] int print_data(std::string_view text, const Terminal& terminal);

/// How far vertices went by it.
void print_movement(const std::optional<sinew::operations::Comparison>& movement, const Common& common);

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
[[nodiscard]] CLI::Validator between(std::int64_t least, std::int64_t most);

/// The words of a choice in a line: the name of its check, from which completions know them.
template <class E>
std::string words_of(const std::map<std::string, E>& words) {
  std::string names;
  for (const auto& [word, unused] : words) names += (names.empty() ? "" : " ") + word;
  return names;
}

/// An option that is one of some words; each stands for a value of E.
template <class E>
void add_choice(CLI::App& command, const std::string& name, E& value, const std::map<std::string, E>& words, const std::string& help,
                const std::string& type, const std::string& group = "Options") {
  command.add_option_function<std::string>(
             name, [&value, words](const std::string& word) { value = words.at(word); }, help)
      ->check(CLI::Validator(
          [words, name](std::string& word) {
            if (words.contains(word)) return std::string();
            std::vector<std::string_view> known;
            for (const auto& [text, unused] : words) known.push_back(text);
            const auto near = sinew::nearest_name(word, known);
            return fmt::format("unknown value \"{}\"; expected {}{}", word, fmt::join(known, ", "),
                               near ? fmt::format("; did you mean {}?", *near) : "");
          },
          "", words_of(words)))
      ->type_name(type)
      ->group(group);
}

/// Options whose value must not be empty: an unset variable of a script must not mean "without".
[[nodiscard]] CLI::Validator not_empty();

/// Options that are codes of findings.
[[nodiscard]] CLI::Validator known_code();
/// The name of that check, in the place of the words which other checks list.
inline constexpr std::string_view any_code = "(any code)";

/// Options that are finite numbers: "nan" and "inf" are usage errors.
[[nodiscard]] CLI::Validator finite_number();

[[nodiscard]] sinew::Error usage_error(std::string message);

}  // namespace app

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "console/command_line.hpp"
#include "console/terminal.hpp"

namespace app {

/// An option or argument of a command, for its table.
struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; empty: an argument
  std::string value;               ///< its value: "FILE", "N"; empty: no value
  std::string help;
  std::string group;
  std::vector<std::string> choices;  ///< the possible values, if they are few
  bool required = false;
  bool many = false;  ///< an argument that may be given more than once

  [[nodiscard]] bool takes_file() const;
};

struct CommandText {
  std::string name;
  std::string summary;
  std::string examples;  ///< with the title
  std::vector<OptionText> options;

  [[nodiscard]] std::string synopsis() const;  ///< the text after the name of the command
};

/// The commands and options of the program, for manual pages and completions, without hidden commands.
struct InterfaceText {
  std::string summary;
  std::string footer;
  std::vector<OptionText> options;  ///< those of the program itself
  std::vector<CommandText> commands;
};
[[nodiscard]] InterfaceText describe(const Command& command);  ///< the program of that command

[[nodiscard]] std::string bash_completion(const InterfaceText& interface);
[[nodiscard]] std::string zsh_completion(const InterfaceText& interface);
[[nodiscard]] std::string fish_completion(const InterfaceText& interface);

/// A page in the roff of man(7).
[[nodiscard]] std::string manual_page(const InterfaceText& interface);
[[nodiscard]] std::string manual_page(const CommandText& command);

/// Writes to a file that appears whole, or to standard output if the path is empty; returns the exit status.
[[nodiscard]] int save_text(const std::filesystem::path& path, const std::string& text, const Terminal& terminal,
                            sinew::OutputName name = sinew::OutputName::given);

}  // namespace app

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "terminal.hpp"

namespace app {

/// An option or argument of a command, as its table has it.
struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; empty: an argument
  std::string value;               ///< what it takes: "FILE", "N"; empty: nothing
  std::string help;
  std::string group;
  std::vector<std::string> choices;  ///< where the values are a few words
  bool required = false;
  bool many = false;  ///< an argument that may be given more than once

  [[nodiscard]] bool takes_file() const;
};

struct CommandText {
  std::string name;
  std::string summary;
  std::string examples;  ///< with the title
  std::vector<OptionText> options;

  [[nodiscard]] std::string synopsis() const;  ///< behind the command's name
};

/// What the program can be asked, as it was declared: for manual pages and completions. Hidden commands are left out.
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

/// Writes to a file that appears whole, or to standard output where the path is empty; returns the exit status.
[[nodiscard]] int save_text(const std::filesystem::path& path, const std::string& text, const Terminal& terminal);

}  // namespace app

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "console/joined.hpp"
#include "interface.hpp"

namespace app {

namespace {

std::string replaced(std::string_view text, std::string_view characters, std::string_view before) {
  std::string out;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) out += before;
    out += c;
  }
  return out;
}

/// Quotes text in single quotes for a shell.
std::string in_quotes(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::vector<std::string> names_of(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> command_names(const InterfaceText& interface) {
  std::vector<std::string> names;
  for (const CommandText& command : interface.commands) names.push_back(command.name);
  return names;
}

}  // namespace

std::string bash_completion(const InterfaceText& interface) {
  std::string values, arguments, names;
  for (const CommandText& command : interface.commands) {
    names += fmt::format("    {}) names='{}' ;;\n", command.name, joined(names_of(command), " "));
    for (const OptionText& option : command.options) {
      if (option.names.empty()) {
        if (!option.choices.empty()) arguments += fmt::format("    {}) words='{}' ;;\n", command.name, joined(option.choices, " "));
        continue;
      }
      if (option.value.empty()) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back(command.name + ":" + name);
      values += fmt::format("    {}) value=yes words='{}' ;;\n", joined(patterns, "|"), joined(option.choices, " "));
    }
  }
  // If there are no completions, "-o default" falls back to file names.
  return fmt::format(R"(# bash completion of sinew; written by `sinew completions bash`
_sinew() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} names= words= value=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$current"))
    return
  fi
  if [ "$current" = = ]; then current=; fi
  if [ "$previous" = = ]; then previous=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  case $command:$previous in
{}  esac
  if [ -z "$value" ]; then
    case $command in
{}    *) ;;
    esac
    case $command in
{}    esac
    case $current in -*) words=$names ;; esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _sinew sinew
)",
                     joined(command_names(interface), " "), values, arguments, names);
}

namespace {

std::string zsh_spec(const OptionText& option) {
  const std::string action = !option.choices.empty() ? fmt::format("({})", joined(option.choices, " "))
                             : option.takes_file()   ? "_files"
                                                     : "";
  const std::string value = option.value.empty() ? "" : fmt::format(":{}:{}", replaced(option.value, ":", "\\"), action);
  if (option.names.empty()) return fmt::format("'*{}'", value);
  const std::string help = in_quotes(replaced(option.help, "[]:", "\\"));
  const bool takes = !option.value.empty();
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(takes && name.starts_with("--") ? name + "=" : name);
  if (names.size() == 1) return fmt::format("'*{}[{}]{}'", names.front(), help, value);
  return fmt::format("'*'{{{}}}'[{}]{}'", joined(names, ","), help, value);
}

}  // namespace

std::string zsh_completion(const InterfaceText& interface) {
  std::string commands, cases;
  for (const CommandText& command : interface.commands) {
    commands += fmt::format("    '{}:{}'\n", command.name, in_quotes(replaced(command.summary, ":", "\\")));
    cases += fmt::format("    {})\n      _arguments -S", command.name);
    bool has_argument = false;
    for (const OptionText& option : command.options) {
      if (option.names.empty() && std::exchange(has_argument, true)) continue;  // one entry completes all arguments
      cases += fmt::format(" \\\n        {}", zsh_spec(option));
    }
    cases += "\n      ;;\n";
  }
  return fmt::format(R"(#compdef sinew
# zsh completion; written by `sinew completions zsh`
_sinew() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{}  esac
}}
_sinew "$@"
)",
                     commands, cases);
}

std::string fish_completion(const InterfaceText& interface) {
  std::string text = "# fish completion; written by `sinew completions fish`\n";
  for (const CommandText& command : interface.commands)
    text +=
        fmt::format("complete -c sinew -n __fish_use_subcommand -f -a {} -d '{}'\n", command.name, replaced(command.summary, "\\'", "\\"));
  for (const CommandText& command : interface.commands)
    for (const OptionText& option : command.options) {
      std::string line = fmt::format("complete -c sinew -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : option.names)
        line += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2)) : fmt::format(" -s {}", name.substr(1));
      if (!option.choices.empty())
        line += fmt::format(" -x -a '{}'", joined(option.choices, " "));
      else if (option.names.empty())
        continue;  // fish completes files by itself
      else if (!option.value.empty())
        line += option.takes_file() ? " -r -F" : " -x";
      text += fmt::format("{} -d '{}'\n", line, replaced(option.help, "\\'", "\\"));
    }
  return text;
}

Run add_completions(Command command, Common& common) {
  struct Options {
    std::string shell, output;
  };
  auto options = std::make_shared<Options>();
  common.files.writes(options->output);
  command.add_option("SHELL", options->shell, "The shell: bash, zsh or fish").required().check(member_of({"bash", "zsh", "fish"}));
  command.add_option("-o,--output", options->output, "Write to a file (default: standard output)").type_name("FILE").check(not_empty());
  return [options, &common, command]() -> int {
    const InterfaceText interface = describe(command);
    const std::string text = options->shell == "bash"  ? bash_completion(interface)
                             : options->shell == "zsh" ? zsh_completion(interface)
                                                       : fish_completion(interface);
    return save_text(options->output, text, common.terminal);
  };
}

}  // namespace app

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <sstream>

#include "command.hpp"
#include "console/joined.hpp"
#include "interface.hpp"

#include "sinew/result.hpp"

namespace app {

namespace {

/// Escapes text for roff: backslashes, hyphens and control characters at the start of lines.
std::string roff(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool first = i == 0 || text[i - 1] == '\n';
    if (first && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    if (text[i] == '\\')
      out += "\\e";
    else if (text[i] == '-')
      out += "\\-";
    else
      out += text[i];
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string title(const std::string& name) {
  return fmt::format(".TH {} 1 \"\" \"sinew {}\" \"Sinew\"\n.SH NAME\n", upper(roff(name)), sinew::version());
}

constexpr std::string_view exit_section =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\ndone\n.TP\n.B 1\nfindings: the input has errors, or the models differ\n.TP\n.B 2\nusage error\n"
    ".TP\n.B 3\nan input is missing or broken\n.TP\n.B 4\nan output could not be written; no partial output remains\n"
    ".TP\n.B 5\nnot supported\n";

std::string item(const OptionText& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
  const std::string value = option.value.empty() ? "" : fmt::format("\\fI{}\\fR", roff(option.value));
  return fmt::format(".TP\n{}{}{}\n{}\n", joined(names, ", "), names.empty() || value.empty() ? "" : " ", value, roff(option.help));
}

std::string examples(const std::string& text) {
  std::istringstream lines(text);
  std::string line, out = ".SH EXAMPLES\n.EX\n";
  for (std::getline(lines, line); std::getline(lines, line);) out += roff(line) + "\n";  // without the title
  return out + ".EE\n";
}

int save_pages(const InterfaceText& interface, const std::filesystem::path& folder, const Terminal& terminal) {
  std::error_code unknown;
  std::filesystem::create_directories(folder, unknown);  // if this fails, writing fails and reports it
  int status = save_text(folder / "sinew.1", manual_page(interface), terminal, sinew::OutputName::made);
  for (const CommandText& command : interface.commands)
    if (status == Exit::done)
      status = save_text(folder / fmt::format("sinew-{}.1", command.name), manual_page(command), terminal, sinew::OutputName::made);
  return status;
}

struct ManualOptions {
  std::string command, output;
};

int run_manual(const ManualOptions& options, const InterfaceText& interface, const Terminal& terminal) {
  if (!options.output.empty()) return save_pages(interface, options.output, terminal);
  if (options.command.empty()) return print_data(manual_page(interface), terminal);
  for (const CommandText& command : interface.commands)
    if (command.name == options.command) return print_data(manual_page(command), terminal);
  return terminal.fail(usage_error(fmt::format("unknown command \"{}\" (see sinew --help)", options.command)));
}

}  // namespace

std::string manual_page(const CommandText& command) {
  const std::string name = "sinew-" + command.name;
  std::string text = title(name) + fmt::format("{} \\- {}\n.SH SYNOPSIS\n.B sinew {}\n{}\n", roff(name), roff(command.summary),
                                               roff(command.name), roff(command.synopsis()));
  std::string group;
  for (const std::string_view wanted : {"Arguments", "Options", "Many files", "Common options"}) {
    group.clear();
    for (const OptionText& option : command.options)
      if (option.group == wanted) group += item(option);
    if (!group.empty()) text += fmt::format(".SH {}\n{}", upper(std::string(wanted)), group);
  }
  return text + std::string(exit_section) + examples(command.examples) + ".SH SEE ALSO\n.BR sinew (1)\n";
}

std::string manual_page(const InterfaceText& interface) {
  std::string text = title("sinew") + fmt::format("sinew \\- {}\n.SH SYNOPSIS\n.B sinew\n.I COMMAND\n[OPTIONS]\n.SH COMMANDS\n",
                                                  "rigged, deformable meshes in any dimension");
  for (const CommandText& command : interface.commands)
    text += fmt::format(".TP\n.BR sinew\\-{} (1)\n{}\n", roff(command.name), roff(command.summary));
  text +=
      ".SH DESCRIPTION\nSinew reads glTF 2.0 and G4MF. Data goes to standard output; progress and warnings go to standard error. "
      "A failed command leaves no partial output.\n.PP\n" +
      roff(interface.footer.substr(0, interface.footer.find('\n'))) + "\n.SH OPTIONS\n";
  for (const OptionText& option : interface.options) text += item(option);
  return text + std::string(exit_section);
}

Run add_manual(Command command, Common& common) {
  auto options = std::make_shared<ManualOptions>();
  common.files.writes(options->output);
  command.add_option("COMMAND", options->command, "Print the page of this command (default: the page of the program)");
  command.add_option("-o,--output", options->output, "Write all pages into a folder").type_name("FOLDER").check(not_empty());
  return [options, &common, command] { return run_manual(*options, describe(command), common.terminal); };
}

}  // namespace app

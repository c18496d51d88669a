// SPDX-License-Identifier: MIT
#include "interface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

#include "command.hpp"

#include "sinew/validate.hpp"

namespace app {

namespace {

// add_choice and its like leave the words in the name of their check.
std::vector<std::string> choices_of(CLI::Option& option) {
  std::vector<std::string> words;
  try {
    const std::string known = option.get_validator()->get_name();
    if (known == any_code) {  // listed only where somebody asks, not whenever the program starts
      for (const sinew::CatalogueRow& row : sinew::all_codes()) words.emplace_back(row.code);
      return words;
    }
    std::istringstream names(known);
    for (std::string word; names >> word;) words.push_back(word);
  } catch (const CLI::OptionNotFound&) {  // nothing is checked
  }
  return words;
}

OptionText text_of(CLI::Option& option) {
  OptionText text;
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  const bool argument = option.get_positional();
  text.value = argument ? option.get_name(true) : option.get_type_size() == 0 ? "" : option.get_type_name();
  text.help = option.get_description();
  text.group = argument ? "Arguments" : option.get_group();
  text.choices = choices_of(option);
  text.required = option.get_required();
  text.many = argument && option.get_expected_max() > 1;
  return text;
}

}  // namespace

bool OptionText::takes_file() const {
  constexpr std::array<std::string_view, 9> files = {"FILE", "FOLDER", "PATH", "IN", "IN OUT", "BODY", "CLOTHES", "A", "B"};
  return (names.empty() || value.starts_with("F")) && std::ranges::find(files, value) != files.end();
}

std::string CommandText::synopsis() const {
  std::string text = "[OPTIONS]";
  for (const OptionText& option : options) {
    if (!option.names.empty() && option.required) text += fmt::format(" {} {}", option.names.front(), option.value);
    if (!option.names.empty()) continue;
    const std::string argument = option.value + (option.many && option.value != "IN OUT" ? "…" : "");
    text += option.required ? fmt::format(" {}", argument) : fmt::format(" [{}]", argument);
  }
  return text;
}

int save_text(const std::filesystem::path& path, const std::string& text, const Terminal& terminal) {
  auto file = sinew::batch::LineWriter::create(path);
  auto done = file ? file->write(text) : sinew::Unexpected(file.error());
  if (done) done = file->finish();
  return done ? static_cast<int>(Exit::done) : terminal.fail(done.error());
}

InterfaceText describe(CLI::App& program) {
  const auto all = [](const CLI::Option*) { return true; };
  InterfaceText interface{program.get_description(), program.get_footer(), {}, {}};
  for (CLI::Option* option : program.get_options(all)) interface.options.push_back(text_of(*option));
  for (CLI::App* command : program.get_subcommands([](CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;
    CommandText text{command->get_name(), command->get_description(), command->get_footer(), {}};
    for (CLI::Option* option : command->get_options(all)) text.options.push_back(text_of(*option));
    interface.commands.push_back(std::move(text));
  }
  return interface;
}

}  // namespace app

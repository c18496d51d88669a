// SPDX-License-Identifier: MIT
#include "console/command_line.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <optional>
#include <sstream>

#include "console/joined.hpp"
#include "console/need.hpp"
#include "console/number.hpp"
#include "interface.hpp"

#include "sinew/result.hpp"

namespace app {

namespace {

// Returns the possible values of an option. Checks store them in their name.
std::vector<std::string> choices_of(CLI::Option& option) {
  std::vector<std::string> words;
  try {
    const std::string known = option.get_validator()->get_name();
    if (known == any_code) {
      for (const sinew::CatalogueRow& row : sinew::all_codes()) words.emplace_back(row.code);
      return words;
    }
    std::istringstream names(known);
    for (std::string word; names >> word;) words.push_back(word);
  } catch (const CLI::OptionNotFound&) {  // the option has no check
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

// Finds an option without a value, or a repeated option that takes one value.
std::optional<std::string> wrong_count(const CLI::App& command, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return std::nullopt;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->get_items_expected_max() == 1 && option->count() > 1)
      return fmt::format("{} occurs {} times, expected once", name, option->count());
    if (std::string_view(error.what()).starts_with(name + ":")) return fmt::format("{} needs a value, {}", name, option->get_type_name());
  }
  return std::nullopt;
}

// Suggests names for an unknown word: those that start with it, if they are few, or the most similar one.
std::optional<std::string> meant_by(std::string_view word, const std::vector<std::string>& names) {
  word = word.substr(0, word.find('='));
  std::vector<std::string_view> begun;
  if (word.size() - std::min(word.find_first_not_of('-'), word.size()) >= 2)
    for (const std::string& name : names)
      if (name.starts_with(word)) begun.emplace_back(name);
  if (!begun.empty() && begun.size() <= 3) return joined(begun, " or ");
  return need(sinew::nearest_name(word, {names.begin(), names.end()}));
}

// Returns whether the command has an option of this spelling.
bool has_option(const CLI::App& command, std::string_view word) {
  const auto matches = [&](const CLI::Option* option) { return word.starts_with('-') && option->check_name(std::string(word)); };
  return std::ranges::any_of(command.get_options(), matches);
}

// Describes an error of CLI11 in one line, with the nearest option or command if one is similar.
std::string usage_message(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App* command = &program;
  for (const CLI::App* sub : program.get_subcommands()) command = sub;
  std::string message = wrong_count(*command, error).value_or(error.what());
  if (command == &program && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) message = "expected a command";
  for (char& c : message)
    if (c == '\n') c = ' ';
  std::vector<std::string> unknown = command->remaining();
  for (const std::string& text : program.remaining()) unknown.push_back(text);
  // CLI11 reports missing and invalid values before unknown options, although an unknown option is
  // the more likely mistake.
  const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                     dynamic_cast<const CLI::RequiredError*>(&error) != nullptr ||
                     (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr && !unknown.empty() && unknown[0].starts_with('-'));
  if (extra && !unknown.empty()) {
    std::vector<std::string> names;
    if (unknown[0].starts_with('-')) {
      for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      message = fmt::format("unknown option {}", unknown[0]);
    } else if (command == &program) {
      for (const CLI::App* known : program.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); }))
        names.push_back(known->get_name());
      message = fmt::format("unknown command \"{}\"", unknown[0]);
    } else {
      message = fmt::format("unexpected argument \"{}\"", unknown[0]);
    }
    if (has_option(*command, unknown[0])) return fmt::format("write {} after the command (see sinew --help)", unknown[0]);
    if (const auto meant = meant_by(unknown[0], names)) message += fmt::format("; did you mean {}?", *meant);
  }
  return fmt::format("{} (see sinew {}--help)", message, command == &program ? "" : command->get_name() + " ");
}

Check check_of(const CLI::Validator& validator) { return Check(std::make_shared<const CLI::Validator>(validator)); }

/// `wanted` completes "expected a number, …".
Check number_check(const std::string& wanted, const std::function<bool(double)>& fits) {
  return Check([=](std::string& text) {
    const auto value = number_in<double>(text);
    return value && fits(*value) ? std::string() : fmt::format("found \"{}\", expected a number, {}", text, wanted);
  });
}

template <class T>
struct NumberOf {
  using type = T;
};
template <class T>
struct NumberOf<std::optional<T>> {
  using type = T;
};

/// Parses a number or, if it is none, ends parsing with a message. T: a number, which may be optional.
template <class T>
T number_or_throw(const std::string& option, const std::string& text) {
  using Number = typename NumberOf<T>::type;
  const auto number = number_in<Number>(text);
  if (!number)
    throw CLI::ValidationError(fmt::format("{}: found \"{}\", expected a {}number", option, text, std::integral<Number> ? "whole " : ""));
  return *number;
}

}  // namespace

Check::Check(std::function<std::string(std::string&)> fault, const std::string& words)
    : validator_(std::make_shared<const CLI::Validator>(std::move(fault), "", words)) {}

std::string Check::fault(std::string& text) const { return (*validator_)(text); }

Check Check::operator&(const Check& other) const { return check_of(*validator_ & *other.validator_); }

Check not_negative() {
  return number_check("0 or more", [](double value) { return value >= 0; });
}
Check positive() {
  return number_check("more than 0", [](double value) { return value > 0; });
}
Check within(double least, double most) {
  return number_check(fmt::format("{} to {}", least, most), [=](double value) { return value >= least && value <= most; });
}
Check member_of(std::vector<std::string> words) { return check_of(CLI::IsMember(std::move(words))); }

Option& Option::type_name(const std::string& name) { return option_->type_name(name), *this; }
Option& Option::group(const std::string& name) { return option_->group(name), *this; }
Option& Option::description(const std::string& help) { return option_->description(help), *this; }
Option& Option::required() { return option_->required(), *this; }
Option& Option::check(const Check& check) { return option_->check(check.validator()), *this; }
Option& Option::transform(const Check& check) { return option_->transform(check.validator()), *this; }
Option& Option::excludes(const Option& other) { return option_->excludes(other.option_), *this; }
Option& Option::needs(const Option& other) { return option_->needs(other.option_), *this; }
Option& Option::one_each() { return option_->allow_extra_args(false), *this; }
Option& Option::take_all() { return option_->expected(1)->take_all(), *this; }

std::string Command::name() const { return command_->get_name(); }

CLI::App& Command::program() const { return *command_->get_parent(); }

bool Command::has(const std::string& option) const { return command_->count(option) > 0; }

std::vector<GivenOption> Command::given() const {
  std::vector<GivenOption> list;
  for (const CLI::Option* option : std::as_const(*command_).get_options())
    if (option->count() > 0) list.push_back({option->get_name(), option->get_group(), option->results(), option->get_positional()});
  return list;
}

template <class T>
Option Command::add_option(const std::string& name, T& value, const std::string& help) {
  if constexpr (requires { value.size(); }) {
    return Option(*command_->add_option(name, value, help));
  } else {
    return add_text(name, [&value, name](const std::string& text) { value = number_or_throw<T>(name, text); }, help);
  }
}
template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, unsigned short&, const std::string&);
template Option Command::add_option(const std::string&, unsigned&, const std::string&);
template Option Command::add_option(const std::string&, unsigned long&, const std::string&);
template Option Command::add_option(const std::string&, unsigned long long&, const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<unsigned long>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<unsigned long long>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<double>&, const std::string&);

Option Command::add_text(const std::string& name, std::function<void(const std::string&)> set, const std::string& help) {
  return Option(*command_->add_option_function<std::string>(name, std::move(set), help));
}

Option Command::add_list(const std::string& name, std::function<std::string(const std::vector<std::string>&)> set,
                         const std::string& help) {
  const auto set_or_throw = [set = std::move(set)](const std::vector<std::string>& values) {
    if (const std::string fault = set(values); !fault.empty()) throw CLI::ValidationError(fault);
  };
  return Option(*command_->add_option_function<std::vector<std::string>>(name, set_or_throw, help));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) {
  return Option(*command_->add_flag(name, value, help));
}

Option Command::add_choice(const std::string& name, std::vector<std::string> words, std::function<void(std::size_t)> set,
                           const std::string& help) {
  std::vector<std::string> sorted = words;
  std::ranges::sort(sorted);
  const auto known = [sorted](std::string& word) {
    if (std::ranges::binary_search(sorted, word)) return std::string();
    const auto near = need(sinew::nearest_name(word, {sorted.begin(), sorted.end()}));
    return fmt::format("unknown value \"{}\"; expected {}{}", word, joined(sorted, ", "),
                       near ? fmt::format("; did you mean {}?", *near) : "");
  };
  const auto chosen = [words = std::move(words), set = std::move(set)](const std::string& word) {
    set(static_cast<std::size_t>(std::ranges::find(words, word) - words.begin()));
  };
  return add_text(name, chosen, help).check(Check(known, joined(sorted, " ")));
}

Option Command::option(const std::string& name) const { return Option(*command_->get_option(name)); }

void Command::remove_option(const std::string& name) { command_->remove_option(command_->get_option(name)); }

bool Command::parsed() const { return command_->parsed(); }

CommandLine::CommandLine(const std::string& name, const std::string& summary, const std::string& footer, std::string version)
    : version_(std::move(version)), program_(std::make_unique<CLI::App>(summary, name)) {
  program_->set_version_flag("-V,--version", version_, "Print the version");
  program_->require_subcommand(1);
  program_->footer(footer);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const std::string& name, const std::string& summary, const std::string& examples, bool hidden) {
  CLI::App* const command = program_->add_subcommand(name, summary)->group(hidden ? "" : "Subcommands");
  command->footer(examples);
  command->set_version_flag("-V,--version", version_, "Print the version");
  return Command(*command);
}

Parsed CommandLine::parse(int argc, const char* const* argv, std::string& message) {
  try {
    program_->parse(argc, argv);
    return Parsed::command;
  } catch (const CLI::CallForHelp& asked) {
    const std::vector<std::string> unknown = program_->get_subcommands().empty() ? program_->remaining() : std::vector<std::string>();
    if (unknown.empty()) return program_->exit(asked), Parsed::text_printed;
    message = usage_message(*program_, CLI::ExtrasError("sinew", unknown));
  } catch (const CLI::CallForVersion& asked) {
    return program_->exit(asked), Parsed::text_printed;
  } catch (const CLI::ParseError& error) {
    message = usage_message(*program_, error);
  }
  return Parsed::wrong;
}

InterfaceText describe(const Command& one) {
  CLI::App& program = one.program();
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

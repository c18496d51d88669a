// SPDX-License-Identifier: MIT
// The commands and options of the program, based on CLI11. Only command_line.cpp includes its headers, because they take seconds to
// compile.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace app {

/// A check of the text of an option.
class Check {
 public:
  /// `fault` returns an error message or an empty text, and may rewrite the value. `words`: the possible values, if they are few;
  /// completions list them.
  explicit Check(std::function<std::string(std::string&)> fault, const std::string& words = {});
  explicit Check(std::shared_ptr<const CLI::Validator> validator) : validator_(std::move(validator)) {}

  [[nodiscard]] const CLI::Validator& validator() const { return *validator_; }
  [[nodiscard]] std::string fault(std::string& text) const;
  [[nodiscard]] Check operator&(const Check& other) const;

 private:
  std::shared_ptr<const CLI::Validator> validator_;
};

/// Checks for numbers: at least 0; above 0; from `least` to `most`; and for one of some words.
[[nodiscard]] Check not_negative();
[[nodiscard]] Check positive();
[[nodiscard]] Check within(double least, double most);
[[nodiscard]] Check member_of(std::vector<std::string> words);

/// Marks a check that accepts the code of any finding; the codes are listed only on request.
inline constexpr std::string_view any_code = "(any code)";

/// A handle to an option or argument of a command; copies refer to the same option.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option& type_name(const std::string& name);
  Option& group(const std::string& name);
  Option& description(const std::string& help);
  Option& required();
  Option& check(const Check& check);
  Option& transform(const Check& check);
  Option& excludes(const Option& other);
  Option& needs(const Option& other);
  /// Makes a list with one value per occurrence of the option; further words are arguments of the command. `take_all` also keeps an
  /// empty value.
  Option& one_each();
  Option& take_all();

 private:
  CLI::Option* option_;
};

/// An option of a command line, with its values.
struct GivenOption {
  std::string name, group;
  std::vector<std::string> values;
  bool argument = false;
};

/// A handle to a command of the program; copies refer to the same command.
class Command {
 public:
  explicit Command(CLI::App& command) : command_(&command) {}

  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::vector<GivenOption> given() const;
  [[nodiscard]] bool has(const std::string& option) const;  ///< whether it was given on the command line
  [[nodiscard]] CLI::App& program() const;

  /// Stores the value in `value`, which must outlive parsing. T: a string, a list of strings, or a number, which may be optional.
  template <class T>
  Option add_option(const std::string& name, T& value, const std::string& help);
  /// Passes the value to `set` after all checks.
  Option add_text(const std::string& name, std::function<void(const std::string&)> set, const std::string& help);
  /// Passes all values to `set`, which returns an error message or an empty text.
  Option add_list(const std::string& name, std::function<std::string(const std::vector<std::string>&)> set, const std::string& help);
  Option add_flag(const std::string& name, bool& value, const std::string& help);
  /// The value is one of some words; `set` gets its position.
  Option add_choice(const std::string& name, std::vector<std::string> words, std::function<void(std::size_t)> set, const std::string& help);

  [[nodiscard]] Option option(const std::string& name) const;
  void remove_option(const std::string& name);
  [[nodiscard]] bool parsed() const;

 private:
  CLI::App* command_;
};

/// Adds an option with one of some words, each for a value of E.
template <class E>
Option add_choice(Command command, const std::string& name, E& value, const std::vector<std::pair<std::string, E>>& words,
                  const std::string& help, const std::string& type) {
  std::vector<std::string> names;
  std::vector<E> values;
  for (const auto& [word, meaning] : words) {
    names.push_back(word);
    values.push_back(meaning);
  }
  return command.add_choice(
                    name, std::move(names), [&value, values = std::move(values)](std::size_t i) { value = values[i]; }, help)
      .type_name(type);
}

/// The outcome of parsing.
enum class Parsed : unsigned char { command, text_printed, wrong };

/// The command line of the program.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& summary, const std::string& footer, std::string version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command add_command(const std::string& name, const std::string& summary, const std::string& examples, bool hidden);

  /// Prints the texts of --help and --version. On an error, `message` gets one line, with the nearest option or command if one is similar.
  [[nodiscard]] Parsed parse(int argc, const char* const* argv, std::string& message);

 private:
  std::string version_;
  std::unique_ptr<CLI::App> program_;
};

}  // namespace app

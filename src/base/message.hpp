// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace sinew {

/// Messages: a template with placeholders as those of {fmt}, "{} of {:.3g}", and values for them. All are formatted by one function, so a
/// message costs no instantiation of its own; the compiler checks the number of values and their kinds.

/// A value in a message. Refers to the text that it was made of.
class Argument {
 public:
  enum class Kind : std::uint8_t { text, truth, character, integer, natural, single, real };

  Argument(std::string_view text) : kind_(Kind::text), text_(text) {}
  Argument(const std::string& text) : Argument(std::string_view(text)) {}
  Argument(const char* text) : Argument(std::string_view(text)) {}
  Argument(bool truth) : kind_(Kind::truth), natural_(truth) {}
  Argument(char character) : kind_(Kind::character), natural_(static_cast<unsigned char>(character)) {}
  Argument(std::signed_integral auto number) : kind_(Kind::integer), natural_(static_cast<std::uint64_t>(std::int64_t{number})) {}
  Argument(std::unsigned_integral auto number) : kind_(Kind::natural), natural_(number) {}
  Argument(float number) : kind_(Kind::single), real_(static_cast<double>(number)) {}
  Argument(double number) : kind_(Kind::real), real_(number) {}

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::uint64_t natural() const { return natural_; }
  [[nodiscard]] double real() const { return real_; }

 private:
  Kind kind_;
  union {
    std::string_view text_;
    std::uint64_t natural_;
    double real_;
  };
};

/// Returns the message with its placeholders replaced. Arguments that it has no placeholder for are left out.
[[nodiscard]] std::string format_message(std::string_view message, std::span<const Argument> arguments);
[[nodiscard]] inline std::string format_message(std::string_view message, std::initializer_list<Argument> arguments) {
  return format_message(message, std::span(arguments.begin(), arguments.size()));
}

/// Returns whether `message` has a placeholder for every argument, in order, whose type of presentation fits: x and X show integers; e, f
/// and g numbers with a fraction.
template <class... Args>
consteval bool takes(std::string_view message) {
  constexpr std::array<char, sizeof...(Args) + 1> kinds = {(std::is_floating_point_v<Args>                            ? 'g'
                                                            : std::is_integral_v<Args> && !std::is_same_v<Args, bool> ? 'd'
                                                                                                                      : 's')...,
                                                           '\0'};
  std::size_t count = 0;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const char c = message[i];
    if (c != '{' && c != '}') continue;
    if (i + 1 < message.size() && message[i + 1] == c) {
      ++i;  // a brace of the text
      continue;
    }
    const std::size_t end = message.find('}', i + 1);
    if (c == '}' || end == message.npos || count == sizeof...(Args)) return false;
    const char kind = kinds[count++], shown = message[end - 1];
    if ((shown == 'x' || shown == 'X') && kind != 'd') return false;
    if ((shown == 'e' || shown == 'f' || shown == 'g') && kind != 'g') return false;
    i = end;
  }
  return count == sizeof...(Args);
}

/// Not constant, and never called: a constant that calls it does not compile, and the compiler shows the text. As `throw` would, which
/// needs exceptions.
void not_a_constant(const char* why);

/// A template whose placeholders are for these types of arguments.
template <class... Args>
class MessageFor {
 public:
  consteval MessageFor(const char* text) : text_(text) {
    if (!takes<Args...>(text_)) not_a_constant("the placeholders are not those of the arguments");
  }
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// Returns a message: format_text("{} of {}", done, all).
template <class... Args>
[[nodiscard]] std::string format_text(MessageFor<std::type_identity_t<Args>...> message, const Args&... arguments) {
  return format_message(message.text(), {Argument(arguments)...});
}

/// Returns the items, each in the form of a placeholder, with a separator between them.
template <class Range>
[[nodiscard]] std::string join_text(const Range& items, std::string_view separator, std::string_view item_message = "{}") {
  std::string text;
  bool first = true;
  for (const auto& item : items) {
    if (!first) text += separator;
    first = false;
    text += format_message(item_message, {Argument(item)});
  }
  return text;
}

}  // namespace sinew

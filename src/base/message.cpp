// SPDX-License-Identifier: MIT
// {fmt}'s format for the few forms of numbers that messages have, so that core does not need the library.
#include "base/message.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "base/ascii.hpp"
#include "base/number.hpp"

namespace sinew {

namespace {

/// What is between ':' and '}': [#][0][width][.precision][f, g, x or X].
struct NumberForm {
  bool prefix = false;
  char fill = ' ';
  std::size_t width = 0;
  int precision = -1;
  char type = '\0';

  explicit NumberForm(std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    if (at != end && *at == '#') prefix = (++at, true);
    if (at != end && *at == '0') fill = (++at, '0');
    for (; at != end && is_digit(*at); ++at) width = width * 10 + static_cast<std::size_t>(*at - '0');
    if (at != end && *at == '.')
      for (++at, precision = 0; at != end && is_digit(*at); ++at) precision = precision * 10 + (*at - '0');
    if (at != end) type = *at;
  }
};

// The longest: a number of 309 digits with 15 behind its point.
using Digits = std::array<char, 400>;

void append_padded(std::string& text, std::string_view sign, std::string_view digits, const NumberForm& form) {
  const std::size_t size = sign.size() + digits.size(), missing = form.width > size ? form.width - size : 0;
  if (form.fill == ' ') text.append(missing, ' ');
  text += sign;
  if (form.fill != ' ') text.append(missing, form.fill);
  text += digits;
}

void append_integer(std::string& text, std::uint64_t magnitude, bool negative, const NumberForm& form) {
  Digits digits;
  const bool hexadecimal = form.type == 'x' || form.type == 'X';
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), magnitude, hexadecimal ? 16 : 10).ptr;
  if (form.type == 'X') std::transform(digits.data(), end, digits.data(), [](char c) { return c >= 'a' ? static_cast<char>(c - 32) : c; });
  std::string sign(negative ? "-" : "");
  if (hexadecimal && form.prefix) sign += form.type == 'X' ? "0X" : "0x";
  append_padded(text, sign, {digits.data(), end}, form);
}

// The shortest digits that make the same number; from 1e16 on and below 1e-4 with an exponent.
template <class Real>
std::string shortest(Real magnitude) {
  Digits written;
  char* const end = std::to_chars(written.data(), written.data() + written.size(), magnitude, std::chars_format::scientific).ptr;
  char* const e = std::find(written.data(), end, 'e');
  const int exponent = number_in<int>({e + (e[1] == '+' ? 2 : 1), end}).value_or(0);
  if (exponent < -4 || exponent >= 16) return {written.data(), end};
  std::string digits(written.data(), e);
  std::erase(digits, '.');
  if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return digits + std::string(whole - digits.size(), '0');
  return digits.insert(whole, 1, '.');
}

template <class Real>
void append_real(std::string& text, Real value, const NumberForm& form) {
  const std::string_view sign = std::signbit(value) ? "-" : "";
  if (!std::isfinite(value)) {
    NumberForm plain = form;
    plain.fill = ' ';
    return append_padded(text, sign, std::isnan(value) ? "nan" : "inf", plain);
  }
  if (form.type == '\0' && form.precision < 0) return append_padded(text, sign, shortest(std::abs(value)), form);
  Digits digits;
  const auto how = form.type == 'f' ? std::chars_format::fixed : std::chars_format::general;
  const char* const end =
      std::to_chars(digits.data(), digits.data() + digits.size(), std::abs(value), how, form.precision < 0 ? 6 : form.precision).ptr;
  append_padded(text, sign, {digits.data(), end}, form);
}

void append_argument(std::string& text, const Argument& argument, const NumberForm& form) {
  using Kind = Argument::Kind;
  switch (argument.kind()) {
    case Kind::text:
      text += argument.text();
      break;
    case Kind::truth:
      text += argument.natural() != 0 ? "true" : "false";
      break;
    case Kind::character:
      text += static_cast<char>(argument.natural());
      break;
    case Kind::integer: {
      const bool negative = argument.natural() >> 63 != 0;
      append_integer(text, negative ? std::uint64_t{0} - argument.natural() : argument.natural(), negative, form);
      break;
    }
    case Kind::natural:
      append_integer(text, argument.natural(), false, form);
      break;
    case Kind::single:
      append_real(text, static_cast<float>(argument.real()), form);
      break;
    case Kind::real:
      append_real(text, argument.real(), form);
      break;
  }
}

}  // namespace

std::string format_message(std::string_view message, std::span<const Argument> arguments) {
  std::string text;
  std::size_t next = 0, at = 0;
  while (at < message.size()) {
    const std::size_t brace = std::min(message.find_first_of("{}", at), message.size());
    text += message.substr(at, brace - at);
    if (brace == message.size()) break;
    at = brace + 1;
    if (at < message.size() && message[at] == message[brace]) {
      text += message[at++];  // a brace of the text
      continue;
    }
    const std::size_t end = std::min(message.find('}', at), message.size());
    const std::size_t form = message.substr(at, end - at).find(':');
    if (next < arguments.size())
      append_argument(text, arguments[next++],
                      NumberForm(form == message.npos ? std::string_view() : message.substr(at + form + 1, end - at - form - 1)));
    at = end + 1;
  }
  return text;
}

}  // namespace sinew

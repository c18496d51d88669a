// SPDX-License-Identifier: MIT
// What the C++ library of clang 19 lacks (toolchain/charconv).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/ascii.hpp"

// By the C library's strtod, which rounds to nearest, too. What it takes besides (white space, a sign, hexadecimal digits, words) is none
// of the numbers of JSON, which alone are asked for.
std::from_chars_result std::from_chars(const char* first, const char* last, double& value) {
  const char* const end = std::find_if_not(
      first, last, [](char c) { return sinew::is_digit(c) || std::string_view("+-.eE").find(c) != std::string_view::npos; });
  const std::string text(first, end);
  if (text.empty() || text.front() == '+') return {first, std::errc::invalid_argument};
  char* stopped = nullptr;
  const double read = std::strtod(text.c_str(), &stopped);
  const char* const rest = first + (stopped - text.c_str());
  if (rest == first) return {first, std::errc::invalid_argument};
  if (std::isinf(read) || (read == 0 && text.find_first_of("123456789") < text.find_first_of("eE")))
    return {rest, std::errc::result_out_of_range};
  value = read;
  return {rest, std::errc()};
}

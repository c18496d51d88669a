// SPDX-License-Identifier: MIT
// A sixth of the time of reading a file of many nodes went into std::from_chars, which takes digits one by one and is called through the
// shared library (300 instructions for the 17 digits of a random double, fast_float 200, this 65).
#include "document/json/decimal.hpp"

#include <array>
#include <bit>
#include <cstdint>

#include "document/json/eight_bytes.hpp"

namespace sinew::document {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t most_digits = 19;  // the most of which any 64 bits hold
constexpr std::size_t most_fraction = most_digits - 1;

/// A power of five shifted up to fill 64 bits, and what division by it takes instead of a division.
struct Divisor {
  std::uint64_t value = 0;
  std::uint64_t inverse = 0;  ///< ⌊(2¹²⁸ − 1) / value⌋ − 2⁶⁴
  int shift = 0;
};
constexpr auto powers_of_five = [] {
  std::array<Divisor, most_fraction + 1> powers{};
  std::uint64_t five = 1;
  for (Divisor& power : powers) {
    power.shift = std::countl_zero(five);
    power.value = five << power.shift;
    power.inverse = static_cast<std::uint64_t>(~Wide{0} / power.value - (Wide{1} << 64));
    five *= 5;
  }
  return powers;
}();
constexpr auto powers_of_ten = [] {
  std::array<double, most_fraction + 1> powers{1};  // all of them up to 10²² are doubles
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// Appends the digits from `at` to `end` to `value`.
std::uint64_t take_digits(std::string_view text, std::size_t at, std::size_t end, std::uint64_t value) {
  for (; end - at >= 8; at += 8) value = value * 100'000'000 + eight_digits(eight_bytes(text, at));
  if (at == end) return value;
  constexpr std::uint64_t powers[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000};
  if (text.size() - at >= 8) return value * powers[end - at] + few_digits(eight_bytes(text, at), static_cast<unsigned>(end - at));
  for (; at < end; ++at) value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
  return value;
}

struct Quotient {
  std::uint64_t value;
  bool rest;
};

/// Of 128 bits; their upper half is less than the divisor. Algorithm 4 of N. Möller and T. Granlund, "Improved division by invariant
/// integers", 2011.
Quotient divide(Wide dividend, const Divisor& by) {
  const auto high = static_cast<std::uint64_t>(dividend >> 64), low = static_cast<std::uint64_t>(dividend);
  const Wide guess = Wide{by.inverse} * high + dividend;
  std::uint64_t quotient = static_cast<std::uint64_t>(guess >> 64) + 1;
  std::uint64_t rest = low - quotient * by.value;
  if (rest > static_cast<std::uint64_t>(guess)) {
    --quotient;
    rest += by.value;
  }
  if (rest >= by.value) {
    ++quotient;
    rest -= by.value;
  }
  return {quotient, rest != 0};
}

/// digits / 10^fraction, rounded to the nearest double, ties to even: 64 bits of the quotient, beginning with a one, and whether anything
/// remains decide that; 53 of them are kept. All results are normal numbers. Precondition: they are not 0.
[[gnu::noinline]] double divide(std::uint64_t digits, std::size_t fraction) {
  const Divisor& by = powers_of_five[fraction];
  const int up = std::countl_zero(digits);
  const Quotient quotient = divide(Wide{digits << up} << 63, by);
  const int shift = std::countl_zero(quotient.value);  // 0 or 1: the bit that comes in lies below all but `rest`
  const std::uint64_t bits = quotient.value << shift;
  std::uint64_t kept = bits >> 11;
  const std::uint64_t lost = bits & 0x7FF;
  if (lost > 0x400 || (lost == 0x400 && (quotient.rest || (kept & 1) != 0))) ++kept;
  const int exponent = 11 - 63 - shift - up + by.shift - static_cast<int>(fraction);
  return static_cast<double>(kept) * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

}  // namespace

std::optional<double> everyday_double(std::string_view text, std::size_t begin, std::size_t end) {
  const bool negative = text[begin] == '-';  // as often as not: without branches that guess
  begin += negative;
  if (end - begin > most_digits + 1) return std::nullopt;  // leading zeros count: longer ones are rare
  auto digits = static_cast<std::uint64_t>(text[begin] - '0');
  std::size_t point = begin + 1;
  for (; point < end && text[point] != '.'; ++point) digits = digits * 10 + static_cast<std::uint64_t>(text[point] - '0');
  std::size_t fraction = 0;
  if (point != end) {
    fraction = end - point - 1;
    digits = take_digits(text, point + 1, end, digits);
  } else if (end - begin > most_digits) {
    return std::nullopt;
  }
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;
  const double value =
      digits <= exact ? static_cast<double>(static_cast<std::int64_t>(digits)) / powers_of_ten[fraction] : divide(digits, fraction);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | std::uint64_t{negative} << 63);
}

}  // namespace sinew::document

// SPDX-License-Identifier: MIT
// Reading a file with many nodes spent a sixth of its time in std::from_chars, which reads digit by digit and is called through the shared
// library. For the 17 digits of a random double it takes 300 instructions, fast_float 200, this code 65.
#include "document/json/decimal.hpp"

#include <array>
#include <bit>
#include <cstdint>

#include "document/json/eight_bytes.hpp"

namespace sinew::document {
namespace {

/// 128 bits.
struct Wide {
  std::uint64_t high, low;
};

constexpr Wide multiply(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ using Whole = unsigned __int128;
  const Whole product = Whole{a} * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
#else
  const std::uint64_t a1 = a >> 32, a0 = a & 0xFFFFFFFF, b1 = b >> 32, b0 = b & 0xFFFFFFFF;
  const std::uint64_t middle = (a0 * b0 >> 32) + (a1 * b0 & 0xFFFFFFFF) + a0 * b1;
  return {a1 * b1 + (a1 * b0 >> 32) + (middle >> 32), a * b};
#endif
}

constexpr std::uint64_t inverse_of(std::uint64_t value) {
  std::uint64_t quotient = 0, rest = ~value;  // the upper half of 2¹²⁸ − 1 − 2⁶⁴·value; in the lower one all bits are set
  for (int i = 0; i < 64; ++i) {
    const bool carry = rest >> 63 != 0;
    rest = rest << 1 | 1;
    quotient <<= 1;
    if (!carry && rest < value) continue;
    rest -= value;
    quotient |= 1;
  }
  return quotient;
}

/// A power of five, shifted to fill 64 bits, and its inverse, which replaces the division.
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
    power.inverse = inverse_of(power.value);
    five *= 5;
  }
  return powers;
}();
constexpr auto powers_of_ten = [] {
  std::array<double, 23> powers{1};  // larger powers are no exact doubles
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

struct Quotient {
  std::uint64_t value;
  bool rest;
};

/// Divides 128 bits. Precondition: the upper half is less than the divisor. Algorithm 4 of N. Möller and T. Granlund, "Improved division by
/// invariant integers", 2011.
Quotient divide(Wide dividend, const Divisor& by) {
  Wide guess = multiply(by.inverse, dividend.high);
  guess.low += dividend.low;
  guess.high += dividend.high + (guess.low < dividend.low);
  std::uint64_t quotient = guess.high + 1;
  std::uint64_t rest = dividend.low - quotient * by.value;
  if (rest > guess.low) {
    --quotient;
    rest += by.value;
  }
  if (rest >= by.value) {
    ++quotient;
    rest -= by.value;
  }
  return {quotient, rest != 0};
}

/// Computes digits / 10^fraction, rounded to the nearest double, ties to even. Uses 64 bits of the quotient, starting with a one, and
/// whether there is a remainder; keeps 53 bits. Results are normal numbers. Precondition: `digits` is not 0.
[[gnu::noinline]] double divide(std::uint64_t digits, std::size_t fraction) {
  const Divisor& by = powers_of_five[fraction];
  const int up = std::countl_zero(digits);
  const Quotient quotient = divide({digits << up >> 1, digits << up << 63}, by);
  const int shift = std::countl_zero(quotient.value);  // 0 or 1; the added bit only matters together with `rest`
  const std::uint64_t bits = quotient.value << shift;
  std::uint64_t kept = bits >> 11;
  const std::uint64_t lost = bits & 0x7FF;
  if (lost > 0x400 || (lost == 0x400 && (quotient.rest || (kept & 1) != 0))) ++kept;
  const int exponent = 11 - 63 - shift - up + by.shift - static_cast<int>(fraction);
  return static_cast<double>(kept) * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

}  // namespace

double decimal_fraction(std::uint64_t digits, unsigned fraction) {
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;
  if (digits <= exact && fraction < powers_of_ten.size())
    return static_cast<double>(static_cast<std::int64_t>(digits)) / powers_of_ten[fraction];
  return digits == 0 ? 0 : divide(digits, fraction);
}

}  // namespace sinew::document

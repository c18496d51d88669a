// SPDX-License-Identifier: MIT
#include "document/json/decimal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <random>
#include <string>

#include "document/json/json_text.hpp"

namespace sinew::document {
namespace {

// The exact conversion of the C++ library.
double converted(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

const std::string more = ", " + std::string(64, ' ');

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// Returns whether it is a common number; then the value must be exact.
bool is_everyday(const std::string& text) {
  const auto found = everyday_number(text + more, 0);
  if (!found) return false;
  EXPECT_EQ(found->end, text.size()) << text;
  EXPECT_TRUE(same_bits(found->whole ? found->integer : found->value, converted(text))) << text;
  return true;
}

TEST(Decimal, EverydayNumbersAreConvertedAsTheStandardLibraryDoes) {
  for (const std::string text : {"0",
                                 "-0",
                                 "0.0",
                                 "-0.000",
                                 "1",
                                 "-1",
                                 "12345678",
                                 "0.1",
                                 "0.3",
                                 "-0.7071067811865476",
                                 "0.5488135039273248",
                                 "90071992.54740992",
                                 "90071992.54740993",
                                 "-99999999.99999999999",
                                 "0.000000000000000001",
                                 "0.999999999999999999",
                                 "0.000000012345678901234567",
                                 "0.000000000000000000000001",
                                 "12345678.90123456789",
                                 "18446744.07309551616",
                                 "0.0001844674407370955161"})
    EXPECT_TRUE(is_everyday(text)) << text;
}

TEST(Decimal, OthersAreLeftToTheStandardLibrary) {
  for (const std::string text : {"123456789", "0.12345678901234567890", "0.0000000000000000000000001", "1e5", "1.5E-7", "1.5e3"})
    EXPECT_FALSE(is_everyday(text)) << text;
  EXPECT_EQ(to_double("1.5E-7"), 1.5e-7);
  EXPECT_EQ(to_double("12345678901234567890"), 12345678901234567890.0);
}

TEST(Decimal, RandomNumbersRoundToTheNearestDouble) {
  std::mt19937_64 random(20261122);
  int everyday = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string digits = std::to_string(random() >> (random() % 64)).substr(0, 19);
    if (i % 3 == 0) {  // the middle between two doubles, and its neighbours
      const std::uint64_t middle = ((std::uint64_t{1} << 53) | (random() >> 11)) * 2 + 1;
      digits = std::to_string(middle + random() % 3 - 1);
      digits.insert(digits.size() - random() % 3, random() % 2 ? "." : "");
      if (digits.back() == '.') digits += '0';
    } else if (const std::size_t point = random() % 24; point == 0) {
      digits.insert(0, "0." + std::string(random() % 8, '0'));
    } else if (point < digits.size()) {
      digits.insert(point, ".");
    }
    everyday += is_everyday((random() % 2 == 0 ? "-" : "") + digits);
  }
  EXPECT_GT(everyday, 50'000);
}

TEST(Decimal, TheEndOfANumberIsWhereTheFullGrammarHasIt) {
  std::mt19937 random(7);
  const std::string letters = "0123456789012345678901234567890123456789.-+eE ,]}\"x";
  const std::string spaces(48, ' ');
  std::size_t everyday = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string text(random() % 30 + 1, '0');
    for (char& c : text) c = letters[random() % letters.size()];
    if (text.front() != '-' && (text.front() < '0' || text.front() > '9')) continue;
    text += spaces;
    const auto number = everyday_number(text, 0);
    if (!number) continue;
    ++everyday;
    const TokenScan scan = scan_number(text, 0);
    EXPECT_EQ(number->end, scan.end) << text;
    EXPECT_EQ(scan.expected, nullptr) << text;
  }
  EXPECT_GT(everyday, 10'000U);
  for (const char* text : {"01 ", "-", "- ", "1. ", ".5 ", "1x", "1.5x", "12345678x"})
    EXPECT_FALSE(everyday_number(text + spaces, 0)) << text;
  EXPECT_FALSE(everyday_number("1 ", 0)) << "the text ends too soon";
}

TEST(Decimal, BytesAreToldEightAtATimeAsOneByOne) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    std::string text(8, '0');
    for (char& c : text) c = random() % 3 == 0 ? static_cast<char>(random() & 0xFF) : static_cast<char>('0' + random() % 10);
    unsigned digits = 0, plain = 0;
    while (digits < 8 && is_digit(text[digits])) ++digits;
    while (plain < 8 && static_cast<unsigned char>(text[plain]) >= 0x20 && text[plain] != '"' && text[plain] != '\\') ++plain;
    EXPECT_EQ(leading_digits(eight_bytes(text, 0)), digits) << text;
    EXPECT_EQ(leading_plain(eight_bytes(text, 0)), plain) << text;
    if (digits == 8) {
      EXPECT_EQ(eight_digits(eight_bytes(text, 0)), std::stoull(text));
    }
  }
}

}  // namespace
}  // namespace sinew::document

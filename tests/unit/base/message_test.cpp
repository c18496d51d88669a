// SPDX-License-Identifier: MIT
#include "base/message.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace sinew::message_test {
namespace {

template <class T>
void expect_as_fmt(std::string_view form, T value) {
  EXPECT_EQ(format_message(form, {Argument(value)}), fmt::format(fmt::runtime(form), value)) << form;
}

constexpr std::string_view real_forms[] = {"{}",     "{:g}",   "{:.0f}", "{:.1f}", "{:.2f}", "{:.4f}",
                                           "{:.2g}", "{:.3g}", "{:.4g}", "{:.6g}", "{:.9g}", "{:.15g}"};
constexpr std::string_view whole_forms[] = {"{}", "{:04}", "{:02X}", "{:04X}", "{:#04x}", "{:#010x}", "{:08x}", "{:016x}"};

template <class Real, class Bits>
void expect_reals_as_fmt() {
  std::mt19937_64 random(20261120);
  const auto expect = [](Real value) {
    for (const std::string_view form : real_forms) expect_as_fmt(form, value);
  };
  for (const double value :
       {0.0, 1.0, 0.1, 0.5, 1e-4, 9.99e-5, 1e15, 9999999999999998.0, 1e16, 1e17, 123456.0, 1234567.0, 2.5, 3.5, 1e-7, 1e22}) {
    expect(static_cast<Real>(value));
    expect(static_cast<Real>(-value));
  }
  for (const Real value : {std::numeric_limits<Real>::max(), std::numeric_limits<Real>::min(), std::numeric_limits<Real>::denorm_min(),
                           std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::quiet_NaN()}) {
    expect(value);
    expect(-value);
  }
  for (int i = 0; i < 5000; ++i) {
    if (const Real any = std::bit_cast<Real>(static_cast<Bits>(random())); std::isfinite(any)) expect(any);
    expect(static_cast<Real>(std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 120) - 100)));
    expect(static_cast<Real>(static_cast<double>(random() % 2000000) / 1000));
  }
}

TEST(Message, DoublesAreThoseOfFmt) { expect_reals_as_fmt<double, std::uint64_t>(); }
TEST(Message, FloatsAreThoseOfFmt) { expect_reals_as_fmt<float, std::uint32_t>(); }

TEST(Message, IntegersAreThoseOfFmt) {
  std::mt19937_64 random(20261120);
  for (int i = 0; i < 5000; ++i)
    for (const std::string_view form : whole_forms) {
      const std::uint64_t natural = random() >> (i % 64);
      expect_as_fmt(form, natural);
      expect_as_fmt(form, static_cast<std::int64_t>(natural));
      expect_as_fmt(form, -static_cast<std::int64_t>(natural >> 1));
      expect_as_fmt(form, static_cast<std::uint8_t>(natural));
    }
  expect_as_fmt("{}", std::numeric_limits<std::int64_t>::min());
  expect_as_fmt("{}", std::numeric_limits<std::uint64_t>::max());
}

TEST(Message, TextsAndTruths) {
  EXPECT_EQ(format_text("a {} b {} c {}", "x{}y", true, 'z'), "a x{}y b true c z");
  EXPECT_EQ(format_text("{{{}}}", 1), "{1}");
  EXPECT_EQ(format_text("{}", false), "false");
  EXPECT_EQ(format_message("{} {}", {Argument(1)}), "1 ");
  EXPECT_EQ(join_text(std::to_array<int>({1, -2, 3}), ", ", "<{}>"), "<1>, <-2>, <3>");
}

}  // namespace
}  // namespace sinew::message_test

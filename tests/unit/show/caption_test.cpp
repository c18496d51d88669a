// SPDX-License-Identifier: MIT
#include "show/caption.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sinew::show {
namespace {

/// The height of the bar below a black picture.
std::size_t bar_of(const std::string& text) {
  Picture picture;
  picture.width = 80;
  picture.height = 60;
  picture.rgba.assign(picture.width * picture.height * 4, 0);
  write_caption(text, 2, picture);
  std::size_t rows = 0;
  for (std::size_t y = 0; y < picture.height; ++y) rows += picture.rgba[y * picture.width * 4] != 0 ? 1 : 0;
  return rows;
}

TEST(Caption, TakesAsManyLinesAsItNeeds) {
  const std::size_t line = 14, edge = 4;  // 9 characters of 8 pixels fit
  EXPECT_EQ(bar_of("nine char"), line + edge);
  EXPECT_EQ(bar_of("ten  chars"), 2 * line + edge);
  EXPECT_EQ(bar_of("three lines of text"), 3 * line + edge);
  EXPECT_EQ(bar_of("words_without_any_blank"), 3 * line + edge);
  EXPECT_EQ(bar_of(std::string(500, 'x')), 4 * line + edge);  // the whole height; the rest is cut
}

}  // namespace
}  // namespace sinew::show

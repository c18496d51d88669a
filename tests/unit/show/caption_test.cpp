// SPDX-License-Identifier: MIT
#include "show/caption.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sinew::show {
namespace {

/// A black picture with a caption.
Picture with_caption(const std::string& text) {
  Picture picture;
  picture.width = 80;
  picture.height = 60;
  picture.rgba.assign(picture.width * picture.height * 4, 0);
  write_caption(text, 2, picture);
  return picture;
}

/// The height of the bar.
std::size_t bar_of(const std::string& text) {
  const Picture picture = with_caption(text);
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

TEST(Caption, HasTheSignOfDegrees) {
  EXPECT_NE(with_caption("90°").rgba, with_caption("90·").rgba);
  EXPECT_NE(with_caption("90°").rgba, with_caption("90¡").rgba);
  EXPECT_EQ(with_caption("90¡").rgba, with_caption("90·").rgba);  // unknown
}

}  // namespace
}  // namespace sinew::show

// SPDX-License-Identifier: MIT
#include "document/json/text_positions.hpp"

#include <algorithm>

namespace sinew::document {

Position TextPositions::of(std::size_t offset) {
  const std::size_t end = std::min(offset, text_.size());
  if (end <= at_) return position_;
  const std::string_view passed = text_.substr(at_, end - at_);
  std::string_view line = passed;
  if (const std::size_t last = passed.rfind('\n'); last != std::string_view::npos) {
    position_.line += static_cast<std::uint64_t>(std::ranges::count(passed, '\n'));
    position_.column = 1;
    line.remove_prefix(last + 1);
  }
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  position_.column += static_cast<std::uint64_t>(std::ranges::count_if(line, begins_character));
  at_ = end;
  return position_;
}

}  // namespace sinew::document

// SPDX-License-Identifier: MIT
#include "document/json/text_positions.hpp"

#include <algorithm>

namespace sinew::document {

Position TextPositions::of(std::size_t offset) {
  const std::size_t end = std::min(offset, text_.size());
  if (end <= at_) return position_;
  for (std::size_t newline; (newline = text_.find('\n', at_)) < end; at_ = newline + 1) {
    ++position_.line;
    position_.column = 1;
  }
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  position_.column += static_cast<std::uint64_t>(std::ranges::count_if(text_.substr(at_, end - at_), begins_character));
  at_ = end;
  return position_;
}

}  // namespace sinew::document

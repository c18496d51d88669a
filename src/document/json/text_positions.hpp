// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "sinew/result.hpp"

namespace sinew::document {

/// Lines and columns of ascending offsets, all in one pass over the text. Lines end with a line feed; a column counts characters, and
/// in a text that is no UTF-8 every byte that begins none of them belongs to the one before.
class TextPositions {
 public:
  explicit TextPositions(std::string_view text) : text_(text) {}
  /// `offset`: not below the one asked for before; behind the text stands for its end. `byte` of the result stays empty.
  [[nodiscard]] Position of(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  Position position_;
};

}  // namespace sinew::document

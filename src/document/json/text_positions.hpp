// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "sinew/result.hpp"

namespace sinew::document {

/// Computes lines and columns of ascending offsets, in one pass over the text. Lines end with a line feed. Columns count characters; in
/// text that is no UTF-8, a byte that starts no character belongs to the previous one.
class TextPositions {
 public:
  explicit TextPositions(std::string_view text) : text_(text) {}
  /// `offset`: at least the previous one; beyond the text means its end. `byte` of the result stays empty.
  [[nodiscard]] Position of(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  Position position_;
};

}  // namespace sinew::document

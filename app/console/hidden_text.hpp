// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace app {

/// The first character of a text.
struct Character {
  std::size_t bytes = 1;
  unsigned code = 0;     ///< the code point, or the byte if it belongs to no character
  bool in_utf8 = false;  ///< false: a byte that is not UTF-8

  /// Returns whether a terminal could obey or hide it: control characters (C0, DEL, C1), marks that change the direction of text (Unicode's
  /// Bidi_Control), line and paragraph separators, and bytes that are not UTF-8.
  [[nodiscard]] bool is_hidden() const;
};

/// Decodes the first character of a text that is not empty. Async-signal-safe.
[[nodiscard]] Character first_character(std::string_view text);

/// Replaces such characters by "\u009b", and bytes that are not UTF-8 by "\x9b". A text without them stays as it is.
[[nodiscard]] std::string printable(std::string_view text);

/// Does the same for data on standard output, except for C0: lines and colours of the program's own stay. JSON text keeps its meaning,
/// because the replacement is the escape that JSON has.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace app

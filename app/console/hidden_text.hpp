// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace app {

/// A character at the start of a text.
struct HiddenCharacter {
  std::size_t bytes = 0;  ///< 0: the text starts with a character that is safe to print
  unsigned code = 0;      ///< the code point, or the byte if it belongs to no character
  bool in_utf8 = true;    ///< false: a byte that is not UTF-8
};

/// Looks at the first character. A terminal could obey or hide these: control characters (C0, DEL, C1), marks that change the direction of
/// text (Unicode's Bidi_Control), line and paragraph separators, and bytes that are not UTF-8. Async-signal-safe.
[[nodiscard]] HiddenCharacter hidden_character(std::string_view text);

/// Replaces such characters by "\u009b", and bytes that are not UTF-8 by "\x9b". A text without them stays as it is.
[[nodiscard]] std::string printable(std::string_view text);

/// Does the same for data on standard output, except for C0: lines and colours of the program's own stay. JSON text keeps its meaning,
/// because the replacement is the escape that JSON has.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace app

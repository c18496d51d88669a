// SPDX-License-Identifier: MIT
#include "console/html.hpp"

#include "console/hidden_text.hpp"

namespace app {

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

}  // namespace app

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace app {

/// Returns a text for HTML, also in attributes; control characters are shown as in messages.
[[nodiscard]] std::string html_text(std::string_view text);

}  // namespace app

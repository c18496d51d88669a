// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace app {

/// Returns the text of a JSON value, indented by two, with a newline at its end. Bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value);
/// Returns the same on one line, without a newline.
[[nodiscard]] std::string json_line(const nlohmann::ordered_json& value);

}  // namespace app

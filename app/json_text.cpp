// SPDX-License-Identifier: MIT
#include "json_text.hpp"

#include <nlohmann/json.hpp>

namespace app {

using nlohmann::ordered_json;

std::string json_text(const ordered_json& value) { return value.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n"; }

std::string json_line(const ordered_json& value) { return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace); }

}  // namespace app

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "sinew/document.hpp"

namespace sinew::g4mf {

/// What a report tells of the asset; nothing where it is none of a known version. Findings are not made here.
[[nodiscard]] std::optional<AssetInfo> asset_info(const document::Document& document);

}  // namespace sinew::g4mf

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "document/json/json.hpp"

namespace sinew::gltf {

inline constexpr std::string_view lod_extension = "MSFT_lod";
inline constexpr std::string_view screen_coverage = "MSFT_screencoverage";  ///< a member of extras beside the extension

/// Returns the nodes with the coarser levels of a node, from fine to coarse.
[[nodiscard]] std::vector<std::uint64_t> levels_of_detail(document::JsonValue node);

}  // namespace sinew::gltf

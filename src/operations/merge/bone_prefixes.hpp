// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// Pairs bones whose names are equal without prefixes: namespaces ("mixamorig:", "Armature|"), those of VRoid Studio ("J_Bip_C_"), and one
/// prefix that all names of one file share, if that makes more names equal. Returns, for each wanted name, its index in `known`, or none.
/// Names that are not unique in their file without the prefix are not paired.
[[nodiscard]] std::vector<Index> pair_without_prefixes(std::span<const std::string> wanted, std::span<const std::string> known);

}  // namespace sinew::operations

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "operations/lift/sheet.hpp"

namespace sinew::operations {

/// The wall of a simplex is the hull of its corners moved by ± their thickness along their mitres: the lifted surface around it stays in
/// it. Shrinks the thickness where walls meet, down to `least` of each point; walls that would meet even there (the sheet
/// touches or crosses itself) are left as they are. Those of simplexes that share a corner are compared without the fifth next to it. What
/// is disjoint stays so if the thickness shrinks further. Returns how many walls meet others. `threads` 0: all cores.
[[nodiscard]] std::size_t part_walls(const Sheet& sheet, std::span<const double> mitres, std::span<const double> least, unsigned threads,
                                     std::vector<double>& thickness);

}  // namespace sinew::operations

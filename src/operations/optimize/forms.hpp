// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "operations/optimize/pack/compact.hpp"

#include "sinew/optimize.hpp"

namespace sinew::operations {

/// A way to store the rows of a buffer view.
struct Form {
  std::vector<std::byte> rows;
  std::size_t step = 0;         ///< bytes from row to row
  std::uint64_t component = 0;  ///< the new componentType of the accessors; 0: as before
  std::string_view filter{};    ///< of the stream; empty: none
  AttributeErrors errors{};
  std::vector<std::byte> seen{};  ///< the rows that a reader sees, if their bounds changed
};

/// Returns the forms of normals or tangents that keep their directions within an angle in degrees, with the fewest bits each.
/// `component`: 5120 (int8, step 4) or 5122 (int16, step 8), normalised.
[[nodiscard]] std::vector<Form> direction_forms(std::span<const std::byte> rows, std::uint64_t component, double angle);

/// Returns float32 rows as multiples of a power of 2, at most `limit_of(part)` away in each number; without a form if that is not possible.
[[nodiscard]] std::vector<Form> grid_forms(const PackedView& view, std::span<const std::byte> rows,
                                           const std::function<double(const PackedView::Rows&)>& limit_of);

/// Returns normalised int8 offsets of directions, in rows of 4 bytes, that change less from row to row. Each stays within an angle in
/// degrees of a unit vector.
[[nodiscard]] Form calm_offsets(std::span<const std::byte> rows, double angle);

/// Returns indices of 8 bits as 16.
[[nodiscard]] Form widened(std::span<const std::byte> rows);

}  // namespace sinew::operations
